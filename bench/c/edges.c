/* edges.c - microseconds of operations of little data, once a program has more of something, or another kind
 * of it.
 *
 *   mpiexec -n 2 ./edges <milliseconds per batch> <seconds>
 *
 * An exchange is MPI_Sendrecv of 8 bytes both ways.
 */
#include "bench.h"

enum { MANY = 1000, WINDOWS = 300, OPERATIONS = 100, KEYS = 40, REQUESTS = 20000 };

static MPI_Comm world, comms[MANY], other;
static MPI_Datatype type;
static MPI_Win windows[WINDOWS];
static MPI_Op operations[OPERATIONS];
static MPI_Request requests[REQUESTS];
static int keys[KEYS], live, peer, flag;
static double in[8], out[8];
static void *value;

static void add(void *a, void *b, int *n, MPI_Datatype *t)
{
    (void)t;
    for (int i = 0; i < *n; i++)
        ((double *)b)[i] += ((double *)a)[i];
}

static void exchange_on(MPI_Comm comm, MPI_Datatype t, int count)
{
    MUST(MPI_Sendrecv(out, count, t, peer, 1, in, count, t, peer, 1, comm, MPI_STATUS_IGNORE));
}

#define REPEAT(name, ...)                  \
    static void name(long times)           \
    {                                      \
        for (long i = 0; i < times; i++) { \
            __VA_ARGS__;                   \
        }                                  \
    }

REPEAT(exchange_world, exchange_on(MPI_COMM_WORLD, MPI_DOUBLE, 1))
REPEAT(exchange_newest, exchange_on(comms[live - 1], MPI_DOUBLE, 1))
REPEAT(exchange_each, exchange_on(comms[i % live], MPI_DOUBLE, 1))
REPEAT(exchange_other, exchange_on(other, MPI_DOUBLE, 1))
REPEAT(exchange_type, exchange_on(comms[0], type, 1))
REPEAT(reduce_newest, MUST(MPI_Allreduce(out, in, 1, MPI_DOUBLE, MPI_SUM, comms[live - 1])))
REPEAT(reduce_each, MUST(MPI_Allreduce(out, in, 1, MPI_DOUBLE, MPI_SUM, comms[i % live])))
REPEAT(reduce_own, MUST(MPI_Allreduce(out, in, 1, MPI_DOUBLE, operations[i % OPERATIONS], comms[0])))
REPEAT(put_newest, MUST(MPI_Put(out, 1, MPI_DOUBLE, peer, 0, 1, MPI_DOUBLE, windows[live - 1]));
       MUST(MPI_Win_flush(peer, windows[live - 1])))
REPEAT(put_each, MPI_Win w = windows[i % live]; MUST(MPI_Put(out, 1, MPI_DOUBLE, peer, 0, 1, MPI_DOUBLE, w));
       MUST(MPI_Win_flush(peer, w)))
REPEAT(dup_world, MPI_Comm d; MUST(MPI_Comm_dup(world, &d)); MUST(MPI_Comm_free(&d)))
REPEAT(attributes, MUST(MPI_Comm_get_attr(comms[i % MANY], keys[i % KEYS], &value, &flag)))

static void measure(const char *name, void (*repeat)(long))
{
    ATTEMPT(name)
        result(0, seconds_each(repeat) * 1e6);
}

static void communicators(void)
{
    static const int steps[] = {1, 17, 300, MANY};
    static char name[64];

    measure("exchange on MPI_COMM_WORLD", exchange_world);
    for (size_t s = 0; s < sizeof steps / sizeof steps[0]; s++) {
        while (live < steps[s])
            MUST(MPI_Comm_dup(world, &comms[live++]));
        snprintf(name, sizeof name, "exchange on communicator %d", live);
        measure(name, exchange_newest);
        snprintf(name, sizeof name, "MPI_Allreduce on communicator %d", live);
        measure(name, reduce_newest);
    }
    measure("exchange on each of 1000 in turn", exchange_each);
    measure("MPI_Allreduce on each of 1000 in turn", reduce_each);
    for (int k = 0; k < KEYS; k++) {
        MUST(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &keys[k], NULL));
        for (int i = 0; i < MANY; i++)
            MUST(MPI_Comm_set_attr(comms[i], keys[k], &keys[k]));
    }
    measure("MPI_Comm_get_attr, 40 on each of 1000", attributes);
    MUST(MPI_Comm_split(world, 0, -rank, &other));
    measure("exchange in reversed order", exchange_other);
    peer = 1 - rank;
    MUST(MPI_Comm_free(&other));
    MUST(MPI_Comm_split(world, rank, 0, &comms[0]));
    MUST(MPI_Intercomm_create(comms[0], 0, world, peer, 7, &other));
    peer = 0;
    measure("exchange on an intercommunicator", exchange_other);
    peer = 1 - rank;
    MUST(MPI_Comm_free(&other));
    MUST(MPI_Comm_free(&comms[0]));
    MUST(MPI_Comm_dup(world, &comms[0]));
}

static void kinds(void)
{
    MUST(MPI_Type_contiguous(1, MPI_DOUBLE, &type));
    MUST(MPI_Type_commit(&type));
    measure("exchange of a contiguous type", exchange_type);
    MUST(MPI_Type_free(&type));
    MUST(MPI_Type_vector(2, 1, 3, MPI_FLOAT, &type));
    MUST(MPI_Type_commit(&type));
    measure("exchange of a vector", exchange_type);
    MUST(MPI_Type_free(&type));
    for (int i = 0; i < OPERATIONS; i++)
        MUST(MPI_Op_create(add, 1, &operations[i]));
    measure("MPI_Allreduce, 100 own operations", reduce_own);
    for (int i = 0; i < OPERATIONS; i++)
        MUST(MPI_Op_free(&operations[i]));
}

static void many_windows(void)
{
    for (live = 0; live < WINDOWS; live++) {
        MUST(MPI_Win_allocate(64 << 10, 1, MPI_INFO_NULL, world, &value, &windows[live]));
        MUST(MPI_Win_lock_all(0, windows[live]));
    }
    measure("MPI_Put, flush on window 300", put_newest);
    measure("MPI_Put, flush on each of 300", put_each);
    for (int i = 0; i < WINDOWS; i++) {
        MUST(MPI_Win_unlock_all(windows[i]));
        MUST(MPI_Win_free(&windows[i]));
    }
}

static void many_requests(void)
{
    for (int i = 0; i < REQUESTS; i++)
        MUST(MPI_Irecv(in, 1, MPI_DOUBLE, peer, i, world, &requests[i]));
    for (int i = 0; i < REQUESTS; i++)
        MUST(MPI_Send(out, 1, MPI_DOUBLE, peer, i, world));
    MUST(MPI_Waitall(REQUESTS, requests, MPI_STATUSES_IGNORE));
    measure("MPI_Comm_dup and free, after 20000 requests", dup_world);
}

int main(int argc, char **argv)
{
    bench_start(&argc, &argv);
    peer = 1 - rank;
    MUST(MPI_Comm_dup(MPI_COMM_WORLD, &world));
    communicators();
    kinds();
    many_windows();
    many_requests();
    for (int i = 0; i < MANY; i++)
        MUST(MPI_Comm_free(&comms[i]));
    MPI_Finalize();
    return 0;
}
