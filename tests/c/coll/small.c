/*
 * Small collectives of every kind at random, on communicators of every shape, with blocks, roots, types and
 * operations at random from a common seed, against results that each rank computes by itself. Ranks are late
 * at random, messages are under way at the same time, and now and then a rank describes its data by a derived
 * type, so that ranks of one call come to it by different ways.
 */
#include "coll.h"
#include <unistd.h>

enum { STEPS = 800, MOST = 6000, COMMS = 5, GUARD = 77 };

static MPI_Comm comm;
static int n, rank, size, root, step, inplace;
static uint64_t own_random;
static int *out, *in, *counts, *places, *counts2, *places2;

/* What rank r contributes at place i for rank to. */
static int value(int r, int to, int i) { return coll_value(step, r, to, i) % 1000 + 1; }

/* This rank's description of k ints: itself, or a derived type of them. */
static MPI_Datatype derived;
static int described(int k, MPI_Datatype *type)
{
    derived = MPI_DATATYPE_NULL;
    *type = check_below(&own_random, 2) ? MPI_INT : MPI_INT32_T;
    if (k == 0 || check_below(&own_random, 8) != 0)
        return k;
    CHECK_MPI(MPI_Type_contiguous(k, MPI_INT, &derived));
    CHECK_MPI(MPI_Type_commit(&derived));
    *type = derived;
    return 1;
}

static void described_no_more(void)
{
    if (derived != MPI_DATATYPE_NULL)
        CHECK_MPI(MPI_Type_free(&derived));
}

/* How many ints rank r has for rank to in the calls with blocks of different sizes. */
static int length(int r, int to)
{
    return n == 0 ? 0 : (int)(check_mix((uint64_t)step * 4096 + (uint64_t)(r * 64 + to)) % (uint64_t)(n + 1));
}

static void fill(int k, int to)
{
    for (int i = 0; i < k; i++)
        out[i] = value(rank, to, i);
}

static void expect(const int *p, int k, int from, int to, const char *what)
{
    for (int i = 0; i < k; i++)
        if (p[i] != value(from, to, i)) {
            CHECK_MSG(0, "step %d, %s of %d among %d: element %d from rank %d is %d, want %d", step, what, n, size, i, from, p[i], value(from, to, i));
            return;
        }
    check_count();
}

static void bcast(void)
{
    MPI_Datatype type;
    int count = described(n, &type);
    for (int i = 0; i < n; i++)
        in[i] = rank == root ? value(root, COLL_ALL, i) : -1;
    CHECK_MPI(MPI_Bcast(in, count, type, root, comm));
    expect(in, n, root, COLL_ALL, "bcast");
    described_no_more();
}

static void gather(int all)
{
    MPI_Datatype type;
    int here = all || rank == root, count = described(n, &type);
    int *mine = in + (size_t)rank * (size_t)n;
    fill(n, COLL_ALL);
    if (inplace && here)
        memcpy(mine, out, (size_t)n * sizeof(int));
    void *from = inplace && here ? MPI_IN_PLACE : out;
    if (all)
        CHECK_MPI(MPI_Allgather(from, count, type, in, n, MPI_INT, comm));
    else
        CHECK_MPI(MPI_Gather(from, count, type, in, n, MPI_INT, root, comm));
    for (int r = 0; here && r < size; r++)
        expect(in + (size_t)r * (size_t)n, n, r, COLL_ALL, all ? "allgather" : "gather");
    described_no_more();
}

static void gatherv(int all)
{
    int here = all || rank == root, mine = length(rank, COLL_ALL % 64), at = 0;
    for (int r = 0; r < size; r++) {
        counts[r] = length(r, COLL_ALL % 64);
        places[r] = at;
        at += counts[r] + r % 2;
    }
    fill(mine, COLL_ALL);
    if (inplace && here)
        memcpy(in + places[rank], out, (size_t)mine * sizeof(int));
    void *from = inplace && here ? MPI_IN_PLACE : out;
    if (all)
        CHECK_MPI(MPI_Allgatherv(from, mine, MPI_INT, in, counts, places, MPI_INT, comm));
    else
        CHECK_MPI(MPI_Gatherv(from, mine, MPI_INT, in, counts, places, MPI_INT, root, comm));
    for (int r = 0; here && r < size; r++)
        expect(in + places[r], counts[r], r, COLL_ALL, all ? "allgatherv" : "gatherv");
}

static void scatter(void)
{
    MPI_Datatype type;
    int count = described(n, &type);
    for (int r = 0; r < size; r++)
        for (int i = 0; i < n; i++)
            out[r * n + i] = value(root, r, i);
    CHECK_MPI(
        MPI_Scatter(out, n, MPI_INT, inplace && rank == root ? MPI_IN_PLACE : in, count, type, root, comm));
    if (!inplace || rank != root)
        expect(in, n, root, rank, "scatter");
    described_no_more();
}

/* Fills counts, places and the blocks of out with what this rank has for the others. */
static void blocks(void)
{
    int at = 0;
    for (int r = 0; r < size; r++) {
        counts[r] = length(rank, r);
        places[r] = at;
        for (int i = 0; i < counts[r]; i++)
            out[at + i] = value(rank, r, i);
        at += counts[r] + 1;
    }
}

