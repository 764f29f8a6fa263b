/* Collectives on MPI_COMM_SELF are copies. */
#include "coll.h"

int main(int argc, char **argv)
{
    MPI_Request q = MPI_REQUEST_NULL;
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
        CHECK_MPI(MPI_Wait(&q, MPI_STATUS_IGNORE));                                                    \
        CHECK(q == MPI_REQUEST_NULL);                                                                  \
        COLL_CHECK(in, n, c, me, COLL_ALL);                                                            \
        COLL_CHECK(out, n, c, me, COLL_ALL);                                                           \
    } while (0)
        COPIED(MPI_Reduce(out, in, n, MPI_INT, MPI_SUM, 0, MPI_COMM_SELF));
        COPIED(MPI_Allreduce(out, in, n, MPI_INT, MPI_MIN, MPI_COMM_SELF));
        COPIED(MPI_Gather(out, n, MPI_INT, in, n, MPI_INT, 0, MPI_COMM_SELF));
        COPIED(MPI_Scatter(out, n, MPI_INT, in, n, MPI_INT, 0, MPI_COMM_SELF));
        COPIED(MPI_Allgather(out, n, MPI_INT, in, n, MPI_INT, MPI_COMM_SELF));
        COPIED(MPI_Alltoall(out, n, MPI_INT, in, n, MPI_INT, MPI_COMM_SELF));
        COPIED(MPI_Ireduce(out, in, n, MPI_INT, MPI_SUM, 0, MPI_COMM_SELF, &q));
        COPIED(MPI_Iallreduce(out, in, n, MPI_INT, MPI_MIN, MPI_COMM_SELF, &q));
        COPIED(MPI_Iscan(out, in, n, MPI_INT, MPI_MIN, MPI_COMM_SELF, &q));
        COPIED(MPI_Igather(out, n, MPI_INT, in, n, MPI_INT, 0, MPI_COMM_SELF, &q));
        COPIED(MPI_Iscatter(out, n, MPI_INT, in, n, MPI_INT, 0, MPI_COMM_SELF, &q));
        COPIED(MPI_Iallgather(out, n, MPI_INT, in, n, MPI_INT, MPI_COMM_SELF, &q));
        COPIED(MPI_Ialltoall(out, n, MPI_INT, in, n, MPI_INT, MPI_COMM_SELF, &q));
        MPI_Request all[3];
        CHECK_MPI(MPI_Ibcast(in, n, MPI_INT, 0, MPI_COMM_SELF, &all[0]));
        CHECK_MPI(MPI_Iallreduce(MPI_IN_PLACE, in, n, MPI_INT, MPI_SUM, MPI_COMM_SELF, &all[1]));
        CHECK_MPI(MPI_Ibarrier(MPI_COMM_SELF, &all[2]));
        CHECK_MPI(MPI_Waitall(3, all, MPI_STATUSES_IGNORE));
        COLL_CHECK(in, n, c, me, COLL_ALL);
        CHECK_MPI(MPI_Bcast(in, n, MPI_INT, 0, MPI_COMM_SELF));
        CHECK_MPI(MPI_Allreduce(MPI_IN_PLACE, in, n, MPI_INT, MPI_SUM, MPI_COMM_SELF));
        CHECK_MPI(MPI_Barrier(MPI_COMM_SELF));
        COLL_CHECK(in, n, c, me, COLL_ALL);
        check_free(out);
        check_free(in);
    }
    return check_finish();
}
