/*
 * Collectives without data do nothing and keep no rank waiting, also where some ranks name a datatype with
 * gaps or reduce in place; what comes after them is in order. Their arguments are checked all the same.
 */
#include "check.h"

static MPI_Datatype gaps;

/* The datatype that a rank names in round i. */
static MPI_Datatype type(int i) { return (me + i) % 2 ? gaps : MPI_INT; }

static void all(int i, int *x, int *y)
{
    const int root = i % np, zeros[64] = {0};
    MPI_Datatype t = type(i);
    CHECK_MPI(MPI_Bcast(NULL, 0, t, root, MPI_COMM_WORLD));
    CHECK_MPI(MPI_Gather(x, 0, t, y, 0, MPI_INT, root, MPI_COMM_WORLD));
    CHECK_MPI(MPI_Gather(me == root ? MPI_IN_PLACE : x, 0, MPI_INT, y, 0, t, root, MPI_COMM_WORLD));
    CHECK_MPI(MPI_Gatherv(x, 0, t, y, zeros, zeros, MPI_INT, root, MPI_COMM_WORLD));
    CHECK_MPI(MPI_Scatter(x, 0, t, y, 0, MPI_INT, root, MPI_COMM_WORLD));
    CHECK_MPI(MPI_Scatter(x, 0, MPI_INT, me == root ? MPI_IN_PLACE : y, 0, t, root, MPI_COMM_WORLD));
    CHECK_MPI(MPI_Scatterv(x, zeros, zeros, MPI_INT, y, 0, t, root, MPI_COMM_WORLD));
    CHECK_MPI(MPI_Allgather(NULL, 0, t, NULL, 0, MPI_INT, MPI_COMM_WORLD));
    CHECK_MPI(MPI_Allgather(MPI_IN_PLACE, 0, MPI_INT, y, 0, t, MPI_COMM_WORLD));
    CHECK_MPI(MPI_Allgatherv(x, 0, t, y, zeros, zeros, MPI_INT, MPI_COMM_WORLD));
    CHECK_MPI(MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_INT, y, zeros, zeros, t, MPI_COMM_WORLD));
    CHECK_MPI(MPI_Alltoall(x, 0, t, y, 0, MPI_INT, MPI_COMM_WORLD));
    CHECK_MPI(MPI_Alltoallv(x, zeros, zeros, t, y, zeros, zeros, MPI_INT, MPI_COMM_WORLD));
    CHECK_MPI(MPI_Reduce(me == root && i % 2 ? MPI_IN_PLACE : x, y, 0, MPI_INT, MPI_SUM, root,
                         MPI_COMM_WORLD));
    CHECK_MPI(MPI_Allreduce(me % 2 ? MPI_IN_PLACE : x, y, 0, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    CHECK_MPI(MPI_Reduce_scatter(x, y, zeros, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    CHECK_MPI(MPI_Reduce_scatter_block(x, y, 0, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    CHECK_MPI(MPI_Scan(x, y, 0, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    CHECK_MPI(MPI_Exscan(x, y, 0, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    CHECK_MPI(MPI_Reduce_local(x, y, 0, MPI_INT, MPI_SUM));
}

/* The same by nonblocking calls: each of them is done as soon as it has begun. */
static void begin_all(int i, int *x, int *y, MPI_Comm comm)
{
    const int root = i % np, zeros[64] = {0};
    MPI_Datatype t = type(i);
    MPI_Request r[12];
    CHECK_MPI(MPI_Ibcast(NULL, 0, t, root, comm, &r[0]));
    CHECK_MPI(MPI_Igather(x, 0, t, y, 0, MPI_INT, root, comm, &r[1]));
    CHECK_MPI(MPI_Iscatter(x, 0, MPI_INT, me == root ? MPI_IN_PLACE : y, 0, t, root, comm, &r[2]));
    CHECK_MPI(MPI_Iallgather(MPI_IN_PLACE, 0, MPI_INT, y, 0, t, comm, &r[3]));
    CHECK_MPI(MPI_Iallgatherv(x, 0, t, y, zeros, zeros, MPI_INT, comm, &r[4]));
    CHECK_MPI(MPI_Ialltoall(x, 0, t, y, 0, MPI_INT, comm, &r[5]));
    CHECK_MPI(MPI_Ireduce(x, y, 0, MPI_INT, MPI_SUM, root, comm, &r[6]));
    CHECK_MPI(MPI_Iallreduce(x, y, 0, MPI_INT, MPI_SUM, comm, &r[7]));
    CHECK_MPI(MPI_Ireduce_scatter(x, y, zeros, MPI_INT, MPI_SUM, comm, &r[8]));
    CHECK_MPI(MPI_Ireduce_scatter_block(x, y, 0, MPI_INT, MPI_SUM, comm, &r[9]));
    CHECK_MPI(MPI_Iscan(x, y, 0, MPI_INT, MPI_SUM, comm, &r[10]));
    CHECK_MPI(MPI_Iexscan(x, y, 0, MPI_INT, MPI_SUM, comm, &r[11]));
    for (int k = 0; k < 12; k++) {
        int done = 0;
        CHECK_MPI(MPI_Test(&r[k], &done, MPI_STATUS_IGNORE));
        CHECK_EQ(done, 1);
    }
    MPI_Request v[3];
    CHECK_MPI(MPI_Igatherv(x, 0, t, y, zeros, zeros, MPI_INT, root, comm, &v[0]));
    CHECK_MPI(MPI_Iscatterv(x, zeros, zeros, MPI_INT, y, 0, t, root, comm, &v[1]));
    CHECK_MPI(MPI_Ialltoallv(x, zeros, zeros, t, y, zeros, zeros, MPI_INT, comm, &v[2]));
    CHECK_MPI(MPI_Waitall(3, v, MPI_STATUSES_IGNORE));
}

int main(int argc, char **argv)
{
    int x = 1, y = 7;
    check_init(&argc, &argv);
    CHECK_MPI(MPI_Type_vector(2, 1, 2, MPI_INT, &gaps));
    CHECK_MPI(MPI_Type_commit(&gaps));
    for (int i = 0; i < 20; i++) {
        all(i, &x, &y);
        /* On a communicator that has seen no others they come before its shared memory is agreed on. */
        MPI_Comm fresh;
        CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &fresh));
        begin_all(i, &x, &y, MPI_COMM_WORLD);
        begin_all(i, &x, &y, fresh);
        CHECK_EQ(y, 7);
        int sum = -1, one = i + me;
        CHECK_MPI(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
        CHECK_EQ(sum, i * np + np * (np - 1) / 2);
        MPI_Request r;
        CHECK_MPI(MPI_Iallreduce(&one, &sum, 1, MPI_INT, MPI_MAX, fresh, &r));
        begin_all(i, &x, &y, fresh);
        CHECK_MPI(MPI_Wait(&r, MPI_STATUS_IGNORE));
        CHECK_EQ(sum, i + np - 1);
        CHECK_MPI(MPI_Comm_free(&fresh));
    }
    /* A rank does not wait for others that have not come: rank 0 tells them to go on behind its own calls. */
    if (me == 0) {
        CHECK_MPI(MPI_Bcast(NULL, 0, MPI_INT, np - 1, MPI_COMM_WORLD));
        CHECK_MPI(MPI_Allreduce(&x, &y, 0, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
        for (int r = 1; r < np; r++)
            CHECK_MPI(MPI_Send(NULL, 0, MPI_INT, r, 1, MPI_COMM_WORLD));
    } else {
        CHECK_MPI(MPI_Recv(NULL, 0, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        CHECK_MPI(MPI_Bcast(NULL, 0, MPI_INT, np - 1, MPI_COMM_WORLD));
        CHECK_MPI(MPI_Allreduce(&x, &y, 0, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    }
    CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    CHECK_CLASS(MPI_Bcast(NULL, 0, MPI_INT, np, MPI_COMM_WORLD), MPI_ERR_ROOT);
    CHECK_CLASS(MPI_Allreduce(&x, &y, 0, MPI_DOUBLE, MPI_BAND, MPI_COMM_WORLD), MPI_ERR_OP);
    CHECK_CLASS(MPI_Reduce(&x, &y, 0, MPI_INT, MPI_SUM, -1, MPI_COMM_WORLD), MPI_ERR_ROOT);
    CHECK_MPI(MPI_Type_free(&gaps));
    return check_finish();
}
