/* raw.c - what the machine itself can do, without any MPI: the bounds of what a
 * message can cost.
 *
 *   ./raw [cacheline]
 *
 * Prints "cacheline <ns>", the time in which a change of a cache line by one process
 * is seen by another that is pinned to another core, and unless cacheline alone is asked
 * for "firstuse <ns>", in which a page of new shared memory is written to for the first
 * time, and "memcpy <bytes> <MB/s>".
 */
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* A batch of turns is shorter than a time slice, and the lower quartile counts, so
 * that other processes disturb little. */
enum { TURNS = 2000, BATCHES = 101, COPY_BATCHES = 9, LARGE = 64 << 20 };

static double seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Pins to the n-th core that the process may use; fails if there is none. */
static int pin(const cpu_set_t *allowed, int n)
{
    cpu_set_t mine;

    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
        if (CPU_ISSET(cpu, allowed) && n-- == 0) {
            CPU_ZERO(&mine);
            CPU_SET(cpu, &mine);
            return sched_setaffinity(0, sizeof mine, &mine);
        }
    return -1;
}

static void await(atomic_int *word, int value)
{
    while (atomic_load_explicit(word, memory_order_acquire) != value) {
#if defined(__x86_64__)
        __builtin_ia32_pause();
#endif
    }
}

/* Nanoseconds one way: the two sides write to a line each. */
static int cacheline(const cpu_set_t *allowed)
{
    char *lines = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    double batch[BATCHES];

    if (lines == MAP_FAILED)
        return -1;
    atomic_int *ping = (atomic_int *)lines, *pong = (atomic_int *)(lines + 1024);
    const int turns = TURNS * (BATCHES + 1); /* the first batch warms up */
    pid_t child = fork();
    if (child < 0)
        return -1;
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (pin(allowed, 1) != 0)
            _exit(1);
        for (int i = 1; i <= turns; i++) {
            await(ping, i);
            atomic_store_explicit(pong, i, memory_order_release);
        }
        _exit(0);
    }
    if (pin(allowed, 0) != 0) {
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
        return -1;
    }
    int i = 1;
    for (int b = -1; b < BATCHES; b++) {
        double begin = seconds();
        for (int t = 0; t < TURNS; t++, i++) {
            atomic_store_explicit(ping, i, memory_order_release);
            await(pong, i);
        }
        if (b >= 0)
            batch[b] = (seconds() - begin) / TURNS / 2 * 1e9;
    }
    waitpid(child, NULL, 0);
    qsort(batch, BATCHES, sizeof batch[0], by_value);
    printf("cacheline %.1f\n", batch[BATCHES / 4]);
    return 0;
}

static int copies(size_t bytes)
{
    double batch[COPY_BATCHES];
    char *from = malloc(bytes), *to = malloc(bytes);
    const int times = (int)(LARGE / bytes);

    if (from == NULL || to == NULL)
        return -1;
    memset(from, 1, bytes);
    memset(to, 2, bytes);
    for (int b = 0; b < COPY_BATCHES; b++) {
        double begin = seconds();
        for (int t = 0; t < times; t++) {
            memcpy(to, from, bytes);
            __asm__ volatile("" : : "r"(to) : "memory");
        }
        batch[b] = (double)bytes * times / (seconds() - begin) / 1e6;
    }
    qsort(batch, COPY_BATCHES, sizeof batch[0], by_value);
    printf("memcpy %zu %.0f\n", bytes, batch[COPY_BATCHES / 2]);
    free(from);
    free(to);
    return 0;
}

/* Nanoseconds for each page. Memory that were given back would come again, used. */
static int first_use(void)
{
    enum { PAGES = 256, PAGE = 4096 };
    double batch[COPY_BATCHES];

    for (int b = 0; b < COPY_BATCHES; b++) {
        volatile char *memory =
            mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED)
            return -1;
        double begin = seconds();
        for (int i = 0; i < PAGES; i++)
            memory[i * PAGE] = 1;
        batch[b] = (seconds() - begin) / PAGES * 1e9;
    }
    qsort(batch, COPY_BATCHES, sizeof batch[0], by_value);
    printf("firstuse %.0f\n", batch[COPY_BATCHES / 2]);
    return 0;
}

int main(int argc, char **argv)
{
    cpu_set_t allowed;

    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0)
        return 1;
    if (CPU_COUNT(&allowed) > 1 && cacheline(&allowed) != 0)
        return 1;
    if (argc > 1 && strcmp(argv[1], "cacheline") == 0)
        return 0;
    return first_use() == 0 && copies(16 << 10) == 0 && copies(1 << 20) == 0 && copies(LARGE) == 0 ? 0 : 1;
}
