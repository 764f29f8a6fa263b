/*
 * Threads of a rank that all wait in MPI use no processor time together, in receives and in a wait, and do
 * not wake each other: rank 0 stays away from MPI for some seconds, the threads of the others wait for it
 * (argument 1: how many). Each may use a twentieth of the time for that, and wake up a hundred times in a
 * second, as the process may for itself.
 */
#include "quiet.h"

static void receive(int thread)
{
    int v = -1;
    MPI_Request r;
    if (thread % 2) {
        CHECK_MPI(MPI_Irecv(&v, 1, MPI_INT, MPI_ANY_SOURCE, thread, MPI_COMM_WORLD, &r));
        CHECK_MPI(MPI_Wait(&r, MPI_STATUS_IGNORE));
    } else {
        CHECK_MPI(MPI_Recv(&v, 1, MPI_INT, 0, thread, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    }
    CHECK_EQ(v, thread);
}

static int threads = 2;

static int measure(int seconds, int last)
{
    if (me == 0) {
        stay_away(seconds);
        for (int to = 1; to < np; to++)
            for (int thread = 0; thread < threads; thread++)
                CHECK_MPI(MPI_Send(&thread, 1, MPI_INT, to, thread, MPI_COMM_WORLD));
        return 1;
    }
    struct usage begin = usage_of(RUSAGE_SELF);
    threads_run(threads, receive);
    struct usage u = usage_between(begin, usage_of(RUSAGE_SELF));
    double all = u.wall * (threads + 1);
    int quiet = u.cpu < 0.05 * all && (double)u.sleeps < 100 * all && u.wall > 0.8 * seconds;
    CHECK_MSG(quiet || !last, "%d threads that waited for %.2f of %d s used %.3f s of processor time and slept %ld times",
              threads, u.wall, seconds, u.cpu, u.sleeps);
    return quiet;
}

int main(int argc, char **argv)
{
    threads_init(&argc, &argv);
    if (argc > 1)
        threads = atoi(argv[1]);
    until_quiet(measure);
    return check_finish();
}
