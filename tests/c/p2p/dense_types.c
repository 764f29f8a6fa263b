/*
 * A type whose data lie one behind the other is sent and received as its bytes are, however it was built: the
 * fast path leaves few calls with it to the rest of the library. Types with gaps, or whose order in memory is
 * another one, keep to their layout.
 */
#include "refusals.h"

enum { INTS = 6, MOST = 3, ROUNDS = 20, TYPES = 12 };

static MPI_Datatype types[TYPES];
static int made;

static void commit(MPI_Datatype t)
{
    CHECK_MPI(MPI_Type_commit(&t));
    types[made++] = t;
}

/* Types of 6 ints in a row. */
static void make_dense(void)
{
    MPI_Datatype t, u;
    int lens[2] = {2, 4}, at[2] = {0, 2}, sizes[2] = {2, 3}, none[2] = {0, 0};
    MPI_Aint bytes[2] = {0, 2 * sizeof(int)};
    MPI_Datatype parts[2] = {MPI_INT, MPI_UNSIGNED};
    CHECK_MPI(MPI_Type_contiguous(INTS, MPI_INT, &t));
    commit(t);
    CHECK_MPI(MPI_Type_dup(t, &u));
    types[made++] = u; /* committed as the other one is */
    CHECK_MPI(MPI_Type_vector(3, 2, 2, MPI_INT, &t));
    commit(t);
    CHECK_MPI(MPI_Type_indexed(2, lens, at, MPI_INT, &t));
    commit(t);
    CHECK_MPI(MPI_Type_create_struct(2, lens, bytes, parts, &t));
    commit(t);
    CHECK_MPI(MPI_Type_create_subarray(2, sizes, sizes, none, MPI_ORDER_C, MPI_INT, &t));
    commit(t);
    CHECK_MPI(MPI_Type_contiguous(2, MPI_INT, &t));
    CHECK_MPI(MPI_Type_contiguous(3, t, &u));
    CHECK_MPI(MPI_Type_free(&t));
    commit(u);
}

/* Sends count elements around and has collective operations move them. plain: fast calls are wanted. */
static void use(MPI_Datatype t, int count, int plain, int which)
{
    int to = (me + 1) % np, from = (me + np - 1) % np, out[INTS * MOST], in[INTS * MOST], n = INTS * count;
    unsigned long long before = refused(), more;
    MPI_Status s;
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < INTS * MOST; i++)
            out[i] = 10000 * me + 100 * round + i, in[i] = -1;
        CHECK_MPI(MPI_Sendrecv(out, count, t, to, 3, in, count, t, from, 3, MPI_COMM_WORLD, &s));
        CHECK_COUNT(s, t, count);
        for (int i = 0; i < n; i++)
            CHECK_EQ(in[i], 10000 * from + 100 * round + i);
        CHECK_EQ(in[INTS * MOST - 1], count == MOST ? 10000 * from + 100 * round + INTS * MOST - 1 : -1);
        CHECK_MPI(MPI_Send(out, n, MPI_INT, to, 4, MPI_COMM_WORLD)); /* the same bytes as ints */
        CHECK_MPI(MPI_Recv(in, count, t, from, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        CHECK_EQ(in[n - 1], 10000 * from + 100 * round + n - 1);
        CHECK_MPI(MPI_Bcast(out, count, t, np - 1, MPI_COMM_WORLD));
        CHECK_EQ(out[n - 1], 10000 * (np - 1) + 100 * round + n - 1);
    }
    more = refused() - before;
    if (plain)
        CHECK_MSG(more <= ROUNDS / 2, "type %d: %llu calls are not plain", which, more);
}

/* Types of 2 ints with a gap, and in another order. */
static void use_gaps(void)
{
    MPI_Datatype t;
    int lens[2] = {1, 1}, gap[2] = {0, 2}, swapped[2] = {1, 0}, out[4] = {1, 2, 3, 4}, in[4];
    int to = (me + 1) % np, from = (me + np - 1) % np;
    for (int k = 0; k < 2; k++) {
        CHECK_MPI(MPI_Type_indexed(2, lens, k ? swapped : gap, MPI_INT, &t));
        CHECK_MPI(MPI_Type_commit(&t));
        memset(in, 0, sizeof in);
        CHECK_MPI(MPI_Sendrecv(out, 1, t, to, 5, in, 2, MPI_INT, from, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        CHECK_EQ(in[0], k ? 2 : 1);
        CHECK_EQ(in[1], k ? 1 : 3);
        memset(in, 0, sizeof in);
        CHECK_MPI(MPI_Sendrecv(out, 2, MPI_INT, to, 6, in, 1, t, from, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        CHECK_EQ(in[0], k ? 2 : 1);
        CHECK_EQ(in[k ? 1 : 2], k ? 1 : 2);
        CHECK_MPI(MPI_Type_free(&t));
    }
}

/* A receive goes on when its type has been freed, and a freed handle is an error. */
static void use_freed(MPI_Datatype t)
{
    int to = (me + 1) % np, from = (me + np - 1) % np, out[INTS], in[INTS];
    MPI_Datatype gone = t;
    MPI_Request r;
    for (int i = 0; i < INTS; i++)
        out[i] = me + i, in[i] = -1;
    CHECK_MPI(MPI_Irecv(in, 1, t, from, 7, MPI_COMM_WORLD, &r));
    CHECK_MPI(MPI_Type_free(&t));
    CHECK_MPI(MPI_Send(out, INTS, MPI_INT, to, 7, MPI_COMM_WORLD));
    CHECK_MPI(MPI_Wait(&r, MPI_STATUS_IGNORE));
    CHECK_EQ(in[INTS - 1], from + INTS - 1);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    CHECK_CLASS(MPI_Send(out, 1, gone, MPI_PROC_NULL, 7, MPI_COMM_WORLD), MPI_ERR_TYPE);
    CHECK_MPI(MPI_Type_contiguous(2, MPI_INT, &t));
    CHECK_CLASS(MPI_Send(out, 1, t, MPI_PROC_NULL, 7, MPI_COMM_WORLD), MPI_ERR_TYPE); /* not committed */
    CHECK_MPI(MPI_Type_free(&t));
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

int main(int argc, char **argv)
{
    refusals_begin(&argc, &argv);
    int x = 0;
    CHECK_MPI(MPI_Bcast(&x, 1, MPI_INT, 0, MPI_COMM_WORLD)); /* opens what collective operations need */
    make_dense();
    for (int i = 0; i < made; i++) {
        use(types[i], 1, np > 1, i);
        use(types[i], MOST, np > 1, i);
    }
    use_gaps();
    for (int i = 0; i < made; i++)
        use_freed(types[i]);
    return refusals_finish();
}
