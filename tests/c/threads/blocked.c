/*
 * A thread that waits in MPI does not keep the others from working, and is woken when its message comes: one
 * blocks in a receive, one in a wait, one in a probe, while the main thread exchanges, reduces, and at last
 * lets them go.
 */
#include "threads.h"
#include <unistd.h>

static pthread_barrier_t started;

static void run(int thread)
{
    MPI_Status st;
    MPI_Request r;
    int in = -1;
    pthread_barrier_wait(&started);
    switch (thread) {
    case 0:
        CHECK_MPI(MPI_Recv(&in, 1, MPI_INT, MPI_ANY_SOURCE, 900, MPI_COMM_WORLD, &st));
        CHECK_EQ(in, 900 + st.MPI_SOURCE);
        break;
    case 1:
        CHECK_MPI(MPI_Irecv(&in, 1, MPI_INT, me, 901, MPI_COMM_WORLD, &r));
        CHECK_MPI(MPI_Wait(&r, &st));
        CHECK_EQ(in, 901 + me);
        break;
    case 2:
        CHECK_MPI(MPI_Probe((me + np - 1) % np, 902, MPI_COMM_WORLD, &st));
        CHECK_MPI(MPI_Recv(&in, 1, MPI_INT, st.MPI_SOURCE, 902, MPI_COMM_WORLD, &st));
        CHECK_EQ(in, 902);
        break;
    default: { /* the main thread's part, in a thread that is not the main one */
        int right = (me + 1) % np, left = (me + np - 1) % np;
        for (int i = 0; i < 500; i++) {
            int out = i * np + me, sum = -1;
            CHECK_MPI(
                MPI_Sendrecv(&out, 1, MPI_INT, right, 1, &in, 1, MPI_INT, left, 1, MPI_COMM_WORLD, &st));
            CHECK_EQ(in, i * np + left);
            if (i % 10 == 0) {
                CHECK_MPI(MPI_Allreduce(&me, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
                CHECK_EQ(sum, np * (np - 1) / 2);
            }
        }
        usleep(20000);
        int v[3] = {900 + me, 901 + me, 902};
        for (int i = 0; i < 3; i++)
            CHECK_MPI(MPI_Send(&v[i], 1, MPI_INT, i == 1 ? me : right, 900 + i, MPI_COMM_WORLD));
    }
    }
}

int main(int argc, char **argv)
{
    threads_init(&argc, &argv);
    pthread_barrier_init(&started, NULL, 4);
    for (int round = 0; round < 3; round++)
        threads_run(4, run);
    pthread_barrier_destroy(&started);
    CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
    return check_finish();
}
