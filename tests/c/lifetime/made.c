/*
 * Objects are the same however they were made. Each datatype is made by a function that may stay in C and by
 * its large-count twin, which does not: sizes, bounds, contents and packed data agree, in whatever order the
 * program asks, commits, frees and builds on it. A freed handle names nothing, and one that is used again
 * names the new object alone.
 */
#include "check.h"

static uint64_t seed = 7;

static int below(int n)
{
    return (int)check_below(&seed, (uint64_t)n);
}

enum { BLOCKS = 9, ROOM = 1 << 16, KINDS = 9 };

static MPI_Datatype named(void)
{
    const MPI_Datatype all[] = {MPI_INT,     MPI_DOUBLE, MPI_CHAR,      MPI_SHORT,           MPI_DOUBLE_INT,
                                MPI_INT32_T, MPI_BYTE,   MPI_SHORT_INT, MPI_C_DOUBLE_COMPLEX};
    return all[below(sizeof all / sizeof all[0])];
}

/* Two types made with the same arguments, the second one by large-count functions. */
static void make(int kind, MPI_Datatype *a, MPI_Datatype *b)
{
    int n = 1 + below(BLOCKS), length = below(4), lengths[BLOCKS], displs[BLOCKS], stride = below(40) - 10;
    int sizes[3], parts[3], starts[3], dims = 1 + below(3);
    int order = below(2) ? MPI_ORDER_C : MPI_ORDER_FORTRAN;
    MPI_Aint places[BLOCKS];
    MPI_Count lengths_c[BLOCKS], displs_c[BLOCKS], places_c[BLOCKS], sizes_c[3], parts_c[3], starts_c[3];
    MPI_Datatype t = named(), types[BLOCKS];
    for (int i = 0; i < BLOCKS; i++) {
        lengths_c[i] = lengths[i] = below(4);
        displs_c[i] = displs[i] = below(60);
        places_c[i] = places[i] = 16 * below(60);
        types[i] = named();
    }
    for (int i = 0; i < 3; i++) {
        sizes_c[i] = sizes[i] = 1 + below(6);
        parts_c[i] = parts[i] = 1 + below(sizes[i]);
        starts_c[i] = starts[i] = below(sizes[i] - parts[i] + 1);
    }
    switch (kind) {
    case 0:
        CHECK_MPI(MPI_Type_contiguous(n - 1, t, a));
        CHECK_MPI(MPI_Type_contiguous_c(n - 1, t, b));
        break;
    case 1:
        CHECK_MPI(MPI_Type_vector(n, length, stride, t, a));
        CHECK_MPI(MPI_Type_vector_c(n, length, stride, t, b));
        break;
    case 2:
        CHECK_MPI(MPI_Type_create_hvector(n, length, 16 * stride, t, a));
        CHECK_MPI(MPI_Type_create_hvector_c(n, length, 16 * stride, t, b));
        break;
    case 3:
        CHECK_MPI(MPI_Type_indexed(n, lengths, displs, t, a));
        CHECK_MPI(MPI_Type_indexed_c(n, lengths_c, displs_c, t, b));
        break;
    case 4:
        CHECK_MPI(MPI_Type_create_hindexed(n, lengths, places, t, a));
        CHECK_MPI(MPI_Type_create_hindexed_c(n, lengths_c, places_c, t, b));
        break;
    case 5:
        CHECK_MPI(MPI_Type_create_indexed_block(n, length, displs, t, a));
        CHECK_MPI(MPI_Type_create_indexed_block_c(n, length, displs_c, t, b));
        break;
    case 6:
        CHECK_MPI(MPI_Type_create_hindexed_block(n, length, places, t, a));
        CHECK_MPI(MPI_Type_create_hindexed_block_c(n, length, places_c, t, b));
        break;
    case 7:
        CHECK_MPI(MPI_Type_create_struct(n, lengths, places, types, a));
        CHECK_MPI(MPI_Type_create_struct_c(n, lengths_c, places_c, types, b));
        break;
    default:
        CHECK_MPI(MPI_Type_create_subarray(dims, sizes, parts, starts, order, t, a));
        CHECK_MPI(MPI_Type_create_subarray_c(dims, sizes_c, parts_c, starts_c, order, t, b));
    }
}

