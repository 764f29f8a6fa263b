/* Collectives on MPI_COMM_SELF are copies. */
#include "coll.h"

enum { INTS = 60, SPAN = 2 * INTS + 8 };

static int out[SPAN], in[SPAN];

/* Integers with gaps on either side, by lists and without; what is between them stays as it was. */
static void gaps(MPI_Comm comm, MPI_Datatype from, int from_step, MPI_Datatype to, int to_step)
{
    const int sent = 1, got = 1, first = 2;
    const int recvs = to_step * 4; /* a displacement of alltoallw, in bytes */
    MPI_Request q = MPI_REQUEST_NULL;
#define MOVED(at, call) \
    do { \
        for (int i = 0; i < SPAN; i++) \
            in[i] = out[i] = -1; \
        for (int k = 0; k < INTS; k++) \
            out[k * from_step] = k + 1; \
        CHECK_MPI(call); \
        CHECK_MPI(MPI_Wait(&q, MPI_STATUS_IGNORE)); \
        for (int i = 0; i < SPAN; i++) { \
            int k = i - (at); \
            CHECK_EQ(in[i], k >= 0 && k % to_step == 0 && k / to_step < INTS ? k / to_step + 1 : -1); \
        } \
    } while (0)
    MOVED(0, MPI_Gather(out, 1, from, in, 1, to, 0, comm));
    MOVED(0, MPI_Scatter(out, 1, from, in, 1, to, 0, comm));
    MOVED(0, MPI_Allgather(out, 1, from, in, 1, to, comm));
    MOVED(0, MPI_Alltoall(out, 1, from, in, 1, to, comm));
    MOVED(0, MPI_Igather(out, 1, from, in, 1, to, 0, comm, &q));
    MOVED(0, MPI_Iscatter(out, 1, from, in, 1, to, 0, comm, &q));
    MOVED(0, MPI_Iallgather(out, 1, from, in, 1, to, comm, &q));
    MOVED(0, MPI_Ialltoall(out, 1, from, in, 1, to, comm, &q));
    MOVED(0, MPI_Scatterv(out, &sent, &(int){0}, from, in, 1, to, 0, comm));
    MPI_Datatype one; /* of little extent, so that a block may begin within the buffer */
    CHECK_MPI(MPI_Type_create_resized(to, 0, 4, &one));
    CHECK_MPI(MPI_Type_commit(&one));
    MOVED(first, MPI_Gatherv(out, 1, from, in, &got, &first, one, 0, comm));
    MOVED(first, MPI_Allgatherv(out, 1, from, in, &got, &first, one, comm));
    MOVED(first, MPI_Igatherv(out, 1, from, in, &got, &first, one, 0, comm, &q));
    MOVED(first, MPI_Alltoallv(out, &sent, &(int){0}, from, in, &got, &first, one, comm));
    MOVED(first, MPI_Ialltoallv(out, &sent, &(int){0}, from, in, &got, &first, one, comm, &q));
    MOVED(to_step, MPI_Alltoallw(out, &sent, &(int){0}, &from, in, &got, &recvs, &to, comm));
    CHECK_MPI(MPI_Type_free(&one));
    if (from != to)
        return;
    for (int blocks = 0; blocks < 2; blocks++) {
        for (int i = 0; i < SPAN; i++)
            in[i] = i;
        if (blocks)
            CHECK_MPI(MPI_Bcast(in, 1, to, 0, comm));
        else
            CHECK_MPI(MPI_Ibcast(in, 1, to, 0, comm, &q));
        CHECK_MPI(MPI_Wait(&q, MPI_STATUS_IGNORE));
        for (int i = 0; i < SPAN; i++)
            CHECK_EQ(in[i], i);
    }
}

static void keep_right(void *a, void *b, int *n, MPI_Datatype *t) { (void)a, (void)b, (void)n, (void)t; }

/* Elements with gaps, which a function of the program's would combine. */
static void reductions(MPI_Comm comm, MPI_Datatype t, int step)
{
    const int from_step = step, to_step = step;
    MPI_Request q = MPI_REQUEST_NULL;
    MPI_Op op;
    CHECK_MPI(MPI_Op_create(keep_right, 1, &op));
    MOVED(0, MPI_Allreduce(out, in, 1, t, op, comm));
    MOVED(0, MPI_Reduce(out, in, 1, t, op, 0, comm));
    MOVED(0, MPI_Scan(out, in, 1, t, op, comm));
    MOVED(0, MPI_Reduce_scatter_block(out, in, 1, t, op, comm));
    MOVED(0, MPI_Reduce_scatter(out, in, &(int){1}, t, op, comm));
    MOVED(0, MPI_Iallreduce(out, in, 1, t, op, comm, &q));
    for (int i = 0; i < SPAN; i++)
        in[i] = i;
    CHECK_MPI(MPI_Allreduce(MPI_IN_PLACE, in, 1, t, op, comm));
    CHECK_MPI(MPI_Exscan(out, in, 1, t, op, comm));
    for (int i = 0; i < SPAN; i++)
        CHECK_EQ(in[i], i);
    CHECK_MPI(MPI_Op_free(&op));
}

