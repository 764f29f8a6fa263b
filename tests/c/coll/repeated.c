/*
 * A nonblocking or persistent collective operation that is refused on one rank, for its arguments, has not
 * begun there: when the program repeats it with right arguments it meets the operation of the other ranks,
 * and so do all that follow.
 */
#include "check.h"

static int refused(int rc) { return rc != MPI_SUCCESS; }

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    for (int round = 0; round < 20; round++) {
        int root = round % np, mine = me + round, sum = -1, all = -1;
        MPI_Request r[2];
        if (me == root) /* the send buffer may not be the receive buffer */
            CHECK(refused(MPI_Ireduce(&mine, &mine, 1, MPI_INT, MPI_SUM, root, MPI_COMM_WORLD, &r[0])));
        CHECK_MPI(MPI_Ireduce(&mine, &sum, 1, MPI_INT, MPI_SUM, root, MPI_COMM_WORLD, &r[0]));
        if (me == root)
            CHECK(refused(
                MPI_Allreduce_init(&all, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &r[1])));
        CHECK_MPI(MPI_Allreduce_init(&mine, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &r[1]));
        CHECK_MPI(MPI_Start(&r[1]));
        CHECK_MPI(MPI_Waitall(2, r, MPI_STATUSES_IGNORE));
        CHECK_MPI(MPI_Request_free(&r[1]));
        CHECK_EQ(all, np * (np - 1) / 2 + np * round);
        if (me == root)
            CHECK_EQ(sum, all);
    }
    return check_finish();
}
