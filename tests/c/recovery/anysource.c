/*
 * Receives from any source after a failure: a blocking one fails with MPIX_ERR_PROC_FAILED, one that does
 * not block stays and its completion says MPIX_ERR_PROC_FAILED_PENDING, until the failure is acknowledged.
 * Then all go on, and a further failure has to be acknowledged again. The last two ranks die one after the
 * other.
 */
#include "recovery.h"

int main(int argc, char **argv)
{
    MPI_Request r, two[2];
    MPI_Status st, sts[2];
    MPI_Group g, world;
    int x, flag, index, count, indices[2], acked, zero = 0, rank, more;

    recovery_begin(&argc, &argv);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    if (me == np - 1)
        recovery_die(0);
    if (me == np - 2) {
        CHECK_MPI(MPI_Recv(&x, 1, MPI_INT, 0, 9, MPI_COMM_WORLD, &st));
        recovery_die(1);
    }
    if (me == 0) {
        CHECK_CLASS(MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &st), MPIX_ERR_PROC_FAILED);
        CHECK_CLASS(MPI_Probe(MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &st), MPIX_ERR_PROC_FAILED);
        CHECK_MPI(MPI_Irecv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &r));
        CHECK_CLASS(MPI_Wait(&r, &st), MPIX_ERR_PROC_FAILED_PENDING);
        CHECK_MSG(r != MPI_REQUEST_NULL, "the request is gone");
        CHECK_CLASS(MPI_Test(&r, &flag, &st), MPIX_ERR_PROC_FAILED_PENDING);
        two[0] = r;
        two[1] = MPI_REQUEST_NULL;
        CHECK_CLASS(MPI_Waitany(2, two, &index, &st), MPIX_ERR_PROC_FAILED_PENDING);
        CHECK_EQ(index, 0);
        CHECK_CLASS(MPI_Waitall(2, two, sts), MPI_ERR_IN_STATUS);
        CHECK_EQ(error_class(sts[0].MPI_ERROR), MPIX_ERR_PROC_FAILED_PENDING);
        CHECK_MSG(two[0] == r, "the request is gone");
        CHECK_CLASS(MPI_Waitsome(2, two, &count, indices, sts), MPI_ERR_IN_STATUS);
        CHECK_EQ(error_class(sts[0].MPI_ERROR), MPIX_ERR_PROC_FAILED_PENDING);

        /* A receive from somebody who lives beside it is not done and not failed. */
        if (np > 3) {
            int y;
            CHECK_MPI(MPI_Irecv(&y, 1, MPI_INT, 1, 4, MPI_COMM_WORLD, &two[1]));
            CHECK_CLASS(MPI_Waitall(2, two, sts), MPI_ERR_IN_STATUS);
            CHECK_EQ(error_class(sts[1].MPI_ERROR), MPI_ERR_PENDING);
            CHECK_MPI(MPI_Send(&zero, 1, MPI_INT, 1, 3, MPI_COMM_WORLD));
            CHECK_MPI(MPI_Wait(&two[1], &st));
            CHECK_EQ(y, 44);
        }

        CHECK_MPI(MPIX_Comm_ack_failed(MPI_COMM_WORLD, 0, &acked));
        CHECK_EQ(acked, 0);
        CHECK_MPI(MPIX_Comm_ack_failed(MPI_COMM_WORLD, 5, &acked));
        CHECK_EQ(acked, 1);
        CHECK_MPI(MPIX_Comm_failure_get_acked(MPI_COMM_WORLD, &g));
        CHECK_MPI(MPI_Group_translate_ranks(g, 1, &zero, world, &rank));
        CHECK_EQ(rank, np - 1);
        MPI_Group_free(&g);
        CHECK_MPI(MPI_Test(&r, &flag, &st));
        CHECK_EQ(flag, 0);
        /* It gets its message now. */
        CHECK_MPI(MPI_Send(&zero, 1, MPI_INT, np - 2, 9, MPI_COMM_WORLD));
        CHECK_CLASS(MPI_Wait(&r, &st), MPIX_ERR_PROC_FAILED_PENDING);
        CHECK_EQ(failures(MPI_COMM_WORLD), 2);
        CHECK_MPI(MPIX_Comm_failure_ack(MPI_COMM_WORLD));
        for (int to = 1; to < np - 2; to++)
            CHECK_MPI(MPI_Send(&to, 1, MPI_INT, to, 2, MPI_COMM_WORLD));
        for (int i = 1; i < np - 2; i++) {
            if (i > 1)
                CHECK_MPI(MPI_Irecv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &r));
            CHECK_MPI(MPI_Wait(&r, &st));
            CHECK_EQ(x, 100 + st.MPI_SOURCE);
        }
        if (np == 3) {
            CHECK_MPI(MPI_Cancel(&r));
            CHECK_MPI(MPI_Wait(&r, &st));
        }
    } else {
        if (me == 1) {
            int value = 44;
            CHECK_MPI(MPI_Recv(&x, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, &st));
            CHECK_MPI(MPI_Send(&value, 1, MPI_INT, 0, 4, MPI_COMM_WORLD));
        }
        CHECK_MPI(MPI_Recv(&x, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, &st));
        more = 100 + me;
        CHECK_MPI(MPI_Send(&more, 1, MPI_INT, 0, 1, MPI_COMM_WORLD));
    }
    MPI_Group_free(&world);
    return recovery_end(2);
}