/* What is asked of a type: one of its numbers. */
static long long number(MPI_Datatype t, int which)
{
    MPI_Count x = -1, y = -1;
    MPI_Status s;
    switch (which) {
    case 0:
        CHECK_MPI(MPI_Type_size_c(t, &x));
        return x;
    case 1:
    case 2:
        CHECK_MPI(MPI_Type_get_extent_c(t, &x, &y));
        return which == 1 ? x : y;
    case 3:
    case 4:
        CHECK_MPI(MPI_Type_get_true_extent_c(t, &x, &y));
        return which == 3 ? x : y;
    default:
        CHECK_MPI(MPI_Type_size_c(t, &x));
        CHECK_MPI(MPI_Status_set_elements_c(&s, MPI_BYTE, 3 * x));
        CHECK_MPI(MPI_Get_elements_c(&s, t, &y));
        return y;
    }
}

static void same_numbers(MPI_Datatype a, MPI_Datatype b)
{
    for (int i = 0; i < 6; i++)
        CHECK_EQ(number(a, i), number(b, i));
}

/* Contents in one row: those of large-count functions are counts. */
static int contents(MPI_Datatype t, long long *row, MPI_Datatype *types)
{
    MPI_Count integers, addresses, counts, n;
    int numbers[64], combiner, at = 0;
    MPI_Count places[64], large[64];
    CHECK_MPI(MPI_Type_get_envelope_c(t, &integers, &addresses, &counts, &n, &combiner));
    row[at++] = combiner;
    row[at++] = n;
    CHECK_MPI(MPI_Type_get_contents_c(t, 64, 64, 64, 64, numbers, places, large, types));
    if (combiner == MPI_COMBINER_SUBARRAY && counts > 0) { /* number of dimensions, counts, order */
        row[at++] = numbers[0];
        for (int i = 0; i < counts; i++)
            row[at++] = large[i];
        row[at++] = numbers[1];
    } else {
        for (int i = 0; i < integers; i++)
            row[at++] = numbers[i];
        for (int i = 0; i < addresses; i++)
            row[at++] = places[i];
        for (int i = 0; i < counts; i++)
            row[at++] = large[i];
    }
    return at;
}

static void same_contents(MPI_Datatype a, MPI_Datatype b)
{
    static long long x[192], y[192];
    MPI_Datatype s[64], t[64];
    int n = contents(a, x, s);
    CHECK_EQ(contents(b, y, t), n);
    for (int i = 0; i < n; i++)
        CHECK_EQ(x[i], y[i]);
    for (int i = 0; i < x[1]; i++)
        CHECK(s[i] == t[i]);
}

static char memory[3 * ROOM], left[ROOM], right[ROOM];

/* Data is packed alike by committed types. */
static void same_data(MPI_Datatype a, MPI_Datatype b)
{
    int m = 0, n = 0;
    CHECK_MPI(MPI_Pack(memory + ROOM, 2, a, left, ROOM, &m, MPI_COMM_SELF));
    CHECK_MPI(MPI_Pack(memory + ROOM, 2, b, right, ROOM, &n, MPI_COMM_SELF));
    CHECK_EQ(m, n);
    CHECK(memcmp(left, right, (size_t)n) == 0);
    MPI_Aint x = 0, y = 0;
    CHECK_MPI(MPI_Pack_external("external32", memory + ROOM, 1, a, left, ROOM, &x));
    CHECK_MPI(MPI_Pack_external("external32", memory + ROOM, 1, b, right, ROOM, &y));
    CHECK_EQ(x, y);
    CHECK(memcmp(left, right, (size_t)y) == 0);
}

static void same_messages(MPI_Datatype a, MPI_Datatype b)
{
    MPI_Request r;
    MPI_Status s;
    int size, n;
    CHECK_MPI(MPI_Type_size(b, &size));
    memset(left, 0, sizeof left);
    CHECK_MPI(MPI_Irecv(left, ROOM, MPI_PACKED, 0, 3, MPI_COMM_SELF, &r));
    CHECK_MPI(MPI_Send(memory + ROOM, 2, a, 0, 3, MPI_COMM_SELF));
    CHECK_MPI(MPI_Wait(&r, &s));
    CHECK_MPI(MPI_Get_count(&s, MPI_PACKED, &n));
    CHECK_EQ(n, 2 * size);
    n = 0;
    CHECK_MPI(MPI_Pack(memory + ROOM, 2, b, right, ROOM, &n, MPI_COMM_SELF));
    CHECK(memcmp(left, right, (size_t)n) == 0);
}

