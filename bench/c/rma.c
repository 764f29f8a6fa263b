/* rma.c - one-sided operations of rank 0 on memory of rank 1: microseconds of an
 * operation together with the synchronization that completes it.
 *
 *   mpiexec -n 2 ./rma <milliseconds per batch> <seconds> allocated|alloc_mem|private <bytes>...
 *
 * allocated: the window is made by MPI_Win_allocate. alloc_mem: by MPI_Win_create over
 * memory of MPI_Alloc_mem. private: by MPI_Win_create over memory of malloc. Only Put,
 * Get and Accumulate have sizes; Fetch_and_op and Compare_and_swap work on 8 bytes.
 */
#include "bench.h"
#include <stdint.h>

/* No window is smaller than LEAST: MPICH 4.0.2 puts into the wrong rank's memory when
 * MPI_Win_allocate made windows of less than a page. */
enum { MOST = 16 << 20, LEAST = 64 << 10 };

enum operation { PUT, GET, ACCUMULATE, FETCH_AND_OP, COMPARE_AND_SWAP, OPERATIONS };
enum synchronization { FENCE, PSCW, LOCK, FLUSH, SYNCHRONIZATIONS };

static const char *const operation_names[] = {"MPI_Put", "MPI_Get", "MPI_Accumulate", "MPI_Fetch_and_op", "MPI_Compare_and_swap"};
static const char *const synchronization_names[] = {"fence", "PSCW", "lock", "lock_all+flush"};

static MPI_Win window;
static MPI_Group other;    /* the group of the other rank */
static int64_t *mine, *local;
static int64_t fetched, compared;
static int bytes, n;
static enum operation operation;
static enum synchronization synchronization;

static void operate(void)
{
    switch (operation) {
    case PUT:
        MUST(MPI_Put(local, n, MPI_INT64_T, 1, 0, n, MPI_INT64_T, window));
        break;
    case GET:
        MUST(MPI_Get(local, n, MPI_INT64_T, 1, 0, n, MPI_INT64_T, window));
        break;
    case ACCUMULATE:
        MUST(MPI_Accumulate(local, n, MPI_INT64_T, 1, 0, n, MPI_INT64_T, MPI_SUM, window));
        break;
    case FETCH_AND_OP:
        MUST(MPI_Fetch_and_op(local, &fetched, MPI_INT64_T, 1, 0, MPI_SUM, window));
        break;
    default:
        compared = fetched;
        MUST(MPI_Compare_and_swap(local, &compared, &fetched, MPI_INT64_T, 1, 0, window));
    }
}

static void fence(long times)
{
    for (long i = 0; i < times; i++) {
        if (rank == 0)
            operate();
        MUST(MPI_Win_fence(0, window));
    }
}

static void pscw(long times)
{
    for (long i = 0; i < times; i++) {
        if (rank == 0) {
            MUST(MPI_Win_start(other, 0, window));
            operate();
            MUST(MPI_Win_complete(window));
        } else {
            MUST(MPI_Win_post(other, 0, window));
            MUST(MPI_Win_wait(window));
        }
    }
}

static void lock(long times)
{
    for (long i = 0; rank == 0 && i < times; i++) {
        MUST(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, window));
        operate();
        MUST(MPI_Win_unlock(1, window));
    }
}

static void flush(long times)
{
    for (long i = 0; rank == 0 && i < times; i++) {
        operate();
        MUST(MPI_Win_flush(1, window));
    }
}

static void (*const repeats[])(long) = {fence, pscw, lock, flush};

/* Rank 1's memory, as the standard wants it to be looked at between epochs. */
static void set_memory(int64_t value)
{
    MUST(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, window));
    for (int i = 0; i < n; i++)
        mine[i] = value;
    MUST(MPI_Win_unlock(rank, window));
    MUST(MPI_Barrier(MPI_COMM_WORLD));
}

