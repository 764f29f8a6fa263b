/*
 * A rank gives up a communicator that has lost a rank before another one has sent its last message on it. No
 * later communicator finds that message.
 */
#include "recovery.h"

enum { TAG = 7 };

/* No message of an earlier communicator is found on c, on which all can talk. */
static void none(MPI_Comm c)
{
    int flag = 0, sum = 0, one = 1;

    CHECK_MPI(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, c));
    CHECK_EQ(sum, np - 1);
    CHECK_MPI(MPI_Iprobe(MPI_ANY_SOURCE, TAG, c, &flag, MPI_STATUS_IGNORE));
    CHECK_MSG(!flag, "a message of an earlier communicator is there");
}

int main(int argc, char **argv)
{
    MPI_Comm old, rest, later;
    int value = -1, stale = 1;

    recovery_begin(&argc, &argv);
    CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &old));
    recovery_await_others(MPI_COMM_WORLD, np - 1, np - 1);
    if (me == np - 1)
        recovery_die(0);
    await_failures(MPI_COMM_WORLD, 1);
    if (me == 0) {
        CHECK_MPI(MPI_Comm_free(&old));
        for (int r = 1; r < np - 1; r++)
            CHECK_MPI(MPI_Send(&stale, 1, MPI_INT, r, 1, MPI_COMM_WORLD));
    } else {
        CHECK_MPI(MPI_Recv(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        CHECK_MPI(MPI_Send(&stale, 1, MPI_INT, 0, TAG, old));
        CHECK_MPI(MPI_Comm_free(&old));
    }
    CHECK_MPI(MPIX_Comm_shrink(MPI_COMM_WORLD, &rest));
    none(rest);
    CHECK_MPI(MPI_Comm_dup(rest, &later));
    none(later);
    CHECK_MPI(MPI_Comm_free(&later));
    CHECK_MPI(MPI_Comm_free(&rest));
    return recovery_end(1);
}