/* Types of types a, and the same of types b. */
static void make_of(MPI_Datatype a, MPI_Datatype b, MPI_Datatype *c, MPI_Datatype *d)
{
    int lengths[3] = {below(3), below(4), 1}, displs[3] = {0, 3 + below(2), 8}, sizes[2] = {3, 4};
    int parts[2] = {1 + below(3), 1 + below(4)}, starts[2] = {0, 0};
    MPI_Aint places[3] = {0, 800, 1600 + 8 * below(2)};
    MPI_Count lengths_c[3], displs_c[3], places_c[3], sizes_c[2], parts_c[2], starts_c[2] = {0, 0};
    const MPI_Datatype s[3] = {MPI_INT, a, MPI_CHAR}, t[3] = {MPI_INT, b, MPI_CHAR};
    for (int i = 0; i < 3; i++) {
        lengths_c[i] = lengths[i];
        displs_c[i] = displs[i];
        places_c[i] = places[i];
    }
    for (int i = 0; i < 2; i++) {
        sizes_c[i] = sizes[i];
        parts_c[i] = parts[i];
    }
    switch (below(5)) {
    case 0:
        CHECK_MPI(MPI_Type_create_struct(3, lengths, places, s, c));
        CHECK_MPI(MPI_Type_create_struct_c(3, lengths_c, places_c, t, d));
        break;
    case 1:
        CHECK_MPI(MPI_Type_indexed(3, lengths, displs, a, c));
        CHECK_MPI(MPI_Type_indexed_c(3, lengths_c, displs_c, b, d));
        break;
    case 2:
        CHECK_MPI(MPI_Type_create_hindexed_block(3, lengths[1], places, a, c));
        CHECK_MPI(MPI_Type_create_hindexed_block_c(3, lengths[1], places_c, b, d));
        break;
    case 3:
        CHECK_MPI(MPI_Type_create_subarray(2, sizes, parts, starts, MPI_ORDER_C, a, c));
        CHECK_MPI(MPI_Type_create_subarray_c(2, sizes_c, parts_c, starts_c, MPI_ORDER_C, b, d));
        break;
    default:
        CHECK_MPI(MPI_Type_vector(2, lengths[1], 4, a, c));
        CHECK_MPI(MPI_Type_vector_c(2, lengths[1], 4, b, d));
    }
}

/* Other types are made of them, which are freed first now and then. */
static void same_within(MPI_Datatype *a, MPI_Datatype *b, int freed)
{
    MPI_Datatype c, d, e, f;
    switch (below(4)) {
    case 0:
        CHECK_MPI(MPI_Type_create_resized(*a, -8, 800, &c));
        CHECK_MPI(MPI_Type_create_resized_c(*b, -8, 800, &d));
        break;
    case 1:
    case 2:
        make_of(*a, *b, &c, &d);
        break;
    default:
        CHECK_MPI(MPI_Type_dup(*a, &e));
        CHECK_MPI(MPI_Type_dup(*b, &f));
        CHECK_MPI(MPI_Type_contiguous(2, e, &c));
        CHECK_MPI(MPI_Type_contiguous(2, f, &d));
        CHECK_MPI(MPI_Type_free(&e));
        CHECK_MPI(MPI_Type_free(&f));
    }
    if (freed) {
        CHECK_MPI(MPI_Type_free(a));
        CHECK_MPI(MPI_Type_free(b));
        make(below(KINDS), &e, &f); /* at their places, perhaps */
        same_numbers(e, f);
        CHECK_MPI(MPI_Type_free(&e));
        CHECK_MPI(MPI_Type_free(&f));
    }
    same_numbers(c, d);
    CHECK_MPI(MPI_Type_commit(&c));
    CHECK_MPI(MPI_Type_commit(&d));
    same_data(c, d);
    CHECK_MPI(MPI_Type_free(&c));
    CHECK_MPI(MPI_Type_free(&d));
}

static void types(void)
{
    for (int round = 0; round < 3000 && check_failed == 0; round++) {
        MPI_Datatype a, b, old;
        int committed = 0, steps = below(6), gone = 0, n;
        char name[MPI_MAX_OBJECT_NAME];
        make(round % KINDS, &a, &b);
        old = a;
        for (int i = 0; i < steps && !gone; i++)
            switch (below(7)) {
            case 0:
                same_numbers(a, b);
                break;
            case 1:
                same_contents(a, b);
                break;
            case 2:
                gone = below(2);
                same_within(&a, &b, gone);
                break;
            case 3:
                CHECK_MPI(MPI_Type_set_name(a, "a"));
                CHECK_MPI(MPI_Type_get_name(a, name, &n));
                CHECK_EQ(n, 1);
                break;
            default:
                if (!committed) {
                    CHECK_CLASS(MPI_Send(memory + ROOM, 1, a, MPI_PROC_NULL, 0, MPI_COMM_SELF), MPI_ERR_TYPE);
                    CHECK_MPI(MPI_Type_commit(&a));
                    CHECK_MPI(MPI_Type_commit(&b));
                    committed = 1;
                }
                below(2) ? same_data(a, b) : same_messages(a, b);
            }
        if (!gone) {
            CHECK_MPI(MPI_Type_free(&a));
            CHECK_MPI(MPI_Type_free(&b));
        }
        CHECK(a == MPI_DATATYPE_NULL);
        CHECK_CLASS(MPI_Type_size(old, &n), MPI_ERR_TYPE);
        CHECK_CLASS(MPI_Type_commit(&old), MPI_ERR_TYPE);
        CHECK_CLASS(MPI_Type_free(&old), MPI_ERR_TYPE);
    }
}

