/*
 * Ranks that run ahead of others through nonblocking operations that do not hold them back: the rings fill
 * up, messages wait for room, and what goes out at last starts the next messages. Everything arrives.
 */
#include "check.h"

enum { ROUNDS = 15, AHEAD = 400 };

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    for (int round = 0; round < ROUNDS; round++) {
        int mine = me + round, sum = -1, all = -1, data = -1;
        for (int i = 0; i < AHEAD; i++) {
            MPI_Request r;
            sum = -1;
            CHECK_MPI(MPI_Iscan(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &r));
            CHECK_MPI(MPI_Wait(&r, MPI_STATUS_IGNORE));
            CHECK_EQ(sum, me * (me + 1) / 2 + (me + 1) * round);
        }
        for (int i = 0; i < AHEAD; i++) {
            MPI_Request r;
            data = me == round % np ? i : -1;
            CHECK_MPI(MPI_Ibcast(&data, 1, MPI_INT, round % np, MPI_COMM_WORLD, &r));
            CHECK_MPI(MPI_Wait(&r, MPI_STATUS_IGNORE));
            CHECK_EQ(data, i);
        }
        CHECK_MPI(MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
        CHECK_EQ(all, np * (np - 1) / 2 + np * round);
    }
    return check_finish();
}
