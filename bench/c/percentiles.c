/* percentiles.c - microseconds of single operations over a time: the median, the 90th
 * percentile and the mean of all of them. Where ranks share cores, or other programs run,
 * batches would hide how long a single operation may take.
 *
 *   mpiexec -n 8 ./percentiles <milliseconds per batch> <seconds> barrier|roundtrip|fence|pscw
 *
 * barrier: for the time of 100 batches, because many ranks of one core meet often in it.
 * roundtrip: 8 bytes to another rank and back. fence: MPI_Put of 8 bytes and a fence. pscw:
 * MPI_Put of 8 bytes between post, start, complete and wait. Rank 0 times them. No rank is
 * pinned, because a pinned rank could not leave a core that another program uses.
 */
#define BENCH_UNPINNED
#include "bench.h"
#include <stdint.h>

enum { MOST_SAMPLES = 1 << 22, MOST_AT_ONCE = 64 };

static int64_t outgoing, incoming, *memory;
static MPI_Win window;
static MPI_Group other;

static void barrier(void)
{
    MUST(MPI_Barrier(MPI_COMM_WORLD));
}

static void round_trip(void)
{
    if (rank == 0) {
        MUST(MPI_Send(&outgoing, 1, MPI_INT64_T, 1, 1, MPI_COMM_WORLD));
        MUST(MPI_Recv(&incoming, 1, MPI_INT64_T, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    } else {
        MUST(MPI_Recv(&incoming, 1, MPI_INT64_T, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        MUST(MPI_Send(&incoming, 1, MPI_INT64_T, 0, 1, MPI_COMM_WORLD));
    }
}

static void fence(void)
{
    if (rank == 0)
        MUST(MPI_Put(&outgoing, 1, MPI_INT64_T, 1, 0, 1, MPI_INT64_T, window));
    MUST(MPI_Win_fence(0, window));
}

static void pscw(void)
{
    if (rank == 0) {
        MUST(MPI_Win_start(other, 0, window));
        MUST(MPI_Put(&outgoing, 1, MPI_INT64_T, 1, 0, 1, MPI_INT64_T, window));
        MUST(MPI_Win_complete(window));
    } else {
        MUST(MPI_Win_post(other, 0, window));
        MUST(MPI_Win_wait(window));
    }
}

static const struct operation {
    const char *kind, *name;
    void (*once)(void);
    int ranks; /* 0 for any number */
} operations[] = {
    {"barrier", "MPI_Barrier", barrier, 0},
    {"roundtrip", "8 B round trip", round_trip, 2},
    {"fence", "fence", fence, 2},
    {"pscw", "PSCW", pscw, 2},
};

static const struct operation *current;

/* Opens and closes the window; windows begin and end with a fence for fences alone. */
static void with_window(void (*work)(void))
{
    const int peer[] = {1, 0};
    MPI_Group world;

    MUST(MPI_Win_allocate(65536, sizeof(int64_t), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window));
    MUST(MPI_Comm_group(MPI_COMM_WORLD, &world));
    MUST(MPI_Group_incl(world, 1, &peer[rank], &other));
    memory[0] = 0;
    MUST(MPI_Barrier(MPI_COMM_WORLD));
    if (current->once == fence)
        MUST(MPI_Win_fence(0, window));
    work();
    MUST(MPI_Barrier(MPI_COMM_WORLD));
    MUST(MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, window));
    incoming = memory[0];
    MUST(MPI_Win_unlock(rank, window));
    if (rank == 1 && incoming != 42)
        fail("the target's memory is wrong");
    MUST(MPI_Group_free(&other));
    MUST(MPI_Group_free(&world));
    MUST(MPI_Win_free(&window));
}

static double *taken;
static long samples;

/* Ever more at once, so that few of many and at least one of slow ones are measured. The
 * first ones warm up. */
static void sample(void)
{
    long at_once = 1;

    current->once();
    while (samples + at_once <= MOST_SAMPLES && (samples == 0 || time_left())) {
        for (long i = 0; i < at_once; i++) {
            const double begin = moment();
            current->once();
            if (rank == 0)
                taken[samples] = moment() - begin;
            samples++;
        }
        at_once = at_once < MOST_AT_ONCE ? 2 * at_once : at_once;
    }
}

static void print(const char *what, double seconds)
{
    static char name[64];

    snprintf(name, sizeof name, "%s, %s", current->name, what);
    series = name;
    result_alone(size, seconds * 1e6);
}

static void summarize(void)
{
    double all = 0;

    for (long i = 0; i < samples; i++)
        all += taken[i];
    qsort(taken, (size_t)samples, sizeof taken[0], by_value);
    print("median", taken[samples / 2]);
    print("90th percentile", taken[samples * 9 / 10]);
    print("mean", all / (double)samples);
}

int main(int argc, char **argv)
{
    bench_start(&argc, &argv);
    for (size_t k = 0; k < sizeof operations / sizeof operations[0]; k++)
        if (argc > 3 && strcmp(argv[3], operations[k].kind) == 0)
            current = &operations[k];
    if (current == NULL)
        fail("argument 3 must be barrier, roundtrip, fence or pscw");
    if (current->once == barrier)
        deadline = MPI_Wtime() + 100 * batch_seconds;
    if (current->ranks != 0 && size != current->ranks)
        fail("this operation needs 2 ranks");
    if (rank == 0)
        taken = buffer(MOST_SAMPLES * sizeof *taken);
    outgoing = 42;
    ATTEMPT(current->name) {
        if (current->once == fence || current->once == pscw)
            with_window(sample);
        else
            sample();
        if (current->once == round_trip && incoming != 42)
            fail("a message carried another value than was sent");
        if (rank == 0)
            summarize();
    }
    MPI_Finalize();
    return 0;
}
