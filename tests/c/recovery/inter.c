/*
 * Intercommunicators that lose a rank of either group: errors of messages between the groups, who has failed,
 * agreements over both groups, revocation, shrinking, and one that shrinks until a side has nobody.
 */
#include "recovery.h"

int main(int argc, char **argv)
{
    MPI_Comm half, c, rest, none;
    int right, flag, rank, size, remote, x = 0, sum;
    MPI_Status st;

    recovery_begin(&argc, &argv);
    right = me >= (np + 1) / 2; /* the right group is the smaller one */
    CHECK_MPI(MPI_Comm_split(MPI_COMM_WORLD, right, 0, &half));
    CHECK_MPI(MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, right ? 0 : (np + 1) / 2, 5, &c));
    recovery_await_others(MPI_COMM_WORLD, np - 1, np - 1);
    if (me == np - 1)
        recovery_die(0);
    MPI_Comm_rank(c, &rank);
    MPI_Comm_remote_size(c, &remote);
    await_failures(c, 1);
    if (!right)
        CHECK_CLASS(MPI_Recv(&x, 1, MPI_INT, remote - 1, 1, c, &st), MPIX_ERR_PROC_FAILED);
    if (!right)
        CHECK_CLASS(MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 1, c, &st), MPIX_ERR_PROC_FAILED);
    CHECK_CLASS(MPI_Barrier(c), MPIX_ERR_PROC_FAILED);
    flag = ~(1 << me);
    CHECK_CLASS(MPIX_Comm_agree(c, &flag), MPIX_ERR_PROC_FAILED);
    CHECK_MPI(MPIX_Comm_failure_ack(c));
    flag = ~(1 << me);
    CHECK_MPI(MPIX_Comm_agree(c, &flag));
    CHECK_EQ(flag, ~((1 << (np - 1)) - 1));
    if (me == 0)
        CHECK_MPI(MPIX_Comm_revoke(c));
    else
        CHECK_CLASS(MPI_Recv(&x, 1, MPI_INT, 0, 3, c, &st) == MPI_SUCCESS ? MPI_ERR_OTHER : MPIX_ERR_REVOKED,
                    MPIX_ERR_REVOKED);
    CHECK_MPI(MPIX_Comm_shrink(c, &rest));
    MPI_Comm_size(rest, &size);
    MPI_Comm_remote_size(rest, &remote);
    CHECK_EQ(size + remote, np - 1);
    x = 1;
    CHECK_MPI(MPI_Allreduce(&x, &sum, 1, MPI_INT, MPI_SUM, rest));
    CHECK_EQ(sum, remote);
    CHECK_MPI(MPI_Comm_free(&c));
    /* All of the right group die. */
    CHECK_MPI(MPI_Barrier(rest));
    recovery_await_others(MPI_COMM_WORLD, (np + 1) / 2, np - 1);
    if (right)
        recovery_die(1);
    CHECK_CLASS(MPI_Barrier(rest), MPIX_ERR_PROC_FAILED);
    CHECK_MPI(MPIX_Comm_shrink(rest, &none));
    CHECK_MSG(none == MPI_COMM_NULL, "there is an intercommunicator with nobody on the other side");
    CHECK_MPI(MPI_Comm_free(&rest));
    CHECK_MPI(MPI_Comm_free(&half));
    return recovery_end(np / 2);
}
