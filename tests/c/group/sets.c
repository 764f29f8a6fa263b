/* Groups: set operations against plain lists of ranks, ranges, translation, comparison, and what is refused.
 */
#include "check.h"

#define MOST 16

/* Builds the group of the world ranks whose bit is set, in falling order if reversed. */
static MPI_Group pick(MPI_Group world, unsigned bits, int reversed, int *list, int *n)
{
    MPI_Group g;
    *n = 0;
    for (int i = 0; i < np; i++) {
        int r = reversed ? np - 1 - i : i;
        if (bits >> r & 1)
            list[(*n)++] = r;
    }
    CHECK_MPI(MPI_Group_incl(world, *n, list, &g));
    return g;
}

static int holds(const int *list, int n, int r)
{
    for (int i = 0; i < n; i++)
        if (list[i] == r)
            return 1;
    return 0;
}

/* Checks that g consists of the world ranks in want, in that order; frees it. */
static void expect(const char *what, MPI_Group world, MPI_Group g, const int *want, int n)
{
    int size, rank, all[MOST], got[MOST];
    CHECK_MPI(MPI_Group_size(g, &size));
    CHECK_MSG(size == n, "%s: size %d, want %d", what, size, n);
    if (n == 0)
        CHECK(g == MPI_GROUP_EMPTY);
    for (int i = 0; i < size; i++)
        all[i] = i;
    CHECK_MPI(MPI_Group_translate_ranks(g, size, all, world, got));
    int mine = MPI_UNDEFINED;
    for (int i = 0; i < size && i < n; i++) {
        CHECK_MSG(got[i] == want[i], "%s: rank %d is %d, want %d", what, i, got[i], want[i]);
        if (want[i] == me)
            mine = i;
    }
    CHECK_MPI(MPI_Group_rank(g, &rank));
    CHECK_EQ(rank, mine);
    CHECK_MPI(MPI_Group_free(&g));
    CHECK(g == MPI_GROUP_NULL);
}

static void operations(MPI_Group world)
{
    unsigned all = 1u << np;
    for (unsigned i = 0; i < all; i += 1 + all / 16)
        for (unsigned j = 0; j < all; j += 1 + all / 16) {
            int a[MOST], b[MOST], want[2 * MOST], na, nb, n, same = i == j, result;
            MPI_Group ga = pick(world, i, 0, a, &na), gb = pick(world, j, 1, b, &nb), g;
            for (n = 0; n < na; n++)
                want[n] = a[n];
            for (int k = 0; k < nb; k++)
                if (!holds(a, na, b[k]))
                    want[n++] = b[k];
            CHECK_MPI(MPI_Group_union(ga, gb, &g));
            expect("union", world, g, want, n);
            n = 0;
            for (int k = 0; k < na; k++)
                if (holds(b, nb, a[k]))
                    want[n++] = a[k];
            CHECK_MPI(MPI_Group_intersection(ga, gb, &g));
            expect("intersection", world, g, want, n);
            n = 0;
            for (int k = 0; k < na; k++)
                if (!holds(b, nb, a[k]))
                    want[n++] = a[k];
            CHECK_MPI(MPI_Group_difference(ga, gb, &g));
            expect("difference", world, g, want, n);
            CHECK_MPI(MPI_Group_compare(ga, gb, &result));
            CHECK_EQ(result, !same ? MPI_UNEQUAL : na > 1 ? MPI_SIMILAR : MPI_IDENT);
            CHECK_MPI(MPI_Group_excl(world, na, a, &g));
            n = 0;
            for (int r = 0; r < np; r++)
                if (!holds(a, na, r))
                    want[n++] = r;
            expect("excl", world, g, want, n);
            CHECK_MPI(MPI_Group_free(&ga));
            CHECK_MPI(MPI_Group_free(&gb));
        }
}

static void ranges(MPI_Group world)
{
    int want[MOST], n = 0, down[1][3] = {{np - 1, 0, -2}}, two[2][3] = {{0, 0, 5}, {np - 1, 1, -1}};
    MPI_Group g;
    for (int r = np - 1; r >= 0; r -= 2)
        want[n++] = r;
    CHECK_MPI(MPI_Group_range_incl(world, 1, down, &g));
    expect("range_incl", world, g, want, n);
    for (n = 0; n < np / 2; n++)
        want[n] = 2 * n + (np % 2);
    CHECK_MPI(MPI_Group_range_excl(world, 1, down, &g));
    expect("range_excl", world, g, want, n);
    n = 1;
    want[0] = 0;
    for (int r = np - 1; r >= 1; r--)
        want[n++] = r;
    CHECK_MPI(MPI_Group_range_incl(world, np > 1 ? 2 : 1, two, &g));
    expect("two ranges", world, g, want, n);
    CHECK_MPI(MPI_Group_range_incl(world, 0, NULL, &g));
    expect("no range", world, g, want, 0);
}

static void refused(MPI_Group world)
{
    int far[1] = {np}, twice[2] = {0, 0}, still[1][3] = {{0, 0, 0}}, out;
    MPI_Group g = world, null = MPI_GROUP_NULL;
    CHECK_CLASS(MPI_Group_incl(world, 1, far, &g), MPI_ERR_RANK);
    CHECK_CLASS(MPI_Group_incl(world, 2, twice, &g), MPI_ERR_RANK);
    CHECK_CLASS(MPI_Group_excl(world, 1, far, &g), MPI_ERR_RANK);
    CHECK_CLASS(MPI_Group_range_incl(world, 1, still, &g), MPI_ERR_ARG);
    CHECK_CLASS(MPI_Group_size(MPI_GROUP_NULL, &out), MPI_ERR_GROUP);
    CHECK_CLASS(MPI_Group_free(&null), MPI_ERR_GROUP);
    CHECK_CLASS(MPI_Group_translate_ranks(world, 1, far, world, &out), MPI_ERR_RANK);
    far[0] = MPI_PROC_NULL;
    CHECK_MPI(MPI_Group_translate_ranks(world, 1, far, world, &out));
    CHECK_EQ(out, MPI_PROC_NULL);
    far[0] = 0;
    CHECK_MPI(MPI_Group_translate_ranks(world, 1, far, MPI_GROUP_EMPTY, &out));
    CHECK_EQ(out, MPI_UNDEFINED);
}

int main(int argc, char **argv)
{
    MPI_Group world, gone;
    check_init(&argc, &argv);
    CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    CHECK_MPI(MPI_Comm_group(MPI_COMM_WORLD, &world));
    operations(world);
    ranges(world);
    refused(world);
    gone = world;
    CHECK_MPI(MPI_Group_free(&world));
    CHECK_CLASS(MPI_Group_free(&gone), MPI_ERR_GROUP);
    return check_finish();
}
