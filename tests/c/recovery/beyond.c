/*
 * One of two spawned processes dies. On the intercommunicator with them, and on what was merged with them,
 * all that live work on: those on this side, and the other spawned process on the other. They know exactly
 * who has failed, send messages to those that live, and agree and shrink as ranks of one job do.
 */
#include "recovery.h"

/* Messages among those that live go on; c is an intercommunicator of which the remote process 1, or the local
 * one at the children, has failed. */
static void talk(MPI_Comm c, int child)
{
    int n, x = 7;

    if (child) {
        MPI_Comm_remote_size(c, &n);
        for (int i = 0; i < n; i++) {
            CHECK_MPI(MPI_Recv(&x, 1, MPI_INT, i, 3, c, MPI_STATUS_IGNORE));
            CHECK_EQ(x, i);
        }
        for (int i = 0; i < n; i++)
            CHECK_MPI(MPI_Send(&i, 1, MPI_INT, i, 4, c));
    } else {
        CHECK_MPI(MPI_Send(&me, 1, MPI_INT, 0, 3, c));
        CHECK_MPI(MPI_Recv(&x, 1, MPI_INT, 0, 4, c, MPI_STATUS_IGNORE));
        CHECK_EQ(x, me);
        CHECK_CLASS(MPI_Recv(&x, 1, MPI_INT, 1, 5, c, MPI_STATUS_IGNORE), MPIX_ERR_PROC_FAILED);
    }
}

static void agree(MPI_Comm c, int size)
{
    MPI_Request request;
    int flag = 3, acked, is;

    await_failures(c, 1);
    CHECK_CLASS(MPIX_Comm_agree(c, &flag), MPIX_ERR_PROC_FAILED);
    CHECK_EQ(flag, 3);
    CHECK_MPI(MPIX_Comm_ack_failed(c, size, &acked));
    CHECK_EQ(acked, 1);
    CHECK_MPI(MPIX_Comm_iagree(c, &flag, &request));
    CHECK_MPI(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK_CLASS(MPI_Barrier(c), MPIX_ERR_PROC_FAILED);
    flag = 3;
    CHECK_MPI(MPIX_Comm_agree(c, &flag)); /* all have come out of the barrier */
    if (me == 0)
        CHECK_MPI(MPIX_Comm_revoke(c));
    do
        CHECK_MPI(MPIX_Comm_is_revoked(c, &is));
    while (!is);
    CHECK_CLASS(MPI_Barrier(c), MPIX_ERR_REVOKED);
}

int main(int argc, char **argv)
{
    MPI_Comm inter, all, rest;
    MPI_Group whole, failed;
    MPI_Request request;
    int size, child, zero = 0, at, sum, n;

    recovery_begin(&argc, &argv);
    MPI_Comm_get_parent(&inter);
    child = inter != MPI_COMM_NULL;
    if (!child)
        CHECK_MPI(MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &inter,
                                 MPI_ERRCODES_IGNORE));
    MPI_Comm_set_errhandler(inter, MPI_ERRORS_RETURN);
    CHECK_MPI(MPI_Intercomm_merge(inter, child, &all));
    MPI_Comm_size(all, &size);
    CHECK_MPI(MPI_Barrier(all));
    recovery_await_others(all, size - 1, size - 1);
    if (child && me == 1)
        recovery_die(0);

    CHECK_CLASS(MPI_Barrier(all), MPIX_ERR_PROC_FAILED);
    talk(inter, child);
    agree(all, size);
    MPI_Comm_group(all, &whole);
    CHECK_MPI(MPIX_Comm_get_failed(all, &failed));
    CHECK_MPI(MPI_Group_translate_ranks(failed, 1, &zero, whole, &at));
    CHECK_EQ(at, size - 1);
    agree(inter, size);

    CHECK_MPI(MPIX_Comm_shrink(all, &rest));
    MPI_Comm_size(rest, &n);
    CHECK_EQ(n, size - 1);
    CHECK_MPI(MPI_Allreduce(&n, &sum, 1, MPI_INT, MPI_SUM, rest));
    CHECK_EQ(sum, n * n);
    MPI_Comm_free(&rest);
    CHECK_MPI(MPIX_Comm_ishrink(inter, &rest, &request));
    CHECK_MPI(MPI_Wait(&request, MPI_STATUS_IGNORE));
    MPI_Comm_remote_size(rest, &n);
    CHECK_EQ(n, child ? size - 2 : 1);
    CHECK_MPI(MPI_Barrier(rest));
    CHECK_MPI(MPI_Comm_disconnect(&rest));
    MPI_Group_free(&whole);
    MPI_Group_free(&failed);
    MPI_Comm_free(&all);
    MPI_Comm_free(&inter);
    if (child) {
        MPI_Finalize();
        return check_failed != 0;
    }
    return recovery_end(0);
}
