/* Wrong arguments of the collectives. Every rank makes the same mistake, so nobody waits for anybody. */
#include "expect.h"

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    static int a[64], b[64];
    const MPI_Comm world = MPI_COMM_WORLD;
    char size[16];
    snprintf(size, sizeof size, "%d", np);

    EXPECT(MPI_Bcast(a, 1, MPI_INT, np, world), MPI_ERR_ROOT, size, "root");
    EXPECT(MPI_Bcast(a, 1, MPI_INT, -2, world), MPI_ERR_ROOT, "-2");
    EXPECT(MPI_Reduce(a, b, 1, MPI_INT, MPI_SUM, np, world), MPI_ERR_ROOT, size);
    EXPECT(MPI_Gather(a, 1, MPI_INT, b, 1, MPI_INT, np, world), MPI_ERR_ROOT, size);
    EXPECT(MPI_Scatter(a, 1, MPI_INT, b, 1, MPI_INT, -9, world), MPI_ERR_ROOT, "-9");

    EXPECT(MPI_Bcast(a, -1, MPI_INT, 0, world), MPI_ERR_COUNT, "-1");
    EXPECT(MPI_Reduce(a, b, -1, MPI_INT, MPI_SUM, 0, world), MPI_ERR_COUNT, "-1");
    EXPECT(MPI_Allreduce(a, b, -1, MPI_INT, MPI_SUM, world), MPI_ERR_COUNT, "-1");
    EXPECT(MPI_Gather(a, -1, MPI_INT, b, 1, MPI_INT, 0, world), MPI_ERR_COUNT, "-1");
    EXPECT(MPI_Allgather(a, -1, MPI_INT, b, 1, MPI_INT, world), MPI_ERR_COUNT, "-1");
    EXPECT(MPI_Allgather(a, 1, MPI_INT, b, -1, MPI_INT, world), MPI_ERR_COUNT, "-1");
    EXPECT(MPI_Alltoall(a, -1, MPI_INT, b, 1, MPI_INT, world), MPI_ERR_COUNT, "-1");

    EXPECT(MPI_Bcast(a, 1, MPI_DATATYPE_NULL, 0, world), MPI_ERR_TYPE, "MPI_DATATYPE_NULL");
    EXPECT(MPI_Allreduce(a, b, 1, MPI_DATATYPE_NULL, MPI_SUM, world), MPI_ERR_TYPE, "MPI_DATATYPE_NULL");
    EXPECT(MPI_Allgather(a, 1, MPI_DATATYPE_NULL, b, 1, MPI_INT, world), MPI_ERR_TYPE, "MPI_DATATYPE_NULL");
    EXPECT(MPI_Alltoall(a, 1, MPI_INT, b, 1, MPI_DATATYPE_NULL, world), MPI_ERR_TYPE, "MPI_DATATYPE_NULL");

    EXPECT(MPI_Allreduce(a, b, 1, MPI_INT, MPI_OP_NULL, world), MPI_ERR_OP, "MPI_OP_NULL");
    EXPECT(MPI_Reduce(a, b, 1, MPI_INT, MPI_OP_NULL, 0, world), MPI_ERR_OP, "MPI_OP_NULL");

    EXPECT(MPI_Barrier(MPI_COMM_NULL), MPI_ERR_COMM, "MPI_COMM_NULL");
    EXPECT(MPI_Bcast(a, 1, MPI_INT, 0, MPI_COMM_NULL), MPI_ERR_COMM, "MPI_COMM_NULL");
    EXPECT(MPI_Allreduce(a, b, 1, MPI_INT, MPI_SUM, MPI_COMM_NULL), MPI_ERR_COMM, "MPI_COMM_NULL");

    EXPECT(MPI_Bcast(NULL, 5, MPI_INT, 0, world), MPI_ERR_BUFFER, "buffer");
    EXPECT(MPI_Allreduce(NULL, b, 1, MPI_INT, MPI_SUM, world), MPI_ERR_BUFFER, "sendbuf");
    EXPECT(MPI_Allreduce(a, NULL, 1, MPI_INT, MPI_SUM, world), MPI_ERR_BUFFER, "recvbuf");
    EXPECT(MPI_Allgather(NULL, 1, MPI_INT, b, 1, MPI_INT, world), MPI_ERR_BUFFER, "sendbuf");
    EXPECT(MPI_Alltoall(a, 1, MPI_INT, NULL, 1, MPI_INT, world), MPI_ERR_BUFFER, "recvbuf");

    /* MPI_IN_PLACE where it has no meaning. */
    EXPECT(MPI_Bcast(MPI_IN_PLACE, 1, MPI_INT, 0, world), MPI_ERR_BUFFER, "MPI_IN_PLACE");
    EXPECT(MPI_Allreduce(a, MPI_IN_PLACE, 1, MPI_INT, MPI_SUM, world), MPI_ERR_BUFFER, "MPI_IN_PLACE");
    EXPECT(MPI_Allgather(a, 1, MPI_INT, MPI_IN_PLACE, 1, MPI_INT, world), MPI_ERR_BUFFER, "MPI_IN_PLACE");
    if (np == 1) {
        EXPECT(MPI_Gather(a, 1, MPI_INT, MPI_IN_PLACE, 1, MPI_INT, 0, world), MPI_ERR_BUFFER, "MPI_IN_PLACE");
        EXPECT(MPI_Scatter(MPI_IN_PLACE, 1, MPI_INT, b, 1, MPI_INT, 0, world), MPI_ERR_BUFFER, "MPI_IN_PLACE");
    }

    /* In place every rank's receive buffer holds the whole input, be its part of the result empty. */
    int counts[64] = {4};
    MPI_Request request = MPI_REQUEST_NULL;
    EXPECT(MPI_Reduce_scatter(MPI_IN_PLACE, NULL, counts, MPI_INT, MPI_SUM, world), MPI_ERR_BUFFER, "recvbuf");
    EXPECT(MPI_Ireduce_scatter(MPI_IN_PLACE, NULL, counts, MPI_INT, MPI_SUM, world, &request),
           MPI_ERR_BUFFER, "recvbuf");
    EXPECT(MPI_Reduce_scatter_init(MPI_IN_PLACE, NULL, counts, MPI_INT, MPI_SUM, world, MPI_INFO_NULL,
                                   &request),
           MPI_ERR_BUFFER, "recvbuf");

    /* The communicator is as good as before. */
    int sum = -1;
    CHECK_MPI(MPI_Allreduce(&me, &sum, 1, MPI_INT, MPI_SUM, world));
    CHECK_EQ(sum, np * (np - 1) / 2);
    return check_finish();
}
