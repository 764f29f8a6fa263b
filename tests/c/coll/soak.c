/*
 * Random collectives for a given time (arguments: seconds, seed), mixed with messages on the same
 * communicators. All ranks derive each round from the seed: one to four operations on one communicator (all
 * ranks, backwards, with holes, between two groups), blocking, nonblocking or persistent, with any root, data
 * with and without gaps, operations that commute and that do not, MPI_IN_PLACE. Every element that comes is
 * held against what the standard says, everything else has to be untouched.
 */
#include "check.h"

enum { RANKS = 32, TRIALS = 4, MOST = 3000 };
enum { BLOCKING, NONBLOCKING, PERSISTENT, FORMS };
enum {
    BARRIER,
    BCAST,
    GATHER,
    GATHERV,
    SCATTER,
    SCATTERV,
    ALLGATHER,
    ALLGATHERV,
    ALLTOALL,
    ALLTOALLV,
    REDUCE,
    ALLREDUCE,
    BLOCK,
    PARTS,
    SCAN,
    EXSCAN,
    KINDS
};
static const char *const names[] = {"barrier", "bcast", "gather", "gatherv", "scatter", "scatterv", "allgather", "allgatherv", "alltoall", "alltoallv",
                                    "reduce", "allreduce", "reduce_scatter_block", "reduce_scatter", "scan", "exscan"};

static uint64_t seed, step;
static MPI_Datatype types[2]; /* a number; a number and as much room behind it */
static MPI_Op affine;

/* A communicator, with the ranks of its groups in MPI_COMM_WORLD; within one group both are the same. */
struct place {
    MPI_Comm comm;
    const char *name;
    int rank, inter, n, m, local[RANKS], remote[RANKS];
};

/* A buffer, and what has to be in it: elements without `set` stay as they are. */
struct vector {
    unsigned char *memory;
    int n, stride;
    uint64_t *want;
    char *set;
};

struct trial {
    int kind, form, once, in_place, root, arg, op;
    struct vector out, in;
    int counts[2][RANKS], displs[2][RANKS]; /* of out and in */
    MPI_Request r;
};

static struct vector new_vector(int n, int gaps)
{
    struct vector v = {check_alloc(((size_t)n + 1) * (gaps ? 16 : 8)), n, gaps ? 2 : 1,
                       calloc((size_t)n + 1, 8), calloc((size_t)n + 1, 1)};
    return v;
}

static void put(struct vector *v, int i, uint64_t x) { memcpy(v->memory + (size_t)i * v->stride * 8, &x, 8); }

static void expect(struct vector *v, int i, uint64_t x)
{
    v->want[i] = x;
    v->set[i] = 1;
}

static void verify(const struct vector *v, const struct trial *t, const struct place *p)
{
    uint64_t fresh;
    memset(&fresh, CHECK_FRESH_BYTE, 8);
    check_count();
    for (int i = 0; i <= v->n; i++) {
        uint64_t got[2] = {0, fresh}, want = i < v->n && v->set[i] ? v->want[i] : fresh;
        memcpy(got, v->memory + (size_t)i * v->stride * 8, 8 * (size_t)v->stride);
        if (got[0] != want || got[1] != fresh) {
            check_fail(__FILE__, __LINE__,
                       "seed %" PRIu64 ", round %" PRIu64
                       ", %s on %s (form %d, root %d, in place %d, op %d): element %d of %d is %#" PRIx64
                       ", want %#" PRIx64,
                       seed, step, names[t->kind], p->name, t->form, t->root, t->in_place, t->op, i, v->n,
                       got[0], want);
            return;
        }
    }
}

static void drop(struct vector *v)
{
    check_free(v->memory);
    free(v->want);
    free(v->set);
}

/* Element i that one rank of MPI_COMM_WORLD has for another, or for all (-1), in trial number k of the round.
 */
static uint64_t value(int k, int from, int to, int i)
{
    return check_mix(step * 4 + (uint64_t)k) ^
           check_mix((uint64_t)from << 40 ^ (uint64_t)(to + 1) << 30 ^ (uint64_t)i);
}

static uint64_t composed(uint64_t x, uint64_t y)
{
    return (uint64_t)((uint32_t)(x >> 32) * (uint32_t)(y >> 32)) << 32 |
           (uint32_t)((uint32_t)(x >> 32) * (uint32_t)y + (uint32_t)x);
}

