/* Wrong arguments of the point-to-point calls, under MPI_ERRORS_RETURN: the right class, and nothing is sent.
 */
#include "expect.h"

static int b[4];

static void ranks(void)
{
    MPI_Request r = MPI_REQUEST_NULL;
    MPI_Status st;
    int flag, bad[] = {np, np + 1, 1000000, -5, -100};
    char value[16];

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        int rank = bad[i];
        snprintf(value, sizeof value, "%d", rank);
        EXPECT(MPI_Send(b, 1, MPI_INT, rank, 0, MPI_COMM_WORLD), MPI_ERR_RANK, value, "MPI_COMM_WORLD", "MPI_ERR_RANK");
        EXPECT(MPI_Recv(b, 1, MPI_INT, rank, 0, MPI_COMM_WORLD, &st), MPI_ERR_RANK, value);
        EXPECT(MPI_Isend(b, 1, MPI_INT, rank, 0, MPI_COMM_WORLD, &r), MPI_ERR_RANK, value);
        EXPECT(MPI_Irecv(b, 1, MPI_INT, rank, 0, MPI_COMM_WORLD, &r), MPI_ERR_RANK, value);
        EXPECT(MPI_Sendrecv(b, 1, MPI_INT, rank, 0, b + 1, 1, MPI_INT, me, 0, MPI_COMM_WORLD, &st),
               MPI_ERR_RANK, value);
        EXPECT(MPI_Sendrecv(b, 1, MPI_INT, me, 0, b + 1, 1, MPI_INT, rank, 0, MPI_COMM_WORLD, &st),
               MPI_ERR_RANK, value);
        EXPECT(MPI_Probe(rank, 0, MPI_COMM_WORLD, &st), MPI_ERR_RANK, value);
        EXPECT(MPI_Iprobe(rank, 0, MPI_COMM_WORLD, &flag, &st), MPI_ERR_RANK, value);
    }
    /* The wildcard is for receives. */
    EXPECT(MPI_Send(b, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD), MPI_ERR_RANK, "-1");
    EXPECT(MPI_Isend(b, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &r), MPI_ERR_RANK, "-1");
    EXPECT(MPI_Send(b, 1, MPI_INT, 1, 0, MPI_COMM_SELF), MPI_ERR_RANK, "MPI_COMM_SELF");
}

static void tags(void)
{
    MPI_Request r = MPI_REQUEST_NULL;
    MPI_Status st;
    int flag;

    EXPECT(MPI_Send(b, 1, MPI_INT, 0, -7, MPI_COMM_WORLD), MPI_ERR_TAG, "-7", "tag");
    EXPECT(MPI_Send(b, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD), MPI_ERR_TAG, "-2");
    EXPECT(MPI_Recv(b, 1, MPI_INT, 0, -7, MPI_COMM_WORLD, &st), MPI_ERR_TAG, "-7");
    EXPECT(MPI_Isend(b, 1, MPI_INT, 0, -7, MPI_COMM_WORLD, &r), MPI_ERR_TAG, "-7");
    EXPECT(MPI_Irecv(b, 1, MPI_INT, 0, -7, MPI_COMM_WORLD, &r), MPI_ERR_TAG, "-7");
    EXPECT(MPI_Sendrecv(b, 1, MPI_INT, me, -7, b + 1, 1, MPI_INT, me, 0, MPI_COMM_WORLD, &st), MPI_ERR_TAG,
           "-7");
    EXPECT(MPI_Sendrecv(b, 1, MPI_INT, me, 0, b + 1, 1, MPI_INT, me, -7, MPI_COMM_WORLD, &st), MPI_ERR_TAG,
           "-7");
    EXPECT(MPI_Probe(0, -7, MPI_COMM_WORLD, &st), MPI_ERR_TAG, "-7");
    EXPECT(MPI_Iprobe(0, -7, MPI_COMM_WORLD, &flag, &st), MPI_ERR_TAG, "-7");
#ifdef TEST_GOMPI
    EXPECT(MPI_Send(b, 1, MPI_INT, 0, 1 << 30, MPI_COMM_WORLD), MPI_ERR_TAG, "1073741824", "1073741823");
    EXPECT(MPI_Send(b, 1, MPI_INT, 0, 0x7fffffff, MPI_COMM_WORLD), MPI_ERR_TAG, "2147483647");
    EXPECT(MPI_Irecv(b, 1, MPI_INT, 0, 1 << 30, MPI_COMM_WORLD, &r), MPI_ERR_TAG, "1073741824");
#endif
}