/* One operation, then what it must have left on both sides. */
static void verify(void (*repeat)(long))
{
    set_memory(10 + rank);
    for (int i = 0; i < n; i++)
        local[i] = 5;
    fetched = 11; /* what Compare_and_swap compares with */
    if (synchronization == FENCE)
        MUST(MPI_Win_fence(0, window));
    if (synchronization == FLUSH)
        MUST(MPI_Win_lock_all(0, window));
    repeat(1);
    if (synchronization == FLUSH)
        MUST(MPI_Win_unlock_all(window));
    MUST(MPI_Barrier(MPI_COMM_WORLD));
    if (rank == 1) {
        static const int64_t left[OPERATIONS] = {5, 11, 16, 16, 5};
        MUST(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, window));
        for (int i = 0; i < n; i++)
            if (mine[i] != left[operation])
                fail("the target's memory is wrong");
        MUST(MPI_Win_unlock(rank, window));
    } else {
        if (operation == GET)
            for (int i = 0; i < n; i++)
                if (local[i] != 11)
                    fail("other bytes were got than are there");
        if (operation >= FETCH_AND_OP && fetched != 11)
            fail("another value was fetched than was there");
    }
    MUST(MPI_Barrier(MPI_COMM_WORLD));
}

static void measure(void)
{
    void (*repeat)(long) = repeats[synchronization];

    verify(repeat);
    if (synchronization == FENCE)
        MUST(MPI_Win_fence(0, window));
    if (synchronization == FLUSH)
        MUST(MPI_Win_lock_all(0, window));
    double seconds = seconds_each(repeat);
    if (synchronization == FLUSH)
        MUST(MPI_Win_unlock_all(window));
    result(bytes, seconds * 1e6);
}

static void *make_window(const char *kind)
{
    void *base = NULL;
    const MPI_Aint length = bytes > LEAST ? bytes : LEAST;

    if (strcmp(kind, "allocated") == 0) {
        MUST(MPI_Win_allocate(length, sizeof(int64_t), MPI_INFO_NULL, MPI_COMM_WORLD, &base, &window));
    } else {
        if (strcmp(kind, "alloc_mem") == 0)
            MUST(MPI_Alloc_mem(length, MPI_INFO_NULL, &base));
        else
            base = buffer((size_t)length);
        MUST(MPI_Win_create(base, length, sizeof(int64_t), MPI_INFO_NULL, MPI_COMM_WORLD, &window));
    }
    MUST(MPI_Win_set_errhandler(window, MPI_ERRORS_RETURN));
    return base;
}

static void attempt(const char *name)
{
    ATTEMPT(name)
        measure();
}

static void all_operations(void)
{
    static char name[64];

    for (int o = PUT; o < OPERATIONS; o++) {
        for (int s = FENCE; s < SYNCHRONIZATIONS; s++) {
            if ((o >= FETCH_AND_OP && bytes != sizeof(int64_t)) || !time_left())
                continue;
            operation = o;
            synchronization = s;
            snprintf(name, sizeof name, "%s, %s", operation_names[o], synchronization_names[s]);
            attempt(name);
        }
    }
}

int main(int argc, char **argv)
{
    MPI_Group world;
    const int peer[] = {1, 0};

    bench_start(&argc, &argv);
    if (size != 2)
        fail("rma needs 2 ranks");
    const char *kind = argc > 3 ? argv[3] : "";
    const int own = strcmp(kind, "private") == 0, asked = strcmp(kind, "alloc_mem") == 0;
    if (!own && !asked && strcmp(kind, "allocated") != 0)
        fail("argument 3 must be allocated, alloc_mem or private");
    for (int i = 4; i < argc && time_left(); i++) {
        volatile int made = 0;
        bytes = (int)argument(argc, argv, i, sizeof(int64_t), MOST);
        n = bytes / (int)sizeof(int64_t);
        local = buffer((size_t)bytes);
        ATTEMPT("all one-sided operations") {
            mine = make_window(kind);
            MUST(MPI_Comm_group(MPI_COMM_WORLD, &world));
            MUST(MPI_Group_incl(world, 1, &peer[rank], &other));
            made = 1;
        }
        if (!made)
            break;
        all_operations();
        free(local);
        attempting = 0;
        MUST(MPI_Group_free(&other));
        MUST(MPI_Group_free(&world));
        MUST(MPI_Win_free(&window));
        if (asked)
            MUST(MPI_Free_mem(mine));
        else if (own)
            free(mine);
    }
    MPI_Finalize();
    return 0;
}
