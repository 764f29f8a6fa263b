/* Collectives on MPI_COMM_SELF are copies. */
#include "coll.h"

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    for (int c = 0; c < COLL_COUNTS; c++) {
        int n = coll_counts[c];
        size_t bytes = n * sizeof(int);
        int *out = check_alloc(bytes), *in = check_alloc(bytes);
        coll_fill(out, n, c, me, COLL_ALL);
#define COPIED(call)                                                                                   \
    do {                                                                                               \
        check_renew(in, bytes);                                                                        \
        CHECK_MPI(call);                                                                               \
        COLL_CHECK(in, n, c, me, COLL_ALL);                                                            \
        COLL_CHECK(out, n, c, me, COLL_ALL);                                                           \
    } while (0)
        COPIED(MPI_Reduce(out, in, n, MPI_INT, MPI_SUM, 0, MPI_COMM_SELF));
        COPIED(MPI_Allreduce(out, in, n, MPI_INT, MPI_MIN, MPI_COMM_SELF));
        COPIED(MPI_Gather(out, n, MPI_INT, in, n, MPI_INT, 0, MPI_COMM_SELF));
        COPIED(MPI_Scatter(out, n, MPI_INT, in, n, MPI_INT, 0, MPI_COMM_SELF));
        COPIED(MPI_Allgather(out, n, MPI_INT, in, n, MPI_INT, MPI_COMM_SELF));
        COPIED(MPI_Alltoall(out, n, MPI_INT, in, n, MPI_INT, MPI_COMM_SELF));
        CHECK_MPI(MPI_Bcast(in, n, MPI_INT, 0, MPI_COMM_SELF));
        CHECK_MPI(MPI_Allreduce(MPI_IN_PLACE, in, n, MPI_INT, MPI_SUM, MPI_COMM_SELF));
        CHECK_MPI(MPI_Barrier(MPI_COMM_SELF));
        COLL_CHECK(in, n, c, me, COLL_ALL);
        check_free(out);
        check_free(in);
    }
    return check_finish();
}
