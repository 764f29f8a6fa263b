/* collective.c - time of collective operations in microseconds, each called again
 * and again; the slowest rank counts.
 *
 *   mpiexec -n 8 ./collective <milliseconds per batch> <seconds> blocking|nonblocking <names or all>
 * <bytes>...
 *
 * The names are those of the blocking functions, separated by commas. A nonblocking
 * operation is waited for at once. The bytes are those of a whole vector for Bcast,
 * Reduce, Allreduce, Scan and Exscan, and those of the block of each rank for all
 * others; Barrier ignores them. The root goes round, so that no rank can run ahead
 * of the others. Before it is timed each operation is checked.
 */
#include "bench.h"

enum { MOST = 4 << 20 };

/* What an operation must leave in `in`. */
enum shape {
    NOTHING,
    BCAST,
    SUM_AT_ROOT,
    SUM,
    SUM_OF_LOWER_AND_OWN,
    SUM_OF_LOWER,
    BLOCKS_AT_ROOT,
    BLOCKS,
    TRANSPOSE,
    BLOCK_OF_ROOT,
    BLOCK_OF_SUM
};

static double *out, *in;
static int n;    /* doubles of a block */
static int root; /* of the next operation */
static int *counts, *places, *byte_places;
static MPI_Datatype *types;

/* The operation, or, if there is somewhere to put a request, its start. */
#define EITHER(blocking, nonblocking, ...)                                   \
    do {                                                                     \
        if (request == NULL)                                                 \
            MUST(blocking(__VA_ARGS__, MPI_COMM_WORLD));                     \
        else                                                                 \
            MUST(nonblocking(__VA_ARGS__, MPI_COMM_WORLD, request));         \
    } while (0)

static void barrier(MPI_Request *request)
{
    if (request == NULL)
        MUST(MPI_Barrier(MPI_COMM_WORLD));
    else
        MUST(MPI_Ibarrier(MPI_COMM_WORLD, request));
}

static void bcast(MPI_Request *request)
{
    double *data = rank == root ? out : in;

    EITHER(MPI_Bcast, MPI_Ibcast, data, n, MPI_DOUBLE, root);
}

static void reduce(MPI_Request *request)
{
    EITHER(MPI_Reduce, MPI_Ireduce, out, in, n, MPI_DOUBLE, MPI_SUM, root);
}

static void allreduce(MPI_Request *request)
{
    EITHER(MPI_Allreduce, MPI_Iallreduce, out, in, n, MPI_DOUBLE, MPI_SUM);
}

static void scan(MPI_Request *request)
{
    EITHER(MPI_Scan, MPI_Iscan, out, in, n, MPI_DOUBLE, MPI_SUM);
}

static void exscan(MPI_Request *request)
{
    EITHER(MPI_Exscan, MPI_Iexscan, out, in, n, MPI_DOUBLE, MPI_SUM);
}

static void gather(MPI_Request *request)
{
    EITHER(MPI_Gather, MPI_Igather, out, n, MPI_DOUBLE, in, n, MPI_DOUBLE, root);
}

static void gatherv(MPI_Request *request)
{
    EITHER(MPI_Gatherv, MPI_Igatherv, out, n, MPI_DOUBLE, in, counts, places, MPI_DOUBLE, root);
}

static void scatter(MPI_Request *request)
{
    EITHER(MPI_Scatter, MPI_Iscatter, out, n, MPI_DOUBLE, in, n, MPI_DOUBLE, root);
}

static void scatterv(MPI_Request *request)
{
    EITHER(MPI_Scatterv, MPI_Iscatterv, out, counts, places, MPI_DOUBLE, in, n, MPI_DOUBLE, root);
}

static void allgather(MPI_Request *request)
{
    EITHER(MPI_Allgather, MPI_Iallgather, out, n, MPI_DOUBLE, in, n, MPI_DOUBLE);
}

static void allgatherv(MPI_Request *request)
{
    EITHER(MPI_Allgatherv, MPI_Iallgatherv, out, n, MPI_DOUBLE, in, counts, places, MPI_DOUBLE);
}

static void alltoall(MPI_Request *request)
{
    EITHER(MPI_Alltoall, MPI_Ialltoall, out, n, MPI_DOUBLE, in, n, MPI_DOUBLE);
}

static void alltoallv(MPI_Request *request)
{
    EITHER(MPI_Alltoallv, MPI_Ialltoallv, out, counts, places, MPI_DOUBLE, in, counts, places, MPI_DOUBLE);
}

static void alltoallw(MPI_Request *request)
{
    EITHER(MPI_Alltoallw, MPI_Ialltoallw, out, counts, byte_places, types, in, counts, byte_places, types);
}

static void reduce_scatter(MPI_Request *request)
{
    EITHER(MPI_Reduce_scatter, MPI_Ireduce_scatter, out, in, counts, MPI_DOUBLE, MPI_SUM);
}

static void reduce_scatter_block(MPI_Request *request)
{
    EITHER(MPI_Reduce_scatter_block, MPI_Ireduce_scatter_block, out, in, n, MPI_DOUBLE, MPI_SUM);
}

