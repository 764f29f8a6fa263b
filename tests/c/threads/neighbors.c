/*
 * Each thread carries out collectives among neighbors on a communicator of its own, blocking ones and others
 * that are under way meanwhile.
 */
#include "threads.h"

enum { THREADS = 4, ROUNDS = 300 };

static MPI_Comm comms[THREADS];

static void run(int thread)
{
    int left = (me + np - 1) % np, right = (me + 1) % np;
    for (int i = 0; i < ROUNDS; i++) {
        int out[2] = {me + i, -me - i}, in[2], later[2];
        MPI_Request r;
        CHECK_MPI(MPI_Ineighbor_alltoall(out, 1, MPI_INT, later, 1, MPI_INT, comms[thread], &r));
        CHECK_MPI(MPI_Neighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, comms[thread]));
        CHECK_EQ(in[0], -left - i);
        CHECK_EQ(in[1], right + i);
        CHECK_MPI(MPI_Neighbor_allgather(&i, 1, MPI_INT, in, 1, MPI_INT, comms[thread]));
        CHECK_EQ(in[0] + in[1], 2 * i);
        CHECK_MPI(MPI_Wait(&r, MPI_STATUS_IGNORE));
        CHECK_EQ(later[0], -left - i);
        CHECK_EQ(later[1], right + i);
    }
}

int main(int argc, char **argv)
{
    threads_init(&argc, &argv);
    for (int i = 0; i < THREADS; i++)
        CHECK_MPI(MPI_Cart_create(MPI_COMM_WORLD, 1, &np, (int[]){1}, 0, &comms[i]));
    threads_run(THREADS, run);
    for (int i = 0; i < THREADS; i++)
        CHECK_MPI(MPI_Comm_free(&comms[i]));
    return check_finish();
}