static void compose(void *in, void *inout, int *n, MPI_Datatype *type)
{
    MPI_Aint lb, extent;
    MPI_Type_get_extent(*type, &lb, &extent);
    for (int i = 0; i < *n; i++) {
        uint64_t x, y;
        memcpy(&x, (char *)in + i * extent, 8);
        memcpy(&y, (char *)inout + i * extent, 8);
        y = composed(x, y);
        memcpy((char *)inout + i * extent, &y, 8);
    }
}

static uint64_t combine(int op, uint64_t x, uint64_t y)
{
    switch (op) {
    case 0: return x + y;
    case 1: return x ^ y;
    case 2: return x > y ? x : y;
    }
    return composed(x, y);
}

static uint64_t combined(int op, int k, const int *ranks, int n, int i)
{
    uint64_t x = value(k, ranks[0], -1, i);
    for (int r = 1; r < n; r++)
        x = combine(op, x, value(k, ranks[r], -1, i));
    return x;
}

static int size_drawn(uint64_t *s)
{
    uint64_t kind = check_below(s, 20);
    return (int)check_below(s, kind < 14 ? 6 : kind < 19 ? 300 : MOST);
}

/* Blocks one after the other, or with room between; the sum of their lengths and rooms. */
static int lay(const int *counts, int *displs, int n, int room)
{
    int at = 0;
    for (int i = 0; i < n; i++) {
        at += room;
        displs[i] = at;
        at += counts[i];
    }
    return at;
}