static void scatterv(void)
{
    int mine = length(root, rank);
    blocks();
    CHECK_MPI(MPI_Scatterv(out, counts, places, MPI_INT, inplace && rank == root ? MPI_IN_PLACE : in, mine,
                           MPI_INT, root, comm));
    if (!inplace || rank != root)
        expect(in, mine, root, rank, "scatterv");
}

static void alltoall(void)
{
    MPI_Datatype type;
    int count = described(n, &type);
    for (int r = 0; r < size; r++)
        for (int i = 0; i < n; i++)
            out[r * n + i] = value(rank, r, i);
    CHECK_MPI(MPI_Alltoall(out, n, MPI_INT, in, count, type, comm));
    for (int r = 0; r < size; r++)
        expect(in + r * n, n, r, rank, "alltoall");
    described_no_more();
}

static void alltoallv(int typed)
{
    MPI_Datatype types[64];
    int at = 0, bytes = typed ? (int)sizeof(int) : 1;
    blocks();
    for (int r = 0; r < size; r++) {
        counts2[r] = length(r, rank);
        places2[r] = at * bytes;
        places[r] *= bytes;
        at += counts2[r] + 1;
        types[r] = r % 2 ? MPI_INT : MPI_INT32_T;
    }
    if (typed)
        CHECK_MPI(MPI_Alltoallw(out, counts, places, types, in, counts2, places2, types, comm));
    else
        CHECK_MPI(MPI_Alltoallv(out, counts, places, MPI_INT, in, counts2, places2, MPI_INT, comm));
    for (int r = 0; r < size; r++)
        expect(in + places2[r] / bytes, counts2[r], r, rank, typed ? "alltoallw" : "alltoallv");
}

static long combined(int op, long a, long b)
{
    switch (op) {
    case 0: return a + b;
    case 1: return a < b ? a : b;
    case 2: return a > b ? a : b;
    case 3: return a & b;
    case 4: return a | b;
    case 5: return a ^ b;
    case 6: return a && b;
    default: return (a != 0) != (b != 0);
    }
}

/* What rank r contributes at place i to a reduction: a number that every type holds. */
static int operand(int r, int i) { return value(r, 1, i) % 7; }

/* What the ranks from 0 up to, not including, end contribute at place i, in the order of ranks. */
static long outcome(int op, int end, int i)
{
    long v = operand(0, i);
    for (int r = 1; r < end; r++)
        v = combined(op, v, operand(r, i));
    return v;
}

/* The calls that combine, for elements of type T. */
enum { REDUCE, ALLREDUCE, SCAN, EXSCAN, REDUCE_SCATTER, REDUCE_SCATTER_BLOCK, REDUCTIONS };
#define COMBINE(T, type, mostOps)                                                                            \
    do {                                                                                                     \
        static const MPI_Op ops[] = {MPI_SUM, MPI_MIN,  MPI_MAX,  MPI_BAND,                                  \
                                     MPI_BOR, MPI_BXOR, MPI_LAND, MPI_LXOR};                                 \
        int op = (int)(kinds % (mostOps)), first = 0, got = n, end = size, total = n;                        \
        T *a = (T *)out, *b = (T *)in;                                                                       \
        if (call >= REDUCE_SCATTER) {                                                                        \
            total = 0;                                                                                       \
            for (int r = 0; r < size; r++) {                                                                 \
                counts[r] = call == REDUCE_SCATTER ? length(0, r) : n;                                       \
                first = r == rank ? total : first;                                                           \
                total += counts[r];                                                                          \
            }                                                                                                \
            got = counts[rank];                                                                              \
        }                                                                                                    \
        if (call == REDUCE && rank != root)                                                                  \
            got = 0;                                                                                         \
        if (call == SCAN)                                                                                    \
            end = rank + 1;                                                                                  \
        if (call == EXSCAN)                                                                                  \
            end = rank;                                                                                      \
        if (end == 0)                                                                                        \
            got = 0;                                                                                         \
        for (int i = 0; i <= total; i++) {                                                                   \
            a[i] = (T)operand(rank, i);                                                                      \
            b[i] = inplace && (call != REDUCE || rank == root) ? a[i] : (T)GUARD;                            \
        }                                                                                                    \
        if (!inplace)                                                                                        \
            b[got] = (T)GUARD;                                                                               \
        const void *from = inplace && (call != REDUCE || rank == root) ? MPI_IN_PLACE : a;                   \
        switch (call) {                                                                                      \
        case REDUCE: CHECK_MPI(MPI_Reduce(from, b, n, type, ops[op], root, comm)); break;                    \
        case ALLREDUCE: CHECK_MPI(MPI_Allreduce(from, b, n, type, ops[op], comm)); break;                    \
        case SCAN: CHECK_MPI(MPI_Scan(from, b, n, type, ops[op], comm)); break;                              \
        case EXSCAN: CHECK_MPI(MPI_Exscan(from, b, n, type, ops[op], comm)); break;                          \
        case REDUCE_SCATTER: CHECK_MPI(MPI_Reduce_scatter(from, b, counts, type, ops[op], comm)); break;     \
        default: CHECK_MPI(MPI_Reduce_scatter_block(from, b, n, type, ops[op], comm));                       \
        }                                                                                                    \
        for (int i = 0; i < got; i++)                                                                        \
            if (b[i] != (T)outcome(op, end, first + i)) {                                                    \
                CHECK_MSG(0,                                                                                 \
                          "step %d, reduction %d, operation %d of %d " #T                                    \
                          " among %d: element %d is %.17g, want %.17g",                                      \
                          step, call, op, n, size, i, (double)b[i], (double)(T)outcome(op, end, first + i)); \
                break;                                                                                       \
            }                                                                                                \
        if (!inplace)                                                                                        \
            CHECK(b[got] == (T)GUARD);                                                                       \
        check_count();                                                                                       \
    } while (0)