/* A type goes while a receive with it is posted, and others take its place. */
static void posted(void)
{
    for (int i = 0; i < 50; i++) {
        MPI_Datatype t, others[20];
        MPI_Request r[2];
        int in[2][8], out[4] = {1 + i, 2 + i, 3 + i, 4 + i};
        memset(in, 0, sizeof in);
        CHECK_MPI(MPI_Type_vector(4, 1, 2, MPI_INT, &t));
        CHECK_MPI(MPI_Type_commit(&t));
        CHECK_MPI(MPI_Irecv(in[0], 1, t, 0, 1, MPI_COMM_SELF, &r[0]));
        CHECK_MPI(MPI_Recv_init(in[1], 1, t, 0, 2, MPI_COMM_SELF, &r[1]));
        CHECK_MPI(MPI_Type_free(&t));
        for (int k = 0; k < 20; k++) {
            CHECK_MPI(MPI_Type_vector(2, 2, 3, MPI_INT, &others[k]));
            CHECK_MPI(MPI_Type_commit(&others[k]));
        }
        CHECK_MPI(MPI_Start(&r[1]));
        CHECK_MPI(MPI_Send(out, 4, MPI_INT, 0, 1, MPI_COMM_SELF));
        CHECK_MPI(MPI_Send(out, 4, MPI_INT, 0, 2, MPI_COMM_SELF));
        CHECK_MPI(MPI_Waitall(2, r, MPI_STATUSES_IGNORE));
        CHECK_MPI(MPI_Request_free(&r[1]));
        for (int k = 0; k < 8; k++)
            for (int j = 0; j < 2; j++)
                CHECK_EQ(in[j][k], k % 2 ? 0 : out[k / 2]);
        for (int k = 0; k < 20; k++)
            CHECK_MPI(MPI_Type_free(&others[k]));
    }
}

static void add(void *in, void *inout, int *n, MPI_Datatype *t)
{
    (void)t;
    for (int i = 0; i < *n; i++)
        ((int *)inout)[i] += ((int *)in)[i];
}

static void add_c(void *in, void *inout, MPI_Count *n, MPI_Datatype *t)
{
    int count = (int)*n;
    add(in, inout, &count, t);
}

/* Operations and groups, which Go hears of in some rounds and not in others. */
static void others(void)
{
    MPI_Group world;
    CHECK_MPI(MPI_Comm_group(MPI_COMM_WORLD, &world));
    for (int i = 0; i < 400; i++) {
        MPI_Op op, old;
        MPI_Group g, h, gone;
        MPI_Comm c;
        int commutes = -1, x[2] = {1, 2}, y[2] = {10, 20}, rank = np - 1, n;
        CHECK_MPI(i % 2 ? MPI_Op_create_c(add_c, i % 3 == 0, &op) : MPI_Op_create(add, i % 3 == 0, &op));
        if (i % 5 == 0) {
            CHECK_MPI(MPI_Allreduce(MPI_IN_PLACE, x, 2, MPI_INT, op, MPI_COMM_WORLD));
            CHECK_EQ(x[1], 2 * np);
        } else if (i % 5 == 1) {
            CHECK_MPI(MPI_Reduce_local(x, y, 2, MPI_INT, op));
            CHECK_EQ(y[1], 22);
        }
        CHECK_MPI(MPI_Op_commutative(op, &commutes));
        CHECK_EQ(commutes, i % 3 == 0);
        old = op;
        CHECK_MPI(MPI_Op_free(&op));
        CHECK(op == MPI_OP_NULL);
        CHECK_CLASS(MPI_Op_free(&old), MPI_ERR_OP);
        CHECK_CLASS(MPI_Reduce_local(x, y, 2, MPI_INT, old), MPI_ERR_OP);

        CHECK_MPI(MPI_Group_incl(world, 1, &rank, &g));
        if (i % 7 == 0) {
            CHECK_MPI(MPI_Group_union(g, world, &h));
            CHECK_MPI(MPI_Group_size(h, &n));
            CHECK_EQ(n, np);
            CHECK_MPI(MPI_Group_free(&h));
        } else if (i % 7 == 1) {
            CHECK_MPI(MPI_Comm_create(MPI_COMM_WORLD, g, &c));
            if (c != MPI_COMM_NULL)
                CHECK_MPI(MPI_Comm_free(&c));
        }
        CHECK_MPI(MPI_Group_rank(g, &n));
        CHECK_EQ(n, me == np - 1 ? 0 : MPI_UNDEFINED);
        gone = g;
        CHECK_MPI(MPI_Group_free(&g));
        CHECK(g == MPI_GROUP_NULL);
        CHECK_CLASS(MPI_Group_size(gone, &n), MPI_ERR_GROUP);
        CHECK_CLASS(MPI_Group_union(gone, world, &h), MPI_ERR_GROUP);
        CHECK_CLASS(MPI_Group_incl(world, 2, (int[2]){0, 0}, &h), MPI_ERR_RANK);
        CHECK_CLASS(MPI_Group_incl(world, 1, (int[1]){np}, &h), MPI_ERR_RANK);
    }
    CHECK_MPI(MPI_Group_free(&world));
}