static void counts_and_buffers(void)
{
    MPI_Request r = MPI_REQUEST_NULL;
    MPI_Status st;

    EXPECT(MPI_Send(b, -1, MPI_INT, 0, 0, MPI_COMM_WORLD), MPI_ERR_COUNT, "-1", "count");
    EXPECT(MPI_Recv(b, -2, MPI_INT, 0, 0, MPI_COMM_WORLD, &st), MPI_ERR_COUNT, "-2");
    EXPECT(MPI_Isend(b, -3, MPI_INT, 0, 0, MPI_COMM_WORLD, &r), MPI_ERR_COUNT, "-3");
    EXPECT(MPI_Irecv(b, -4, MPI_INT, 0, 0, MPI_COMM_WORLD, &r), MPI_ERR_COUNT, "-4");
    EXPECT(MPI_Sendrecv(b, -1, MPI_INT, me, 0, b + 1, 1, MPI_INT, me, 0, MPI_COMM_WORLD, &st), MPI_ERR_COUNT,
           "-1");
    EXPECT(MPI_Sendrecv(b, 1, MPI_INT, me, 0, b + 1, -1, MPI_INT, me, 0, MPI_COMM_WORLD, &st), MPI_ERR_COUNT,
           "-1");
#ifdef TEST_GOMPI
    EXPECT(MPI_Send_c(b, -1, MPI_INT, 0, 0, MPI_COMM_WORLD), MPI_ERR_COUNT, "-1");
#endif

    EXPECT(MPI_Send(NULL, 3, MPI_INT, 0, 0, MPI_COMM_WORLD), MPI_ERR_BUFFER, "buf");
    EXPECT(MPI_Recv(NULL, 3, MPI_INT, 0, 0, MPI_COMM_WORLD, &st), MPI_ERR_BUFFER, "buf");
    EXPECT(MPI_Isend(NULL, 3, MPI_INT, 0, 0, MPI_COMM_WORLD, &r), MPI_ERR_BUFFER, "buf");
    EXPECT(MPI_Irecv(NULL, 3, MPI_INT, 0, 0, MPI_COMM_WORLD, &r), MPI_ERR_BUFFER, "buf");
    EXPECT(MPI_Sendrecv(NULL, 1, MPI_INT, me, 0, b + 1, 1, MPI_INT, me, 0, MPI_COMM_WORLD, &st),
           MPI_ERR_BUFFER, "sendbuf");
    EXPECT(MPI_Sendrecv(b, 1, MPI_INT, me, 0, NULL, 1, MPI_INT, me, 0, MPI_COMM_WORLD, &st), MPI_ERR_BUFFER,
           "recvbuf");
    CHECK(r == MPI_REQUEST_NULL);

    EXPECT(MPI_Send(b, 1, MPI_DATATYPE_NULL, 0, 0, MPI_COMM_WORLD), MPI_ERR_TYPE, "MPI_DATATYPE_NULL");
    EXPECT(MPI_Recv(b, 1, MPI_DATATYPE_NULL, 0, 0, MPI_COMM_WORLD, &st), MPI_ERR_TYPE, "MPI_DATATYPE_NULL");
    EXPECT(MPI_Send(b, 1, MPI_INT, 0, 0, MPI_COMM_NULL), MPI_ERR_COMM, "MPI_COMM_NULL");
    EXPECT(MPI_Recv(b, 1, MPI_INT, 0, 0, MPI_COMM_NULL, &st), MPI_ERR_COMM, "MPI_COMM_NULL");

    /* Nothing at all may be sent from nowhere. */
    CHECK_MPI(MPI_Sendrecv(NULL, 0, MPI_INT, me, 1, NULL, 0, MPI_INT, me, 1, MPI_COMM_WORLD, &st));
    CHECK_COUNT(st, MPI_INT, 0);
}

#ifdef TEST_GOMPI
static void pointers(void)
{
    MPI_Status st;
    int flag;
    EXPECT(MPI_Isend(b, 1, MPI_INT, me, 0, MPI_COMM_WORLD, NULL), MPI_ERR_ARG, "request");
    EXPECT(MPI_Irecv(b, 1, MPI_INT, me, 0, MPI_COMM_WORLD, NULL), MPI_ERR_ARG, "request");
    EXPECT(MPI_Iprobe(me, 0, MPI_COMM_WORLD, NULL, &st), MPI_ERR_ARG, "flag");
    EXPECT(MPI_Wait(NULL, &st), MPI_ERR_ARG, "request");
    EXPECT(MPI_Test(NULL, &flag, &st), MPI_ERR_ARG, "request");
    EXPECT(MPI_Comm_rank(MPI_COMM_WORLD, NULL), MPI_ERR_ARG, "rank");
    EXPECT(MPI_Comm_size(MPI_COMM_WORLD, NULL), MPI_ERR_ARG, "size");
    EXPECT(MPI_Waitall(-1, NULL, MPI_STATUSES_IGNORE), MPI_ERR_COUNT, "-1");
    EXPECT(MPI_Waitall(2, NULL, MPI_STATUSES_IGNORE), MPI_ERR_ARG, "requests");
}
#endif

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    ranks();
    tags();
    counts_and_buffers();
#ifdef TEST_GOMPI
    pointers();
#endif

    /* Whatever was refused has not left anything behind. */
    int flag = -1, out = 5, in = -1;
    CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
    CHECK_MPI(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE));
    CHECK_EQ(flag, 0);
    CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
    CHECK_MPI(MPI_Sendrecv(&out, 1, MPI_INT, (me + 1) % np, 0, &in, 1, MPI_INT, (me + np - 1) % np, 0,
                           MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    CHECK_EQ(in, 5);
    return check_finish();
}
