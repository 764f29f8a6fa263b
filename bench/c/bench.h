/* bench.h - what the benchmark programs share: pinning, timing, output.
 *
 * The programs use plain MPI, so that any library can compile them. They check
 * what they compute and print lines
 *
 *   result <x> <value> [<series>]              one point of a curve
 *   batches <x> <best> <mean> [<series>]       the same of its best batch and of all batches together
 *   unsupported <function> [<series>]          the library has no such function
 *
 * where x is a number of bytes, of messages or of threads; everything else is
 * for the driver to ignore. A wrong answer, or any other error, ends the program
 * with an exit code.
 */
#ifndef BENCH_H
#define BENCH_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <mpi.h>
#include <sched.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BATCHES = 5 };

static int rank, size;
static double batch_seconds; /* how long a batch of repetitions should take */
static double deadline;      /* by MPI_Wtime; points that begin later are left out */
static jmp_buf next_series;
static int attempting; /* next_series is set */
static const char *series = "";

static void fail(const char *what)
{
    fprintf(stderr, "rank %d: %s%s%s\n", rank, series, *series ? ": " : "", what);
    MPI_Abort(MPI_COMM_WORLD, 2);
    exit(2);
}

/* What a call has returned. All ranks make the first call of a function, so all
 * of them leave the series together when the library does not have it. */
static void check(int error, const char *call)
{
    char text[MPI_MAX_ERROR_STRING];
    int class = MPI_ERR_UNKNOWN, length;

    MPI_Error_class(error, &class);
    if (class == MPI_ERR_UNSUPPORTED_OPERATION && attempting) {
        if (rank == 0)
            printf("unsupported %.*s %s\n", (int)strcspn(call, "("), call, series);
        fflush(stdout);
        longjmp(next_series, 1);
    }
    MPI_Error_string(error, text, &length);
    fail(text);
}