static const struct operation {
    const char *name, *nonblocking;
    void (*start)(MPI_Request *request);
    enum shape shape;
} operations[] = {
    {"MPI_Barrier", "MPI_Ibarrier", barrier, NOTHING},
    {"MPI_Bcast", "MPI_Ibcast", bcast, BCAST},
    {"MPI_Reduce", "MPI_Ireduce", reduce, SUM_AT_ROOT},
    {"MPI_Allreduce", "MPI_Iallreduce", allreduce, SUM},
    {"MPI_Scan", "MPI_Iscan", scan, SUM_OF_LOWER_AND_OWN},
    {"MPI_Exscan", "MPI_Iexscan", exscan, SUM_OF_LOWER},
    {"MPI_Gather", "MPI_Igather", gather, BLOCKS_AT_ROOT},
    {"MPI_Gatherv", "MPI_Igatherv", gatherv, BLOCKS_AT_ROOT},
    {"MPI_Scatter", "MPI_Iscatter", scatter, BLOCK_OF_ROOT},
    {"MPI_Scatterv", "MPI_Iscatterv", scatterv, BLOCK_OF_ROOT},
    {"MPI_Allgather", "MPI_Iallgather", allgather, BLOCKS},
    {"MPI_Allgatherv", "MPI_Iallgatherv", allgatherv, BLOCKS},
    {"MPI_Alltoall", "MPI_Ialltoall", alltoall, TRANSPOSE},
    {"MPI_Alltoallv", "MPI_Ialltoallv", alltoallv, TRANSPOSE},
    {"MPI_Alltoallw", "MPI_Ialltoallw", alltoallw, TRANSPOSE},
    {"MPI_Reduce_scatter", "MPI_Ireduce_scatter", reduce_scatter, BLOCK_OF_SUM},
    {"MPI_Reduce_scatter_block", "MPI_Ireduce_scatter_block", reduce_scatter_block, BLOCK_OF_SUM},
};

static const struct operation *current;
static int waits; /* the operations are nonblocking */

static void once(void)
{
    MPI_Request request;

    current->start(waits ? &request : NULL);
    if (waits)
        MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
}

static void repeat(long times)
{
    for (long i = 0; i < times; i++) {
        root = (int)(i % size);
        once();
    }
}

/* What rank r has at place i of `out`: whole numbers, so that sums are exact. */
static double value(int r, long i)
{
    return (double)(r + i % 7);
}

/* The sum of what ranks 0 to `ranks`-1 have at place i. */
static double sum(int ranks, long i)
{
    return (double)ranks * (ranks - 1) / 2 + (double)ranks * (double)(i % 7);
}

/* What must stand at place i of `in`. */
static double expected(enum shape shape, long i)
{
    const long mine = (long)rank * n + i;

    switch (shape) {
    case BCAST: return value(root, i);
    case SUM_AT_ROOT:
    case SUM: return sum(size, i);
    case SUM_OF_LOWER_AND_OWN: return sum(rank + 1, i);
    case SUM_OF_LOWER: return sum(rank, i);
    case BLOCKS_AT_ROOT:
    case BLOCKS: return value((int)(i / n), i % n);
    case TRANSPOSE: return value((int)(i / n), (long)rank * n + i % n);
    case BLOCK_OF_ROOT: return value(root, mine);
    case BLOCK_OF_SUM: return sum(size, mine);
    default: return -1;
    }
}

/* How many places of `in` this rank gets. */
static long received(enum shape shape)
{
    switch (shape) {
    case NOTHING: return 0;
    case BCAST: return rank == root ? 0 : n;
    case SUM_AT_ROOT: return rank == root ? n : 0;
    case SUM_OF_LOWER: return rank == 0 ? 0 : n;
    case BLOCKS_AT_ROOT: return rank == root ? (long)n * size : 0;
    case BLOCKS:
    case TRANSPOSE: return (long)n * size;
    default: return n;
    }
}

static void verify(void)
{
    const long all = (long)n * size;

    for (long i = 0; i < all; i++)
        in[i] = -1;
    root = size - 1;
    once();
    const long got = received(current->shape);
    for (long i = 0; i < got; i++)
        if (in[i] != expected(current->shape, i))
            fail("the result is wrong");
    for (long i = got; i < all; i++)
        if (in[i] != -1)
            fail("more was written than the result");
}

static void measure(int bytes, const char *names)
{
    n = bytes / (int)sizeof(double);
    out = buffer((size_t)n * (size_t)size * sizeof *out);
    in = buffer((size_t)n * (size_t)size * sizeof *in);
    for (long i = 0; i < (long)n * size; i++)
        out[i] = value(rank, i);
    for (int r = 0; r < size; r++) {
        counts[r] = n;
        places[r] = r * n;
        byte_places[r] = r * n * (int)sizeof(double);
        types[r] = MPI_DOUBLE;
    }
    for (size_t k = 0; k < sizeof operations / sizeof operations[0]; k++) {
        current = &operations[k];
        if (!chosen(names, current->name) || !time_left())
            continue;
        ATTEMPT(waits ? current->nonblocking : current->name) {
            verify();
            result(bytes, seconds_each(repeat) * 1e6);
        }
    }
    free(out);
    free(in);
}

int main(int argc, char **argv)
{
    bench_start(&argc, &argv);
    counts = buffer((size_t)size * sizeof *counts);
    places = buffer((size_t)size * sizeof *places);
    byte_places = buffer((size_t)size * sizeof *byte_places);
    types = buffer((size_t)size * sizeof *types);
    if (argc < 6)
        fail("arguments are missing");
    waits = strcmp(argv[3], "nonblocking") == 0;
    if (!waits && strcmp(argv[3], "blocking") != 0)
        fail("argument 3 must be blocking or nonblocking");
    for (int i = 5; i < argc; i++)
        measure((int)argument(argc, argv, i, 8, MOST), argv[4]);
    MPI_Finalize();
    return 0;
}
