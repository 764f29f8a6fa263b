/* The v and w forms when some ranks contribute little and others much, in every mix, one operation right
 * after the other and with roots that go round; with an argument, then contributions of another length than
 * was expected as well. */
#include "coll.h"

/* Ints in a block, about the limits at which the way changes: what fits into a slot, what is shown at once,
 * what is not. */
static const int sizes[] = {0, 1, 2, 5, 11, 12, 13, 100, 2047, 5461, 8000, 16383, 16384, 16385, 16640, 40000};
enum { SIZES = sizeof sizes / sizeof sizes[0], ROUNDS = 40 };

/* How much rank `from` has for rank `to`, known to all. In every third round most have little. */
static int size_of(int round, int from, int to)
{
    uint64_t h = check_mix(((uint64_t)round << 32) ^ ((uint64_t)from << 16) ^ (uint64_t)to);

    return sizes[round % 3 == 0 && h % 8 != 0 ? (h >> 8) % 7 : (h >> 8) % SIZES];
}

static int *counts[2], *places[2];

/* Lays out blocks with a gap between them; returns the ints that they take. */
static int lay_out(int which, int round, int out, int to_one)
{
    int end = 0;

    for (int r = 0; r < np; r++) {
        counts[which][r] =
            out ? size_of(round, me, to_one >= 0 ? to_one : r) : size_of(round, r, to_one >= 0 ? to_one : me);
        places[which][r] = end;
        end += counts[which][r] + 1;
    }
    return end;
}

static void gather_and_scatter(int round)
{
    int root = round % np, end = lay_out(0, round, 0, COLL_ALL), own = size_of(round, me, COLL_ALL);
    int *all = check_alloc((size_t)end * sizeof(int)), *mine = check_alloc((size_t)own * sizeof(int));

    coll_fill(mine, own, round, me, COLL_ALL);
    CHECK_MPI(MPI_Gatherv(mine, own, MPI_INT, all, counts[0], places[0], MPI_INT, root, MPI_COMM_WORLD));
    for (int r = 0; r < np && me == root; r++) {
        COLL_CHECK(all + places[0][r], counts[0][r], round, r, COLL_ALL);
        CHECK_FRESH(all + places[0][r] + counts[0][r], 0, sizeof(int));
    }
    check_renew(all, (size_t)end * sizeof(int));
    CHECK_MPI(MPI_Allgatherv(mine, own, MPI_INT, all, counts[0], places[0], MPI_INT, MPI_COMM_WORLD));
    for (int r = 0; r < np; r++) {
        COLL_CHECK(all + places[0][r], counts[0][r], round, r, COLL_ALL);
        CHECK_FRESH(all + places[0][r] + counts[0][r], 0, sizeof(int));
    }
    /* What has been gathered goes back. */
    check_renew(mine, (size_t)own * sizeof(int));
    CHECK_MPI(MPI_Scatterv(all, counts[0], places[0], MPI_INT, mine, own, MPI_INT, root, MPI_COMM_WORLD));
    COLL_CHECK(mine, own, round, me, COLL_ALL);
    check_free(mine);
    check_free(all);
}

static void all_to_all(int round)
{
    int *out = check_alloc((size_t)lay_out(0, round, 1, -1) * sizeof(int)), end = lay_out(1, round, 0, -1);
    int *in = check_alloc((size_t)end * sizeof(int));
    MPI_Datatype types[COLL_ALL];

    for (int r = 0; r < np; r++) {
        coll_fill(out + places[0][r], counts[0][r], round, me, r);
        types[r] = MPI_INT;
    }
    CHECK_MPI(
        MPI_Alltoallv(out, counts[0], places[0], MPI_INT, in, counts[1], places[1], MPI_INT, MPI_COMM_WORLD));
    for (int again = 0; again < 2; again++) {
        for (int r = 0; r < np; r++) {
            COLL_CHECK(in + places[1][r], counts[1][r], round, r, me);
            CHECK_FRESH(in + places[1][r] + counts[1][r], 0, sizeof(int));
        }
        if (again)
            break;
        check_renew(in, (size_t)end * sizeof(int));
        int *out_bytes = malloc(2 * (size_t)np * sizeof(int)), *in_bytes = out_bytes + np;
        for (int r = 0; r < np; r++)
            out_bytes[r] = places[0][r] * (int)sizeof(int), in_bytes[r] = places[1][r] * (int)sizeof(int);
        CHECK_MPI(
            MPI_Alltoallw(out, counts[0], out_bytes, types, in, counts[1], in_bytes, types, MPI_COMM_WORLD));
        free(out_bytes);
    }
    check_free(in);
    check_free(out);
}

/* Rank 0 has `n` ints for each other rank, or is to get as many, where the others think of `want`. Nobody may
 * hang, and what comes next has to be right. */
static void mistaken(int n, int want)
{
    int most = n > want ? n : want;
    int *out = calloc((size_t)most * (size_t)np + 1, sizeof *out),
        *in = calloc((size_t)most * (size_t)np + 1, sizeof *in);
    int wrong = n != want && np > 1;

    for (int r = 0; r < np; r++) {
        counts[0][r] = r == 0 ? n : want; /* what rank r contributes */
        counts[1][r] = me == 0 && r > 0 ? n : want;
        places[0][r] = places[1][r] = r * most;
    }
    /* The root expects n from everybody. */
    int rc =
        MPI_Gatherv(out, me == 0 ? n : want, MPI_INT, in, counts[1], places[1], MPI_INT, 0, MPI_COMM_WORLD);
    if (me == 0 && wrong) {
        int class;
        MPI_Error_class(rc, &class);
        CHECK_EQ(class, MPI_ERR_TRUNCATE);
    }
    counts[1][0] = n;
    rc = MPI_Scatterv(out, counts[1], places[0], MPI_INT, in, me == 0 ? n : want, MPI_INT, 0, MPI_COMM_WORLD);
    if (me != 0 && wrong) {
        int class;
        MPI_Error_class(rc, &class);
        CHECK_EQ(class, MPI_ERR_TRUNCATE);
    } else {
        CHECK_EQ(rc, MPI_SUCCESS);
    }
    CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
    gather_and_scatter(1);
    all_to_all(1);
    free(in);
    free(out);
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    for (int i = 0; i < 2; i++) {
        counts[i] = malloc((size_t)np * sizeof(int));
        places[i] = malloc((size_t)np * sizeof(int));
    }
    for (int round = 0; round < ROUNDS; round++) {
        gather_and_scatter(round);
        all_to_all(round);
    }
    if (argc > 1) {
        CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
        mistaken(1, 2);
        mistaken(2, 1);
        mistaken(30000, 7);
        mistaken(7, 30000);
        mistaken(30000, 0);
        mistaken(40000, 30000);
    }
    for (int i = 0; i < 2; i++) {
        free(counts[i]);
        free(places[i]);
    }
    return check_finish();
}
