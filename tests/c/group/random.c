/* Groups made of random ones in every way, against lists of their members. */
#include "check.h"

static uint64_t seed = 7;

static int below(int n) { return (int)check_below(&seed, (uint64_t)n); }

/* The numbers that a group holds, of the processes of world. */
static int members(MPI_Group world, MPI_Group g, int *of)
{
    int n, ranks[32], rank, own;
    CHECK_MPI(MPI_Group_size(g, &n));
    for (int i = 0; i < n; i++)
        ranks[i] = i;
    CHECK_MPI(MPI_Group_translate_ranks(g, n, ranks, world, of));
    CHECK_MPI(MPI_Group_rank(g, &rank));
    own = MPI_UNDEFINED;
    for (int i = 0; i < n; i++)
        if (of[i] == me)
            own = i;
    CHECK_EQ(rank, own);
    return n;
}

static int among(const int *list, int n, int x)
{
    for (int i = 0; i < n; i++)
        if (list[i] == x)
            return 1;
    return 0;
}

static void check_members(MPI_Group world, MPI_Group g, const int *expected, int n)
{
    int of[32];
    CHECK_EQ(members(world, g, of), n);
    for (int i = 0; i < n; i++)
        CHECK_EQ(of[i], expected[i]);
    if (n == 0)
        CHECK(g == MPI_GROUP_EMPTY);
    else
        CHECK_MPI(MPI_Group_free(&g));
}

/* Some ranks of a group of n, in any order. */
static int some(int n, int *ranks)
{
    int k = 0;
    for (int i = 0; i < n; i++)
        if (below(2))
            ranks[k++] = i;
    for (int i = k - 1; i > 0; i--) {
        int j = below(i + 1), x = ranks[i];
        ranks[i] = ranks[j];
        ranks[j] = x;
    }
    return k;
}

/* Sets of groups, against lists. */
static void sets(void)
{
    MPI_Group world, g[2], h;
    CHECK_MPI(MPI_Comm_group(MPI_COMM_WORLD, &world));
    for (int round = 0; round < 500; round++) {
        int list[2][32], size[2], expected[64], n, ranges[2][3];
        for (int k = 0; k < 2; k++) {
            size[k] = some(np, list[k]);
            CHECK_MPI(MPI_Group_incl(world, size[k], list[k], &g[k]));
        }
        memcpy(expected, list[0], sizeof list[0]);
        n = size[0];
        for (int i = 0; i < size[1]; i++)
            if (!among(list[0], size[0], list[1][i]))
                expected[n++] = list[1][i];
        CHECK_MPI(MPI_Group_union(g[0], g[1], &h));
        check_members(world, h, expected, n);
        for (int in = 0; in < 2; in++) {
            n = 0;
            for (int i = 0; i < size[0]; i++)
                if (among(list[1], size[1], list[0][i]) == in)
                    expected[n++] = list[0][i];
            CHECK_MPI(in ? MPI_Group_intersection(g[0], g[1], &h) : MPI_Group_difference(g[0], g[1], &h));
            check_members(world, h, expected, n);
        }
        int ranks[32], k = some(size[0], ranks);
        for (int i = n = 0; i < size[0]; i++)
            if (!among(ranks, k, i))
                expected[n++] = list[0][i];
        CHECK_MPI(MPI_Group_excl(g[0], k, ranks, &h));
        check_members(world, h, expected, n);
        if (size[0] > 1) {
            int first = below(size[0]), step = below(2) ? 1 : 2;
            memcpy(ranges[0], (int[3]){first, size[0] - 1, step}, sizeof ranges[0]);
            memcpy(ranges[1], (int[3]){first - 1, 0, -1}, sizeof ranges[1]);
            k = n = 0;
            for (int i = first; i < size[0]; i += step)
                ranks[k++] = i;
            for (int i = first - 1; i >= 0; i--)
                ranks[k++] = i;
            int both = first > 0;
            for (int i = 0; i < k; i++)
                expected[i] = list[0][ranks[i]];
            CHECK_MPI(MPI_Group_range_incl(g[0], 1 + both, ranges, &h));
            check_members(world, h, expected, k);
            for (int i = 0; i < size[0]; i++)
                if (!among(ranks, k, i))
                    expected[n++] = list[0][i];
            CHECK_MPI(MPI_Group_range_excl(g[0], 1 + both, ranges, &h));
            check_members(world, h, expected, n);
        }
        ranges[0][0] = ranges[0][1] = 0;
        ranges[0][2] = 0;
        CHECK_CLASS(MPI_Group_range_incl(world, 1, ranges, &h), MPI_ERR_ARG);
        ranges[0][1] = np;
        ranges[0][2] = 1;
        CHECK_CLASS(MPI_Group_range_excl(world, 1, ranges, &h), MPI_ERR_RANK);
        CHECK_CLASS(MPI_Group_excl(world, 2, (int[2]){0, 0}, &h), MPI_ERR_RANK);
        for (int k = 0; k < 2; k++)
            if (g[k] != MPI_GROUP_EMPTY)
                CHECK_MPI(MPI_Group_free(&g[k]));
    }
    CHECK_MPI(MPI_Group_free(&world));
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    sets();
    return check_finish();
}
