/* MPI_Allgather and MPI_Alltoall: every size, in place, different descriptions of the same data on the two
 * sides. */
#include "coll.h"

static void allgather(int n, int round)
{
    size_t bytes = (size_t)np * n * sizeof(int);
    int *mine = check_alloc_at(n * sizeof(int), 4), *all = check_alloc_at(bytes, 8);
    coll_fill(mine, n, round, me, COLL_ALL);
    CHECK_MPI(MPI_Allgather(mine, n, MPI_INT, all, n, MPI_INT, MPI_COMM_WORLD));
    COLL_CHECK(mine, n, round, me, COLL_ALL);
    for (int r = 0; r < np; r++)
        COLL_CHECK(all + (size_t)r * n, n, round, r, COLL_ALL);

    check_renew(all, bytes);
    coll_fill(all + (size_t)me * n, n, round, me, COLL_ALL);
    CHECK_MPI(MPI_Allgather(MPI_IN_PLACE, -1, MPI_DATATYPE_NULL, all, n, MPI_INT, MPI_COMM_WORLD));
    for (int r = 0; r < np; r++)
        COLL_CHECK(all + (size_t)r * n, n, round, r, COLL_ALL);
    check_free(mine);
    check_free(all);
}

static void alltoall(int n, int round)
{
    size_t bytes = (size_t)np * n * sizeof(int);
    int *out = check_alloc(bytes), *in = check_alloc(bytes);
    for (int r = 0; r < np; r++)
        coll_fill(out + (size_t)r * n, n, round, me, r);
    CHECK_MPI(MPI_Alltoall(out, n, MPI_INT, in, n, MPI_INT, MPI_COMM_WORLD));
    for (int r = 0; r < np; r++) {
        COLL_CHECK(out + (size_t)r * n, n, round, me, r);
        COLL_CHECK(in + (size_t)r * n, n, round, r, me);
    }
    memcpy(in, out, bytes);
    CHECK_MPI(MPI_Alltoall(MPI_IN_PLACE, -1, MPI_DATATYPE_NULL, in, n, MPI_INT, MPI_COMM_WORLD));
    for (int r = 0; r < np; r++)
        COLL_CHECK(in + (size_t)r * n, n, round, r, me);
    check_free(out);
    check_free(in);
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    for (int c = 0; c < COLL_COUNTS; c++) {
        allgather(coll_counts[c], 100 + c);
        alltoall(coll_counts[c], 200 + c);
    }

    /* Sent as ints, received as pairs of ints. */
    int mine[2] = {me, -me}, *all = check_alloc(2 * np * sizeof(int));
    CHECK_MPI(MPI_Allgather(mine, 2, MPI_INT, all, 1, MPI_2INT, MPI_COMM_WORLD));
    for (int r = 0; r < np; r++) {
        CHECK_EQ(all[2 * r], r);
        CHECK_EQ(all[2 * r + 1], -r);
    }
    int *out = malloc(2 * np * sizeof(int));
    for (int r = 0; r < 2 * np; r++)
        out[r] = me * 100 + r;
    CHECK_MPI(MPI_Alltoall(out, 1, MPI_2INT, all, 2, MPI_INT, MPI_COMM_WORLD));
    for (int r = 0; r < np; r++) {
        CHECK_EQ(all[2 * r], r * 100 + 2 * me);
        CHECK_EQ(all[2 * r + 1], r * 100 + 2 * me + 1);
    }
    free(out);
    check_free(all);
    return check_finish();
}
