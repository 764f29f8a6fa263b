/*
 * Operations of the program's on datatypes with gaps, in all reductions, blocking or not, on several
 * communicators: operands in the order of ranks, gaps left alone, calls of MPI in the function, operation
 * and datatype freed while they are in use, many under way at once.
 */
#include "check.h"
#include <stddef.h>

/* x -> a x + b, with gaps ahead, between and behind. */
struct map {
    char gap;
    unsigned a;
    char middle[5];
    short b;
    double end;
};

enum { MOST = 400, AT_ONCE = 40 };
static const int lengths[] = {1, 2, 3, 9, 60, MOST};
enum { LENGTHS = sizeof lengths / sizeof lengths[0] };

static MPI_Datatype types[3]; /* of this struct: made in two ways, and two of them as one element */

static void make_types(void)
{
    int each[2] = {1, 1};
    MPI_Aint at[2] = {offsetof(struct map, a), offsetof(struct map, b)};
    MPI_Datatype fields[2] = {MPI_UNSIGNED, MPI_SHORT}, bare;
    CHECK_MPI(MPI_Type_create_struct(2, each, at, fields, &bare));
    CHECK_MPI(MPI_Type_create_resized(bare, 0, sizeof(struct map), &types[0]));
    int one = 1;
    MPI_Aint none = 0;
    CHECK_MPI(MPI_Type_create_hindexed(1, &one, &none, types[0], &types[1]));
    CHECK_MPI(MPI_Type_contiguous(2, types[0], &types[2]));
    CHECK_MPI(MPI_Type_free(&bare));
    for (int i = 0; i < 3; i++)
        CHECK_MPI(MPI_Type_commit(&types[i]));
}

/* What the function finds of the type says how many structs there are. */
static long structs(long n, MPI_Datatype type)
{
    MPI_Aint lb, extent;
    int size, r, p;
    CHECK_MPI(MPI_Type_get_extent(type, &lb, &extent));
    CHECK_MPI(MPI_Type_size(type, &size));
    CHECK_MPI(MPI_Comm_rank(MPI_COMM_WORLD, &r));
    CHECK_MPI(MPI_Comm_size(MPI_COMM_WORLD, &p));
    CHECK(r == me && p == np && lb == 0 && extent % (MPI_Aint)sizeof(struct map) == 0);
    CHECK_EQ(size * (MPI_Aint)sizeof(struct map), extent * (MPI_Aint)(sizeof(unsigned) + sizeof(short)));
    return n * (extent / (MPI_Aint)sizeof(struct map));
}

static void compose_all(const struct map *x, struct map *y, long n)
{
    for (long i = 0; i < n; i++) {
        y[i].b = (short)(x[i].a * (unsigned)y[i].b + (unsigned)x[i].b);
        y[i].a *= x[i].a;
    }
}

static void compose(void *in, void *inout, int *len, MPI_Datatype *type)
{
    compose_all(in, inout, structs(*len, *type));
}

static void compose_large(void *in, void *inout, MPI_Count *len, MPI_Datatype *type)
{
    compose_all(in, inout, structs((long)*len, *type));
}

/* The same where the datatype, of single structs, may have been freed. */
static void compose_unasked(void *in, void *inout, int *len, MPI_Datatype *type)
{
    (void)type;
    compose_all(in, inout, *len);
}

static void compose_unasked_large(void *in, void *inout, MPI_Count *len, MPI_Datatype *type)
{
    (void)type;
    compose_all(in, inout, (long)*len);
}

static struct map of(int r, int i, int step)
{
    struct map m;
    memset(&m, 'g', sizeof m);
    m.a = 2u * (unsigned)(r + i + step) + 1;
    m.b = (short)(r * 7 + i + step);
    return m;
}

/* What ranks 0 to n-1 come to. */
static struct map product(int n, int i, int step)
{
    struct map v = of(n - 1, i, step);
    for (int r = n - 2; r >= 0; r--) {
        struct map x = of(r, i, step);
        compose_all(&x, &v, 1);
    }
    return v;
}

/* n structs that ranks 0 to ranks-1 come to, from element first on, in memory that was fresh. */
static void expect(const struct map *got, int n, int first, int ranks, int step, const char *what)
{
    for (int i = 0; i < n; i++) {
        struct map want = product(ranks, first + i, step);
        CHECK_MSG(got[i].a == want.a && got[i].b == want.b, "%s of %d, struct %d: (%u, %d), want (%u, %d)", what,
                  n, i, got[i].a, got[i].b, want.a, want.b);
        CHECK_MSG(got[i].gap == 'g' && got[i].middle[4] == 'g' && ((const char *)&got[i].end)[7] == 'g',
                  "%s of %d, struct %d: a gap was written", what, n, i);
    }
}

static struct map mine[MOST * 16], out[MOST * 16];

static void fill(int rank, int n, int step)
{
    for (int i = 0; i < n; i++)
        mine[i] = of(rank, i, step);
    memset(out, 'g', sizeof out);
}

