/* asserts.c - what promises of the program save (MPI 5.0, 12.5.5): microseconds of an epoch
 * in which each of two ranks puts 8 bytes into the other's memory, with and without them.
 *
 *   mpiexec -n 2 ./asserts <milliseconds per batch> <seconds> allocated|private
 *
 * Post and start with MPI_MODE_NOCHECK need another synchronization between them: there,
 * both forms are measured with a barrier.
 */
#include "bench.h"
#include <stdint.h>

static MPI_Win window;
static MPI_Group other;
static int64_t value = 5, *mine;
static int first, last; /* assertions of the calls that begin and end the epoch */
static int kind;        /* of lock */

static void put(void) { MUST(MPI_Put(&value, 1, MPI_INT64_T, 1 - rank, 0, 1, MPI_INT64_T, window)); }

static void fences(long times)
{
    for (long i = 0; i < times; i++) {
        MUST(MPI_Win_fence(first, window));
        put();
        MUST(MPI_Win_fence(last, window));
    }
}

static void fence_alone(long times)
{
    for (long i = 0; i < times; i++)
        MUST(MPI_Win_fence(first, window));
}

static void lock(long times)
{
    for (long i = 0; i < times && rank == 0; i++) {
        MUST(MPI_Win_lock(kind, 1, first, window));
        put();
        MUST(MPI_Win_unlock(1, window));
    }
}

static void lock_all(long times)
{
    for (long i = 0; i < times && rank == 0; i++) {
        MUST(MPI_Win_lock_all(first, window));
        put();
        MUST(MPI_Win_unlock_all(window));
    }
}

static void post_start(long times)
{
    for (long i = 0; i < times; i++) {
        MUST(MPI_Win_post(other, first, window));
        MUST(MPI_Barrier(MPI_COMM_WORLD));
        MUST(MPI_Win_start(other, first & MPI_MODE_NOCHECK, window));
        put();
        MUST(MPI_Win_complete(window));
        MUST(MPI_Win_wait(window));
    }
}

static void measure(const char *name, void (*repeat)(long), int begin, int end)
{
    first = begin;
    last = end;
    if (!time_left())
        return;
    ATTEMPT(name)
        result(8, seconds_each(repeat) * 1e6);
    attempting = 0;
    MUST(MPI_Barrier(MPI_COMM_WORLD));
}

int main(int argc, char **argv)
{
    MPI_Group world;

    bench_start(&argc, &argv);
    if (size != 2)
        fail("asserts needs 2 ranks");
    if (argc > 3 && strcmp(argv[3], "private") == 0) {
        mine = buffer(sizeof *mine);
        MUST(MPI_Win_create(mine, sizeof *mine, sizeof *mine, MPI_INFO_NULL, MPI_COMM_WORLD, &window));
    } else {
        MUST(MPI_Win_allocate(1 << 16, sizeof *mine, MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &window));
    }
    MUST(MPI_Win_set_errhandler(window, MPI_ERRORS_RETURN));
    MUST(MPI_Comm_group(MPI_COMM_WORLD, &world));
    MUST(MPI_Group_incl(world, 1, &(const int){1 - rank}, &other));
    *mine = 0;
    MUST(MPI_Barrier(MPI_COMM_WORLD));

    measure("fence, put, fence", fences, 0, 0);
    measure("fence, put, fence: NOSTORE, NOPUT", fences, MPI_MODE_NOSTORE, MPI_MODE_NOSTORE);
    measure("fence, put, fence: NOPRECEDE before", fences, MPI_MODE_NOPRECEDE, 0);
    measure("fence, put, fence: NOSUCCEED behind", fences, 0, MPI_MODE_NOSUCCEED);
    measure("fence, put, fence: NOPRECEDE before, NOSUCCEED behind", fences, MPI_MODE_NOPRECEDE, MPI_MODE_NOSUCCEED);
    measure("fence alone", fence_alone, 0, 0);
    measure("fence alone: NOPRECEDE, NOSUCCEED", fence_alone, MPI_MODE_NOPRECEDE | MPI_MODE_NOSUCCEED, 0);
    kind = MPI_LOCK_EXCLUSIVE;
    measure("lock exclusive, put, unlock", lock, 0, 0);
    measure("lock exclusive, put, unlock: NOCHECK", lock, MPI_MODE_NOCHECK, 0);
    kind = MPI_LOCK_SHARED;
    measure("lock shared, put, unlock", lock, 0, 0);
    measure("lock shared, put, unlock: NOCHECK", lock, MPI_MODE_NOCHECK, 0);
    measure("lock_all, put, unlock_all", lock_all, 0, 0);
    measure("lock_all, put, unlock_all: NOCHECK", lock_all, MPI_MODE_NOCHECK, 0);
    measure("post, barrier, start, put, complete, wait", post_start, 0, 0);
    measure("post, barrier, start, put, complete, wait: NOCHECK", post_start, MPI_MODE_NOCHECK, 0);
    measure("post, barrier, start, put, complete, wait: NOSTORE, NOPUT", post_start, MPI_MODE_NOSTORE, 0);
    if (*mine != value)
        fail("the other rank's value has not come");
    MUST(MPI_Group_free(&other));
    MUST(MPI_Group_free(&world));
    MUST(MPI_Win_free(&window));
    MPI_Finalize();
    return 0;
}