static void with_gaps(MPI_Comm comm)
{
    MPI_Datatype types[2];
    CHECK_MPI(MPI_Type_contiguous(INTS, MPI_INT, &types[0]));
    CHECK_MPI(MPI_Type_vector(INTS, 1, 2, MPI_INT, &types[1]));
    for (int i = 0; i < 2; i++)
        CHECK_MPI(MPI_Type_commit(&types[i]));
    for (int i = 0; i < 4; i++)
        gaps(comm, types[i / 2], i / 2 + 1, types[i % 2], i % 2 + 1);
    reductions(comm, types[0], 1);
    reductions(comm, types[1], 2);
    for (int i = 0; i < 2; i++)
        CHECK_MPI(MPI_Type_free(&types[i]));
}

int main(int argc, char **argv)
{
    MPI_Request q = MPI_REQUEST_NULL;
    check_init(&argc, &argv);
    for (int c = 0; c < COLL_COUNTS; c++) {
        int n = coll_counts[c];
        size_t bytes = n * sizeof(int);
        int *out = check_alloc(bytes), *in = check_alloc(bytes);
        coll_fill(out, n, c, me, COLL_ALL);
#define COPIED(call)                                                                                   \
    do {                                                                                               \
        check_renew(in, bytes);                                                                        \
        CHECK_MPI(call);                                                                               \
        CHECK_MPI(MPI_Wait(&q, MPI_STATUS_IGNORE));                                                    \
        CHECK(q == MPI_REQUEST_NULL);                                                                  \
        COLL_CHECK(in, n, c, me, COLL_ALL);                                                            \
        COLL_CHECK(out, n, c, me, COLL_ALL);                                                           \
    } while (0)
        COPIED(MPI_Reduce(out, in, n, MPI_INT, MPI_SUM, 0, MPI_COMM_SELF));
        COPIED(MPI_Allreduce(out, in, n, MPI_INT, MPI_MIN, MPI_COMM_SELF));
        COPIED(MPI_Gather(out, n, MPI_INT, in, n, MPI_INT, 0, MPI_COMM_SELF));
        COPIED(MPI_Scatter(out, n, MPI_INT, in, n, MPI_INT, 0, MPI_COMM_SELF));
        COPIED(MPI_Allgather(out, n, MPI_INT, in, n, MPI_INT, MPI_COMM_SELF));
        COPIED(MPI_Alltoall(out, n, MPI_INT, in, n, MPI_INT, MPI_COMM_SELF));
        COPIED(MPI_Ireduce(out, in, n, MPI_INT, MPI_SUM, 0, MPI_COMM_SELF, &q));
        COPIED(MPI_Iallreduce(out, in, n, MPI_INT, MPI_MIN, MPI_COMM_SELF, &q));
        COPIED(MPI_Iscan(out, in, n, MPI_INT, MPI_MIN, MPI_COMM_SELF, &q));
        COPIED(MPI_Igather(out, n, MPI_INT, in, n, MPI_INT, 0, MPI_COMM_SELF, &q));
        COPIED(MPI_Iscatter(out, n, MPI_INT, in, n, MPI_INT, 0, MPI_COMM_SELF, &q));
        COPIED(MPI_Iallgather(out, n, MPI_INT, in, n, MPI_INT, MPI_COMM_SELF, &q));
        COPIED(MPI_Ialltoall(out, n, MPI_INT, in, n, MPI_INT, MPI_COMM_SELF, &q));
        MPI_Request all[3];
        CHECK_MPI(MPI_Ibcast(in, n, MPI_INT, 0, MPI_COMM_SELF, &all[0]));
        CHECK_MPI(MPI_Iallreduce(MPI_IN_PLACE, in, n, MPI_INT, MPI_SUM, MPI_COMM_SELF, &all[1]));
        CHECK_MPI(MPI_Ibarrier(MPI_COMM_SELF, &all[2]));
        CHECK_MPI(MPI_Waitall(3, all, MPI_STATUSES_IGNORE));
        COLL_CHECK(in, n, c, me, COLL_ALL);
        CHECK_MPI(MPI_Bcast(in, n, MPI_INT, 0, MPI_COMM_SELF));
        CHECK_MPI(MPI_Allreduce(MPI_IN_PLACE, in, n, MPI_INT, MPI_SUM, MPI_COMM_SELF));
        CHECK_MPI(MPI_Barrier(MPI_COMM_SELF));
        COLL_CHECK(in, n, c, me, COLL_ALL);
        check_free(out);
        check_free(in);
    }
    MPI_Comm alone;
    with_gaps(MPI_COMM_SELF);
    CHECK_MPI(MPI_Comm_split(MPI_COMM_WORLD, me, 0, &alone));
    with_gaps(alone);
    CHECK_MPI(MPI_Comm_free(&alone));
    return check_finish();
}