static void each(MPI_Comm comm, MPI_Op op, int form, int step)
{
    int r, p;
    CHECK_MPI(MPI_Comm_rank(comm, &r));
    CHECK_MPI(MPI_Comm_size(comm, &p));
    int k = lengths[step % LENGTHS], twice = step % 3 == 2, n = twice ? 2 * (k / 2) : k;
    MPI_Datatype t = types[step % 3];
    int count = twice ? k / 2 : k, root = step % p;
    MPI_Request q = MPI_REQUEST_NULL;
    fill(r, n, step);
#define RUN(call, icall)                                                                                     \
    do {                                                                                                     \
        if (form)                                                                                            \
            CHECK_MPI(icall);                                                                                \
        else                                                                                                 \
            CHECK_MPI(call);                                                                                 \
        CHECK_MPI(MPI_Wait(&q, MPI_STATUS_IGNORE));                                                          \
    } while (0)
    RUN(MPI_Allreduce(mine, out, count, t, op, comm), MPI_Iallreduce(mine, out, count, t, op, comm, &q));
    expect(out, n, 0, p, step, "allreduce");
    fill(r, n, step);
    RUN(MPI_Reduce(mine, out, count, t, op, root, comm),
        MPI_Ireduce(mine, out, count, t, op, root, comm, &q));
    if (r == root)
        expect(out, n, 0, p, step, "reduce");
    fill(r, n, step);
    RUN(MPI_Scan(mine, out, count, t, op, comm), MPI_Iscan(mine, out, count, t, op, comm, &q));
    expect(out, n, 0, r + 1, step, "scan");
    fill(r, n, step);
    RUN(MPI_Exscan(mine, out, count, t, op, comm), MPI_Iexscan(mine, out, count, t, op, comm, &q));
    if (r > 0)
        expect(out, n, 0, r, step, "exscan");
    fill(r, n, step);
    RUN(MPI_Allreduce(MPI_IN_PLACE, mine, count, t, op, comm),
        MPI_Iallreduce(MPI_IN_PLACE, mine, count, t, op, comm, &q));
    expect(mine, n, 0, p, step, "allreduce in place");
    fill(r, n, step);
    RUN(MPI_Scan(MPI_IN_PLACE, mine, count, t, op, comm),
        MPI_Iscan(MPI_IN_PLACE, mine, count, t, op, comm, &q));
    expect(mine, n, 0, r + 1, step, "scan in place");
    int share = count / p, own = twice ? 2 * share : share;
    if (share > 0) {
        fill(r, n, step);
        RUN(MPI_Reduce_scatter_block(mine, out, share, t, op, comm),
            MPI_Ireduce_scatter_block(mine, out, share, t, op, comm, &q));
        expect(out, own, r * own, p, step, "reduce_scatter_block");
    }
}

/* Many at once; operation and datatype are gone before they end. */
static void at_once(MPI_Comm comm, int large)
{
    static struct map results[AT_ONCE][3];
    static struct map operands[AT_ONCE][3];
    MPI_Request q[AT_ONCE];
    int r, p;
    CHECK_MPI(MPI_Comm_rank(comm, &r));
    CHECK_MPI(MPI_Comm_size(comm, &p));
    memset(results, 'g', sizeof results);
    for (int k = 0; k < AT_ONCE; k++) {
        MPI_Op op;
        MPI_Datatype t;
        for (int i = 0; i < 3; i++)
            operands[k][i] = of(r, i, k);
        if (large)
            CHECK_MPI(MPI_Op_create_c(compose_unasked_large, 0, &op));
        else
            CHECK_MPI(MPI_Op_create(compose_unasked, 0, &op));
        CHECK_MPI(MPI_Type_dup(types[0], &t));
        CHECK_MPI(MPI_Iallreduce(operands[k], results[k], 3, t, op, comm, &q[k]));
        CHECK_MPI(MPI_Op_free(&op));
        CHECK_MPI(MPI_Type_free(&t));
    }
    CHECK_MPI(MPI_Waitall(AT_ONCE, q, MPI_STATUSES_IGNORE));
    for (int k = 0; k < AT_ONCE; k++)
        expect(results[k], 3, 0, p, k, "one of many");
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    make_types();
    MPI_Comm comms[3] = {MPI_COMM_WORLD, MPI_COMM_NULL, MPI_COMM_NULL};
    CHECK_MPI(MPI_Comm_split(MPI_COMM_WORLD, 0, -me, &comms[1]));
    CHECK_MPI(MPI_Comm_split(MPI_COMM_WORLD, me % 2, me, &comms[2]));
    MPI_Op ops[2];
    CHECK_MPI(MPI_Op_create(compose, 0, &ops[0]));
    CHECK_MPI(MPI_Op_create_c(compose_large, 0, &ops[1]));
    for (int step = 0; step < 36; step++)
        each(comms[step % 3], ops[step % 2], step / 18, step / 3 + step);
    for (int k = 0; k < 6; k++)
        at_once(comms[k % 3], k % 2);
    for (int i = 0; i < 3; i++)
        CHECK_MPI(MPI_Type_free(&types[i]));
    for (int i = 0; i < 2; i++) {
        CHECK_MPI(MPI_Op_free(&ops[i]));
        CHECK_MPI(MPI_Comm_free(&comms[1 + i]));
    }
    return check_finish();
}
