/* bench.h - what the benchmark programs share: pinning, timing, output.
 *
 * The programs use plain MPI, so that any library can compile them. Each prints
 * lines "result <bytes> <value>"; everything else is for the driver to ignore.
 */
#ifndef BENCH_H
#define BENCH_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BATCHES = 5 };

static int rank, size;

static void fail(const char *what)
{
    fprintf(stderr, "rank %d: %s\n", rank, what);
    MPI_Abort(MPI_COMM_WORLD, 2);
}

static inline void *buffer(size_t bytes)
{
    void *memory = NULL;

    if (posix_memalign(&memory, 4096, bytes > 0 ? bytes : 1) != 0)
        fail("out of memory");
    memset(memory, 1, bytes > 0 ? bytes : 1);
    return memory;
}

/* Starts MPI. If there is a core for each rank, rank i then stays on the i-th
 * core that the process may use, whatever the library is; the thread that calls
 * MPI is pinned, helper threads of the library are not. Launchers must not bind
 * (the driver tells them). */
static void bench_start(int *argc, char ***argv)
{
    cpu_set_t allowed, mine;

    MPI_Init(argc, argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0 || CPU_COUNT(&allowed) < size)
        return;
    for (int cpu = 0, seen = 0; cpu < CPU_SETSIZE; cpu++) {
        if (CPU_ISSET(cpu, &allowed) && seen++ == rank) {
            CPU_ZERO(&mine);
            CPU_SET(cpu, &mine);
            if (sched_setaffinity(0, sizeof mine, &mine) != 0)
                fail("cannot be pinned to its core");
            return;
        }
    }
}

static inline int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Seconds that n repetitions take, on the slowest rank. */
static inline double timed(void (*repeat)(long n), long n)
{
    double seconds, slowest;

    MPI_Barrier(MPI_COMM_WORLD);
    seconds = MPI_Wtime();
    repeat(n);
    seconds = MPI_Wtime() - seconds;
    MPI_Allreduce(&seconds, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return slowest;
}

/* Median seconds per repetition over some batches. How many repetitions make a
 * batch of about `budget` seconds is found out first, which also warms up; a
 * repetition that takes longer than the budget is a batch by itself. */
static inline double seconds_each(void (*repeat)(long n), double budget)
{
    double batch[BATCHES], seconds;
    long n = 1;

    while ((seconds = timed(repeat, n)) < budget / 2 && n < 100000000) {
        double grow = seconds > 0 ? budget / seconds : 10;
        n = (long)((double)n * (grow > 10 ? 10 : grow)) + 1;
    }
    for (int i = 0; i < BATCHES; i++)
        batch[i] = timed(repeat, n) / (double)n;
    qsort(batch, BATCHES, sizeof batch[0], by_value);
    return batch[BATCHES / 2];
}

static inline void result(long bytes, double value)
{
    if (rank == 0) {
        printf("result %ld %.9g\n", bytes, value);
        fflush(stdout);
    }
}

/* A number from the command line, between least and most. */
static inline long argument(int argc, char **argv, int i, long least, long most)
{
    char *end = NULL;
    long value = i < argc ? strtol(argv[i], &end, 10) : 0;

    if (i >= argc || end == argv[i] || *end != '\0' || value < least || value > most) {
        if (rank == 0)
            fprintf(stderr, "argument %d must be a number from %ld to %ld\n", i, least, most);
        MPI_Finalize();
        exit(2);
    }
    return value;
}

#endif
