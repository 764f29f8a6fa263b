/*
 * What a process takes of the processors, and measurements that are repeated. What a busy machine adds to a
 * wait does not grow with it: so a wait that takes too much is repeated, twice as long each time.
 */
#ifndef GOMPI_TESTS_QUIET_H
#define GOMPI_TESTS_QUIET_H

#include "../threads/threads.h"
#include <errno.h>
#include <sys/resource.h>
#include <time.h>

enum { QUIET_FIRST = 1, QUIET_LAST = 32 }; /* seconds of the shortest wait, and of the longest */

/* Taken by all threads of this process so far, or by some of them for a while. */
struct usage {
    double wall, cpu; /* seconds, on the wall and of processors */
    long sleeps;      /* how often a thread has gone to sleep */
};

/* What all threads of this process have taken, or with RUSAGE_THREAD the calling one. */
CHECK_UNUSED
static struct usage usage_of(int who)
{
    struct rusage u;
    CHECK(getrusage(who, &u) == 0);
    return (struct usage){
        .wall = MPI_Wtime(),
        .cpu = (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
               1e-6 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec),
        .sleeps = u.ru_nvcsw,
    };
}

/* What has been taken between two moments. */
CHECK_UNUSED
static struct usage usage_between(struct usage a, struct usage b)
{
    return (struct usage){b.wall - a.wall, b.cpu - a.cpu, b.sleeps - a.sleeps};
}

/* Sleeps for so many seconds, outside MPI. */
CHECK_UNUSED
static void stay_away(int seconds)
{
    struct timespec pause = {seconds, 0};
    while (nanosleep(&pause, &pause) != 0)
        CHECK_EQ(errno, EINTR);
}

/* Calls measure with longer and longer times, in seconds, until all ranks find that little enough was taken.
 * It returns whether this one does; in the last call it fails a check if not. */
CHECK_UNUSED
static void until_quiet(int (*measure)(int seconds, int last))
{
    for (int seconds = QUIET_FIRST, quiet = 0; !quiet && seconds <= QUIET_LAST; seconds *= 2) {
        CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
        quiet = measure(seconds, seconds == QUIET_LAST);
        CHECK_MPI(MPI_Allreduce(MPI_IN_PLACE, &quiet, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD));
    }
}

#endif
