/* Pairs of threads play ping-pong: between two ranks, and within one rank, where one thread must wake the
 * other. */
#include "threads.h"

enum { PAIRS = 3, ROUNDS = 400 };

static void between(int thread)
{
    int peer = me ^ 1, tag = thread;
    if (peer >= np)
        return;
    for (int i = 0; i < ROUNDS; i++) {
        int v[2] = {i, thread}, in[2] = {-1, -1};
        if (me & 1) {
            CHECK_MPI(MPI_Recv(in, 2, MPI_INT, peer, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
            CHECK_MPI(MPI_Send(v, 2, MPI_INT, peer, tag, MPI_COMM_WORLD));
        } else {
            CHECK_MPI(MPI_Send(v, 2, MPI_INT, peer, tag, MPI_COMM_WORLD));
            CHECK_MPI(MPI_Recv(in, 2, MPI_INT, peer, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        }
        CHECK_EQ(in[0], i);
        CHECK_EQ(in[1], thread);
    }
}

static void within(int thread)
{
    int pair = thread / 2, side = thread % 2;
    for (int i = 0; i < ROUNDS; i++) {
        int v = i * 2 + side, in = -1;
        if (side == 0)
            CHECK_MPI(MPI_Send(&v, 1, MPI_INT, me, 100 + pair, MPI_COMM_WORLD));
        CHECK_MPI(
            MPI_Recv(&in, 1, MPI_INT, me, (side == 0 ? 200 : 100) + pair, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        CHECK_EQ(in, i * 2 + !side);
        if (side == 1)
            CHECK_MPI(MPI_Send(&v, 1, MPI_INT, me, 200 + pair, MPI_COMM_WORLD));
    }
}

int main(int argc, char **argv)
{
    threads_init(&argc, &argv);
    CHECK(np >= 1);
    threads_run(PAIRS, between);
    threads_run(2 * PAIRS, within);
    return check_finish();
}