static void add_apart(void *in, void *inout, int *n, MPI_Datatype *t)
{
    (void)t;
    for (int i = 0; i < *n; i++)
        ((int *)inout)[2 * i] += ((int *)in)[2 * i];
}

/* A reduction goes on when its type and its operation have been freed, and others take their places. */
static void reduced(void)
{
    for (int i = 0; i < 100; i++) {
        MPI_Datatype t, others[8];
        MPI_Op op, ops[8];
        MPI_Request r;
        int in[4] = {1, 0, 2 + me, 0}, out[4] = {0, 7, 0, 7};
        CHECK_MPI(MPI_Type_create_resized(MPI_INT, 0, 8, &t));
        CHECK_MPI(MPI_Type_commit(&t));
        CHECK_MPI(MPI_Op_create(add_apart, 1, &op));
        CHECK_MPI(MPI_Iallreduce(in, out, 2, t, op, MPI_COMM_WORLD, &r));
        CHECK_MPI(MPI_Type_free(&t));
        CHECK_MPI(MPI_Op_free(&op));
        for (int k = 0; k < 8; k++) {
            CHECK_MPI(MPI_Type_create_resized(MPI_CHAR, 0, 3, &others[k]));
            CHECK_MPI(MPI_Op_create(add, 1, &ops[k]));
        }
        CHECK_MPI(MPI_Wait(&r, MPI_STATUS_IGNORE));
        CHECK_EQ(out[0], np);
        CHECK_EQ(out[2], 2 * np + np * (np - 1) / 2);
        CHECK_EQ(out[3], 7);
        for (int k = 0; k < 8; k++) {
            CHECK_MPI(MPI_Type_free(&others[k]));
            CHECK_MPI(MPI_Op_free(&ops[k]));
        }
    }
}

/* Many at a time, so that there have to be more records. */
static void many(void)
{
    enum { MANY = 3000 };
    static MPI_Datatype t[MANY];
    static MPI_Op op[MANY];
    static MPI_Info info[MANY];
    for (int i = 0; i < MANY; i++) {
        CHECK_MPI(MPI_Type_contiguous(i + 1, MPI_INT, &t[i]));
        CHECK_MPI(MPI_Op_create(add, i % 2, &op[i]));
        CHECK_MPI(MPI_Info_create(&info[i]));
        if (i % 100 == 0)
            CHECK_MPI(MPI_Info_set(info[i], "key", "value"));
    }
    for (int i = 0; i < MANY; i++) {
        int n = -1;
        CHECK_MPI(MPI_Type_size(t[i], &n));
        CHECK_EQ(n, 4 * (i + 1));
        CHECK_MPI(MPI_Op_commutative(op[i], &n));
        CHECK_EQ(n, i % 2);
        CHECK_MPI(MPI_Info_get_nkeys(info[i], &n));
        CHECK_EQ(n, i % 100 == 0);
        CHECK_MPI(MPI_Type_free(&t[i]));
        CHECK_MPI(MPI_Op_free(&op[i]));
        CHECK_MPI(MPI_Info_free(&info[i]));
    }
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    check_fill(memory, sizeof memory, 5);
    types();
    posted();
    others();
    reduced();
    many();
    return check_finish();
}
