/*
 * Threads of a rank that all wait in MPI use no processor time together, in receives and in a wait, and do
 * not wake each other: rank 0 stays away from MPI for three seconds, the threads of the others wait for it
 * (argument 1: how many). Each may use a twentieth of the time for that, and wake up a hundred times in a
 * second, as the process may for itself.
 */
#include "../threads/threads.h"
#include <errno.h>
#include <sys/resource.h>
#include <time.h>

static double cpu_seconds(void)
{
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
           1e-6 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

/* How often the threads of this process have gone to sleep. */
static long sleeps(void)
{
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    return u.ru_nvcsw;
}

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

int main(int argc, char **argv)
{
    threads_init(&argc, &argv);
    int threads = argc > 1 ? atoi(argv[1]) : 2;
    CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
    if (me == 0) {
        struct timespec pause = {3, 0};
        while (nanosleep(&pause, &pause) != 0)
            CHECK_EQ(errno, EINTR);
        for (int to = 1; to < np; to++)
            for (int thread = 0; thread < threads; thread++)
                CHECK_MPI(MPI_Send(&thread, 1, MPI_INT, to, thread, MPI_COMM_WORLD));
    } else {
        double cpu = -cpu_seconds(), wall = -MPI_Wtime();
        long slept = -sleeps();
        threads_run(threads, receive);
        cpu += cpu_seconds();
        wall += MPI_Wtime();
        slept += sleeps();
        wall *= threads + 1;
        CHECK_MSG(cpu < 0.05 * wall, "waiting in %d threads used %.3f s of processor time", threads, cpu);
        CHECK_MSG((double)slept < 100 * wall, "%d waiting threads slept %ld times", threads, slept);
    }
    return check_finish();
}