static void combine(int call, uint64_t kinds)
{
    switch (kinds / 64 % 8) {
    case 0: COMBINE(int8_t, MPI_INT8_T, 8); break;
    case 1: COMBINE(uint16_t, MPI_UINT16_T, 8); break;
    case 2: COMBINE(int32_t, MPI_INT, 8); break;
    case 3: COMBINE(int64_t, MPI_LONG, 8); break;
    case 4: COMBINE(float, MPI_FLOAT, 3); break;
    case 5: COMBINE(uint64_t, MPI_UINT64_T, 8); break;
    default: COMBINE(double, MPI_DOUBLE, 3);
    }
}

static void one(uint64_t random)
{
    int kind = (int)(random % 20);
    switch (kind) {
    case 0: CHECK_MPI(MPI_Barrier(comm)); break;
    case 1: case 2: bcast(); break;
    case 3: gather(0); break;
    case 4: gather(1); break;
    case 5: gatherv(0); break;
    case 6: gatherv(1); break;
    case 7: scatter(); break;
    case 8: scatterv(); break;
    case 9: alltoall(); break;
    case 10: alltoallv(0); break;
    case 11: alltoallv(1); break;
    default: combine(kind % REDUCTIONS, random / 20);
    }
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    uint64_t common = argc > 1 ? strtoull(argv[1], NULL, 10) : 3;
    MPI_Comm comms[COMMS];
    own_random = common * 31 + (uint64_t)me;
    comms[0] = MPI_COMM_WORLD;
    CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &comms[1]));
    CHECK_MPI(MPI_Comm_split(MPI_COMM_WORLD, 0, -me, &comms[2]));
    CHECK_MPI(MPI_Comm_split(MPI_COMM_WORLD, me % 2, me, &comms[3]));
    CHECK_MPI(MPI_Comm_split(MPI_COMM_WORLD, me < (np + 1) / 2, np - me, &comms[4]));
    size_t room = ((size_t)MOST + 2) * (size_t)(np + 1) * sizeof(double);
    out = malloc(room);
    in = malloc(room);
    int *numbers = calloc((size_t)np * 4, sizeof(int));
    counts = numbers, places = numbers + np, counts2 = numbers + 2 * np, places2 = numbers + 3 * np;
    for (step = 1; step <= STEPS; step++) {
        int which = (int)check_below(&common, COMMS);
        uint64_t random = check_random(&common), range = check_below(&common, 40);
        n = (int)check_below(&common, range < 24 ? 8 : range < 36 ? 200 : range < 39 ? 1500 : MOST);
        int repeat = check_below(&common, 30) == 0 ? 130 : 1, late = check_below(&own_random, 300) == 0;
        inplace = check_below(&common, 4) == 0;
        comm = comms[which];
        CHECK_MPI(MPI_Comm_rank(comm, &rank));
        CHECK_MPI(MPI_Comm_size(comm, &size));
        root = (int)(check_mix(random) % (uint64_t)size);
        MPI_Request messages[2];
        int sent = step, got = -1, talk = check_below(&common, 10) == 0;
        if (talk)
            CHECK_MPI(MPI_Irecv(&got, 1, MPI_INT, (me + 1) % np, 5, MPI_COMM_WORLD, &messages[0]));
        if (late)
            usleep((useconds_t)check_below(&own_random, 3000));
        if (n > 1500)
            repeat = 1;
        for (int i = 0; i < repeat; i++) {
            one(random);
            root = (root + 1) % size;
        }
        if (talk) {
            CHECK_MPI(MPI_Isend(&sent, 1, MPI_INT, (me + np - 1) % np, 5, MPI_COMM_WORLD, &messages[1]));
            CHECK_MPI(MPI_Waitall(2, messages, MPI_STATUSES_IGNORE));
            CHECK_EQ(got, step);
        }
        if (step % 200 == 0) { /* areas that were used before */
            CHECK_MPI(MPI_Comm_free(&comms[1]));
            CHECK_MPI(MPI_Comm_dup(comms[2], &comms[1]));
        }
    }
    for (int i = 1; i < COMMS; i++)
        CHECK_MPI(MPI_Comm_free(&comms[i]));
    free(numbers);
    free(out);
    free(in);
    return check_finish();
}