#define DO(Name, name, ...)                                                                                  \
    switch (t->form) {                                                                                       \
    case BLOCKING: CHECK_MPI(MPI_##Name(__VA_ARGS__, p->comm)); break;                                       \
    case NONBLOCKING: CHECK_MPI(MPI_I##name(__VA_ARGS__, p->comm, &t->r)); break;                            \
    default:                                                                                                 \
        CHECK_MPI(MPI_##Name##_init(__VA_ARGS__, p->comm, MPI_INFO_NULL, &t->r));                            \
        CHECK_MPI(MPI_Start(&t->r));                                                                         \
    }

static void barrier(struct trial *t, const struct place *p)
{
    switch (t->form) {
    case BLOCKING: CHECK_MPI(MPI_Barrier(p->comm)); break;
    case NONBLOCKING: CHECK_MPI(MPI_Ibarrier(p->comm, &t->r)); break;
    default: CHECK_MPI(MPI_Barrier_init(p->comm, MPI_INFO_NULL, &t->r)); CHECK_MPI(MPI_Start(&t->r));
    }
}

/* Fills in how long the blocks from and for each rank are, and makes the buffers: out has what goes to each
   of to ranks, in what comes from each of from ranks. */
static void make_blocks(struct trial *t, int k, const struct place *p, uint64_t *s, int to, int from,
                        int each, int to_all)
{
    static const int even[] = {GATHER, SCATTER, ALLGATHER, ALLTOALL};
    int room = 1, base = (int)check_below(s, 1000);
    for (size_t i = 0; i < sizeof even / sizeof *even; i++)
        room = t->kind == even[i] ? 0 : room;
    for (int r = 0; r < p->m;
         r++) { /* the block from a to b is as long as a rule of a and b says that everybody knows */
        int him = p->remote[r];
        t->counts[0][r] = room == 0 ? each : (base + me * 7 + (to_all ? 0 : him * 3)) % (each + 1);
        t->counts[1][r] = room == 0 ? each : (base + him * 7 + (to_all ? 0 : me * 3)) % (each + 1);
    }
    int n = to_all && to > 0 ? t->counts[0][0] : lay(t->counts[0], t->displs[0], to, room);
    t->out = new_vector(to == 0 ? 0 : n, (int)check_below(s, 2));
    t->in = new_vector(lay(t->counts[1], t->displs[1], from, room), (int)check_below(s, 2));
    for (int r = 0; r < (to_all ? to > 0 : to); r++)
        for (int i = 0; i < t->counts[0][r]; i++) {
            int at = to_all ? i : t->displs[0][r] + i;
            put(&t->out, at, value(k, me, to_all ? -1 : p->remote[r], i));
            expect(&t->out, at, value(k, me, to_all ? -1 : p->remote[r], i));
        }
    for (int r = 0; r < from; r++)
        for (int i = 0; i < t->counts[1][r]; i++)
            expect(&t->in, t->displs[1][r] + i, value(k, p->remote[r], to_all ? -1 : me, i));
    if (t->in_place) /* of allgather: the own block stands in the receive buffer */
        for (int i = 0; i < t->counts[1][p->rank]; i++)
            put(&t->in, t->displs[1][p->rank] + i, value(k, me, -1, i));
}

static void start_blocks(struct trial *t, int k, const struct place *p, uint64_t *s)
{
    int each = size_drawn(s), root = t->arg, chief = p->inter ? root == MPI_ROOT : root == p->rank;
    int gives = !p->inter || (root != MPI_ROOT && root != MPI_PROC_NULL), n = t->kind;
    int gather = n == GATHER || n == GATHERV, scatter = n == SCATTER || n == SCATTERV;
    int to = gather    ? gives
             : scatter ? (chief ? p->m : 0)
                       : p->m,
        from = gather    ? (chief ? p->m : 0)
               : scatter ? gives
                         : p->m;
    t->in_place = t->in_place && (n == ALLGATHER || n == ALLGATHERV);
    if (scatter) { /* one block comes, from the root */
        make_blocks(t, k, p, s, to, 0, each, 0);
        int length = 0, where = 0;
        for (int r = 0; r < p->m; r++)
            if (p->remote[r] == t->root)
                where = r;
        drop(&t->in);
        if (gives)
            length = t->counts[1][where];
        t->in = new_vector(length, (int)check_below(s, 2));
        t->counts[1][0] = length;
        for (int i = 0; i < length; i++)
            expect(&t->in, i, value(k, t->root, me, i));
    } else
        make_blocks(t, k, p, s, to, from, each, n != ALLTOALL && n != ALLTOALLV);
    MPI_Datatype a = types[t->out.stride - 1], b = types[t->in.stride - 1];
    void *out = t->in_place ? MPI_IN_PLACE : t->out.memory, *in = t->in.memory;
    int *oc = t->counts[0], *od = t->displs[0], *ic = t->counts[1], *id = t->displs[1];
    switch (n) {
    case GATHER: DO(Gather, gather, out, t->out.n, a, in, each, b, root) break;
    case GATHERV: DO(Gatherv, gatherv, out, t->out.n, a, in, ic, id, b, root) break;
    case SCATTER: DO(Scatter, scatter, out, each, a, in, t->in.n, b, root) break;
    case SCATTERV: DO(Scatterv, scatterv, out, oc, od, a, in, t->in.n, b, root) break;
    case ALLGATHER: DO(Allgather, allgather, out, t->out.n, a, in, each, b) break;
    case ALLGATHERV: DO(Allgatherv, allgatherv, out, t->out.n, a, in, ic, id, b) break;
    case ALLTOALL: DO(Alltoall, alltoall, out, each, a, in, each, b) break;
    case ALLTOALLV: DO(Alltoallv, alltoallv, out, oc, od, a, in, ic, id, b) break;
    }
}

static void start_bcast(struct trial *t, int k, const struct place *p, uint64_t *s)
{
    int n = size_drawn(s) * 4;
    t->in = new_vector(n, (int)check_below(s, 2));
    t->out = new_vector(0, 0);
    for (int i = 0; i < n && t->arg != MPI_PROC_NULL; i++) {
        if (me == t->root)
            put(&t->in, i, value(k, me, -1, i));
        expect(&t->in, i, value(k, t->root, -1, i));
    }
    DO(Bcast, bcast, t->in.memory, n, types[t->in.stride - 1], t->arg)
}

static void start_reduction(struct trial *t, int k, const struct place *p, uint64_t *s)
{
    int n = size_drawn(s), gaps = t->op == 3 && check_below(s, 2), first = 0, length, root = t->arg;
    int chief = p->inter ? root == MPI_ROOT : root == p->rank,
        gives = t->kind != REDUCE || !p->inter || (!chief && root != MPI_PROC_NULL);
    MPI_Op op = t->op == 0 ? MPI_SUM : t->op == 1 ? MPI_BXOR : t->op == 2 ? MPI_MAX : affine;
    int parts = t->kind == BLOCK || t->kind == PARTS;
    length = t->kind == REDUCE && !chief ? 0 : n;
    if (parts) { /* both groups get the same number of elements */
        length = n / 8 * (p->inter ? p->m : 1);
        n = length * p->n;
        for (int r = 0; r < p->n; r++)
            t->counts[1][r] = length;
        if (t->kind == PARTS && p->n > 1) { /* the first gives half of its part to the last */
            t->counts[1][0] -= length / 2;
            t->counts[1][p->n - 1] += length / 2;
        }
        for (int r = 0; r < p->rank; r++)
            first += t->counts[1][r];
        length = t->counts[1][p->rank];
    }
    t->in_place = t->in_place && !parts && length > 0;
    t->out = new_vector(gives ? n : 0, gaps);
    t->in = new_vector(length, gaps);
    for (int i = 0; i < t->out.n; i++) {
        put(&t->out, i, value(k, me, -1, i));
        expect(&t->out, i, value(k, me, -1, i));
    }
    for (int i = 0; i < length; i++) {
        int up_to = t->kind == SCAN ? p->rank + 1 : t->kind == EXSCAN ? p->rank : p->m;
        if (up_to > 0)
            expect(&t->in, i, combined(t->op, k, p->remote, up_to, first + i));
        if (t->in_place) {
            put(&t->in, i, value(k, me, -1, i));
            if (up_to == 0)
                expect(&t->in, i, value(k, me, -1, i));
        }
    }
    void *out = t->in_place ? MPI_IN_PLACE : t->out.memory, *in = t->in.memory;
    MPI_Datatype type = types[gaps];
    switch (t->kind) {
    case REDUCE: DO(Reduce, reduce, out, in, n, type, op, root) break;
    case ALLREDUCE: DO(Allreduce, allreduce, out, in, n, type, op) break;
    case BLOCK: DO(Reduce_scatter_block, reduce_scatter_block, out, in, length, type, op) break;
    case PARTS: DO(Reduce_scatter, reduce_scatter, out, in, t->counts[1], type, op) break;
    case SCAN: DO(Scan, scan, out, in, n, type, op) break;
    case EXSCAN: DO(Exscan, exscan, out, in, n, type, op) break;
    }
}

static void start(struct trial *t, int k, const struct place *p, uint64_t *s)
{
    memset(t, 0, sizeof *t);
    t->kind = (int)check_below(s, p->inter ? SCAN : KINDS);
    t->form = (int)check_below(s, FORMS);
    t->op = (int)check_below(s, 4);
    t->once = t->in_place = check_below(s, 3) == 0 && !p->inter;
    t->r = MPI_REQUEST_NULL;
    int at = (int)check_below(s, (uint64_t)(p->inter ? np : p->n)); /* between two groups: of all ranks */
    t->root = p->inter ? at : p->local[at];
    t->arg = at;
    if (p->inter) {
        t->arg = MPI_PROC_NULL;
        for (int r = 0; r < p->m; r++)
            if (p->remote[r] == t->root)
                t->arg = r;
        if (t->root == me)
            t->arg = MPI_ROOT;
    }
    if (t->kind == BARRIER) {
        t->out = new_vector(0, 0);
        t->in = new_vector(0, 0);
        barrier(t, p);
    } else if (t->kind == BCAST)
        start_bcast(t, k, p, s);
    else if (t->kind < REDUCE)
        start_blocks(t, k, p, s);
    else
        start_reduction(t, k, p, s);
}

static void round_of(const struct place *p, uint64_t s, uint64_t own)
{
    struct trial ts[TRIALS];
    MPI_Request rs[TRIALS], messages[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    int n = 1 + (int)check_below(&s, TRIALS), k = p->rank < p->m && p->rank < p->n,
        length = size_drawn(&s) * 8;
    int to = p->inter ? p->rank : (p->rank + 1) % p->n,
        from = p->inter ? p->rank : (p->rank + p->n - 1) % p->n;
    unsigned char *out = check_alloc((size_t)length + 1), *in = check_alloc((size_t)length + 1);
    check_fill(out, (size_t)length, step * RANKS + (uint64_t)me);
    if (k)
        CHECK_MPI(MPI_Irecv(in, length, MPI_BYTE, check_below(&own, 2) ? from : MPI_ANY_SOURCE,
                            (int)(step % 7), p->comm, &messages[0]));
    for (int i = 0; i < n; i++) {
        if (i == n / 2 && k)
            CHECK_MPI(MPI_Isend(out, length, MPI_BYTE, to, (int)(step % 7), p->comm, &messages[1]));
        start(&ts[i], i, p, &s);
        rs[i] = ts[i].r;
    }
    if (check_below(&own, 2))
        CHECK_MPI(MPI_Waitall(2, messages, MPI_STATUSES_IGNORE));
    for (int all = 0; !all && check_below(&own, 20);)
        CHECK_MPI(MPI_Testall(n, rs, &all, MPI_STATUSES_IGNORE));
    CHECK_MPI(MPI_Waitall(n, rs, MPI_STATUSES_IGNORE));
    for (int i = 0; i < n; i++) /* once more, in the same order everywhere */
        if (ts[i].form == PERSISTENT && !ts[i].once)
            CHECK_MPI(MPI_Start(&ts[i].r));
    for (int i = n - 1; i >= 0; i--) {
        if (ts[i].form == PERSISTENT) {
            CHECK_MPI(MPI_Wait(&ts[i].r, MPI_STATUS_IGNORE));
            CHECK_MPI(MPI_Request_free(&ts[i].r));
        }
        verify(&ts[i].in, &ts[i], p);
        verify(&ts[i].out, &ts[i], p);
        drop(&ts[i].in);
        drop(&ts[i].out);
    }
    CHECK_MPI(MPI_Waitall(2, messages, MPI_STATUSES_IGNORE));
    if (k)
        CHECK_DATA(in, (size_t)length, step * RANKS + (uint64_t)p->remote[from]);
    check_free(out);
    check_free(in);
}

static struct place new_place(MPI_Comm comm, const char *name)
{
    struct place p = {comm, name, 0, 0, 0, 0, {0}, {0}};
    MPI_Group world, g;
    int ranks[RANKS];
    for (int i = 0; i < RANKS; i++)
        ranks[i] = i;
    CHECK_MPI(MPI_Comm_rank(comm, &p.rank));
    CHECK_MPI(MPI_Comm_size(comm, &p.n));
    CHECK_MPI(MPI_Comm_test_inter(comm, &p.inter));
    CHECK_MPI(MPI_Comm_group(MPI_COMM_WORLD, &world));
    CHECK_MPI(MPI_Comm_group(comm, &g));
    CHECK_MPI(MPI_Group_translate_ranks(g, p.n, ranks, world, p.local));
    p.m = p.n;
    memcpy(p.remote, p.local, sizeof p.remote);
    if (p.inter) {
        CHECK_MPI(MPI_Group_free(&g));
        CHECK_MPI(MPI_Comm_remote_group(comm, &g));
        CHECK_MPI(MPI_Comm_remote_size(comm, &p.m));
        CHECK_MPI(MPI_Group_translate_ranks(g, p.m, ranks, world, p.remote));
    }
    CHECK_MPI(MPI_Group_free(&g));
    CHECK_MPI(MPI_Group_free(&world));
    return p;
}

int main(int argc, char **argv)
{
    struct place places[4];
    MPI_Comm c, half;
    int n = 0;

    check_init(&argc, &argv);
    double deadline = MPI_Wtime() + (argc > 1 ? atof(argv[1]) : 10);
    seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    if (me == 0) {
        printf("random collectives among %d ranks, seed %" PRIu64 "\n", np, seed);
        fflush(stdout);
    }
    types[0] = MPI_UINT64_T;
    CHECK_MPI(MPI_Type_create_resized(MPI_UINT64_T, 0, 16, &types[1]));
    CHECK_MPI(MPI_Type_commit(&types[1]));
    CHECK_MPI(MPI_Op_create(compose, 0, &affine));
    CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &c));
    places[n++] = new_place(c, "all ranks");
    CHECK_MPI(MPI_Comm_split(MPI_COMM_WORLD, 0, -me, &c));
    places[n++] = new_place(c, "backwards");
    CHECK_MPI(MPI_Comm_split(MPI_COMM_WORLD, me % 2, 0, &c));
    places[n++] = new_place(c, "every other");
    if (np > 1) {
        int first = np < 3 ? 1 : np / 3, low = me < first;
        CHECK_MPI(MPI_Comm_split(MPI_COMM_WORLD, low, 0, &half));
        CHECK_MPI(MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, low ? first : 0, 3, &c));
        places[n++] = new_place(c, "two groups");
        CHECK_MPI(MPI_Comm_free(&half));
    }
    uint64_t chain = seed, own = seed * RANKS + (uint64_t)me;
    for (int go = 1; go; step++) {
        int more = MPI_Wtime() < deadline;
        uint64_t s = check_random(&chain);
        round_of(&places[check_below(&s, (uint64_t)n)], s, check_random(&own));
        if (step % 16 == 15)
            CHECK_MPI(MPI_Allreduce(&more, &go, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD));
    }
    if (me == 0)
        printf("%" PRIu64 " rounds\n", step);
    for (int i = 0; i < n; i++)
        CHECK_MPI(MPI_Comm_free(&places[i].comm));
    CHECK_MPI(MPI_Type_free(&types[1]));
    CHECK_MPI(MPI_Op_free(&affine));
    return check_finish();
}