#define MUST(call)                       \
    do {                                 \
        int error_ = (call);             \
        if (error_ != MPI_SUCCESS)       \
            check(error_, #call);        \
    } while (0)

/* The statement that follows measures a series; it is left where a function is
 * unsupported. What it changes must not be used afterwards. */
#define ATTEMPT(name)                 \
    series = (name), attempting = 1;  \
    if (setjmp(next_series) == 0)

static inline void *buffer(size_t bytes)
{
    void *memory = NULL;

    if (posix_memalign(&memory, 4096, bytes > 0 ? bytes : 1) != 0)
        fail("out of memory");
    memset(memory, 1, bytes > 0 ? bytes : 1);
    return memory;
}

/* If there is a core for each rank, rank i stays on the i-th core that the
 * process may use, whatever the library is; the thread that calls MPI is pinned,
 * helper threads of the library are not. Launchers must not bind (the driver
 * tells them). A program that defines BENCH_UNPINNED leaves them all free. */
static inline void pin(void)
{
    cpu_set_t allowed, mine;

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

/* Behind MPI_Init: errors come back, ranks are placed, and the first two
 * arguments are read, the milliseconds of a batch and the seconds for all. */
static inline void bench_begin(int argc, char **argv)
{
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#ifndef BENCH_UNPINNED
    pin();
#endif
    batch_seconds = (double)argument(argc, argv, 1, 1, 10000) / 1e3;
    deadline = MPI_Wtime() + (double)argument(argc, argv, 2, 1, 3600);
}

static inline void bench_start(int *argc, char ***argv)
{
    MPI_Init(argc, argv);
    bench_begin(*argc, *argv);
}

/* Whether another point may begin; the ranks agree. The first one always may. */
static inline int time_left(void)
{
    static int begun;
    int left = !begun || MPI_Wtime() < deadline;

    begun = 1;
    MUST(MPI_Bcast(&left, 1, MPI_INT, 0, MPI_COMM_WORLD));
    return left;
}

static inline int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Seconds by a clock that the ranks of one machine have in common. */
static inline double moment(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Seconds that n repetitions take, from when the first rank begins to when the last
 * one ends: with more ranks than cores, ranks that leave the barrier late would
 * otherwise seem to work beside those that left it early. */
static inline double timed(void (*repeat)(long n), long n)
{
    double span[2]; /* of the last end; of the first begin, negative */

    MUST(MPI_Barrier(MPI_COMM_WORLD));
    span[1] = -moment();
    repeat(n);
    span[0] = moment();
    MUST(MPI_Allreduce(MPI_IN_PLACE, span, 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD));
    return span[0] + span[1];
}

/* Of the point that was measured last: seconds per repetition of its best batch and of all its batches
 * together, over those of its median batch. 0 where it had no batches. */
static double best_share, mean_share;

/* Median of batches with as many repetitions each; the other figures are kept for result. */
static inline double summarized(double *batch, int batches)
{
    double all = 0;

    qsort(batch, (size_t)batches, sizeof batch[0], by_value);
    for (int i = 0; i < batches; i++)
        all += batch[i];
    const double median = batch[batches / 2];
    best_share = median > 0 ? batch[0] / median : 0;
    mean_share = median > 0 ? all / batches / median : 0;
    return median;
}

/* Warms up: single repetitions as long as each takes less than three quarters of
 * the time of the one before, and all together no more than 20 batches. They use
 * memory for the first time, which takes a hundred times as long on some virtual
 * machines. Seconds of the last one. */
static inline double warmed(void (*repeat)(long n))
{
    double seconds = timed(repeat, 1), before = 2 * seconds, spent = seconds;

    while (seconds < 0.75 * before && spent <= 20 * batch_seconds) {
        before = seconds;
        seconds = timed(repeat, 1);
        spent += seconds;
    }
    return seconds;
}

/* Median seconds per repetition over some batches. How many repetitions make a
 * batch is found out first. What takes much longer than it should has fewer
 * batches, and in the end the warming up is the measurement. */
static inline double seconds_each(void (*repeat)(long n))
{
    double batch[BATCHES], seconds = warmed(repeat), spent = 0;
    long n = 1;
    int done = 0;

    if (seconds > 20 * batch_seconds)
        return summarized(&seconds, 1);
    while (seconds < batch_seconds / 2 && n < 100000000) {
        double grow = seconds > 0 ? batch_seconds / seconds : 10;
        n = (long)((double)n * (grow > 10 ? 10 : grow)) + 1;
        seconds = timed(repeat, n);
    }
    while (done < BATCHES && spent < 8 * batch_seconds) {
        seconds = timed(repeat, n);
        spent += seconds;
        batch[done++] = seconds / (double)n;
    }
    return summarized(batch, done);
}

/* A point that has no batches. */
static inline void result_alone(long x, double value)
{
    if (rank == 0) {
        printf("result %ld %.9g %s\n", x, value, series);
        fflush(stdout);
    }
}

/* A point in proportion to the time of the batches. */
static inline void result(long x, double value)
{
    result_alone(x, value);
    if (rank == 0 && best_share > 0)
        printf("batches %ld %.9g %.9g %s\n", x, value * best_share, value * mean_share, series);
    best_share = mean_share = 0;
}

/* A point in inverse proportion to it. */
static inline void result_rate(long x, double value)
{
    result_alone(x, value);
    if (rank == 0 && best_share > 0)
        printf("batches %ld %.9g %.9g %s\n", x, value / best_share, value / mean_share, series);
    best_share = mean_share = 0;
}

/* The list of names, separated by commas, holds the name, or is "all". */
static inline int chosen(const char *list, const char *name)
{
    size_t length = strlen(name);

    if (strcmp(list, "all") == 0)
        return 1;
    for (const char *at = list; (at = strstr(at, name)) != NULL; at += length)
        if ((at == list || at[-1] == ',') && (at[length] == ',' || at[length] == '\0'))
            return 1;
    return 0;
}

#endif
