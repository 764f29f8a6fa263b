/*
 * A rank that waits uses no processor time, whatever it waits in (argument 1): rank 0 stays away from MPI for
 * three seconds, the others wait for it. They may use a twentieth of the time for that, and sleep a hundred
 * times in a second: each time that a rank has looked around, Go's monitor naps some fifty times.
 */
#include "check.h"
#include <sys/resource.h>
#include <time.h>

static double cpu_seconds(void)
{
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
           1e-6 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

/* How often this process has gone to sleep. */
static long sleeps(void)
{
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    return u.ru_nvcsw;
}

static double wall_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Too large to be sent before it is received, and small enough that its parts count for little. */
enum { LARGE = 400000 };
static char large[LARGE];

static void wait_in(const char *what)
{
    int v = -1;
    MPI_Request r;
    MPI_Status st;
    if (strcmp(what, "recv") == 0) {
        CHECK_MPI(MPI_Recv(&v, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &st));
    } else if (strcmp(what, "wait") == 0) {
        CHECK_MPI(MPI_Irecv(&v, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &r));
        CHECK_MPI(MPI_Wait(&r, &st));
    } else if (strcmp(what, "probe") == 0) {
        CHECK_MPI(MPI_Probe(0, 1, MPI_COMM_WORLD, &st));
        CHECK_MPI(MPI_Recv(&v, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &st));
    } else if (strcmp(what, "send") == 0) {
        CHECK_MPI(MPI_Send(large, LARGE, MPI_BYTE, 0, 2, MPI_COMM_WORLD));
    } else if (strcmp(what, "barrier") == 0) {
        CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
    } else if (strcmp(what, "allreduce") == 0) {
        CHECK_MPI(MPI_Allreduce(&me, &v, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    } else if (strcmp(what, "bcast") == 0) {
        CHECK_MPI(MPI_Bcast(&v, 1, MPI_INT, 0, MPI_COMM_WORLD));
    } else {
        CHECK_MSG(0, "unknown way of waiting: %s", what);
    }
}

static void let_go(const char *what)
{
    int v = 5;
    if (strcmp(what, "barrier") == 0 || strcmp(what, "allreduce") == 0 || strcmp(what, "bcast") == 0) {
        wait_in(what);
        return;
    }
    for (int to = 1; to < np; to++) {
        if (strcmp(what, "send") == 0)
            CHECK_MPI(MPI_Recv(large, LARGE, MPI_BYTE, to, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        else
            CHECK_MPI(MPI_Send(&v, 1, MPI_INT, to, 1, MPI_COMM_WORLD));
    }
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    const char *what = argc > 1 ? argv[1] : "recv";
    CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
    if (me == 0) {
        struct timespec pause = {3, 0};
        nanosleep(&pause, NULL);
        let_go(what);
        CHECK(1);
    } else {
        double cpu = -cpu_seconds(), wall = -wall_seconds();
        long slept = -sleeps();
        wait_in(what);
        cpu += cpu_seconds();
        wall += wall_seconds();
        slept += sleeps();
        CHECK_MSG(cpu < 0.05 * wall, "waiting in %s used %.3f s of processor time in %.2f s", what, cpu, wall);
        CHECK_MSG((double)slept < 100 * wall, "waiting in %s slept %ld times in %.2f s", what, slept, wall);
        CHECK_MSG(wall > 2.5, "waiting in %s took %.2f s only", what, wall);
    }
    return check_finish();
}
