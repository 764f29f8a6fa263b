/*
 * A message longer than the receive: MPI_ERR_TRUNCATE at the receiver, which has at most what fits and not a
 * byte more; the sender knows nothing of it; what comes next is as usual.
 */
#include "check.h"

enum { FENCE = 4096 };

static const struct { int sent, room; } cases[] = {
    {1, 0},       {8, 7},         {44, 43},        {45, 44},          {64, 1},           {1000, 999},
    {4096, 4095}, {16384, 100},   {65536, 65535},  {70000, 0},        {300000, 299999},  {1048576, 8},
    {5242880, 0}, {5242880, 5242879},
};
enum { CASES = sizeof cases / sizeof cases[0] };

enum { RECV, IRECV_LATE, IRECV_POSTED, SENDRECV, WAITALL, TEST, MODES };

static void receive(int room, int mode, int from)
{
    unsigned char *b = check_alloc(room + FENCE);
    MPI_Request request[2];
    MPI_Status st[2];
    int after = -1, flag = 0, rc = -1;
    memset(st, 0x5c, sizeof st);

    switch (mode) {
    case RECV:
        CHECK_CLASS(MPI_Recv(b, room, MPI_BYTE, from, 1, MPI_COMM_WORLD, &st[0]), MPI_ERR_TRUNCATE);
        break;
    case SENDRECV:
        CHECK_CLASS(MPI_Sendrecv(NULL, 0, MPI_BYTE, MPI_PROC_NULL, 0, b, room, MPI_BYTE, from, 1,
                                 MPI_COMM_WORLD, &st[0]),
                    MPI_ERR_TRUNCATE);
        break;
    case IRECV_LATE:
        CHECK_MPI(MPI_Probe(from, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        CHECK_MPI(MPI_Irecv(b, room, MPI_BYTE, from, 1, MPI_COMM_WORLD, &request[0]));
        CHECK_CLASS(MPI_Wait(&request[0], &st[0]), MPI_ERR_TRUNCATE);
        CHECK(request[0] == MPI_REQUEST_NULL);
        break;
    case IRECV_POSTED:
        CHECK_MPI(MPI_Irecv(b, room, MPI_BYTE, from, 1, MPI_COMM_WORLD, &request[0]));
        CHECK_MPI(MPI_Send(NULL, 0, MPI_BYTE, from, 99, MPI_COMM_WORLD));
        CHECK_CLASS(MPI_Wait(&request[0], &st[0]), MPI_ERR_TRUNCATE);
        CHECK(request[0] == MPI_REQUEST_NULL);
        break;
    case TEST:
        CHECK_MPI(MPI_Irecv(b, room, MPI_BYTE, from, 1, MPI_COMM_WORLD, &request[0]));
        while (!flag) {
            rc = MPI_Test(&request[0], &flag, &st[0]);
            if (rc != MPI_SUCCESS)
                break;
        }
        CHECK_CLASS(rc, MPI_ERR_TRUNCATE);
        CHECK(request[0] == MPI_REQUEST_NULL);
        break;
    case WAITALL:
        /* Two receives, of which one fails: the statuses say which. */
        CHECK_MPI(MPI_Irecv(b, room, MPI_BYTE, from, 1, MPI_COMM_WORLD, &request[0]));
        CHECK_MPI(MPI_Irecv(&after, 1, MPI_INT, from, 2, MPI_COMM_WORLD, &request[1]));
        CHECK_CLASS(MPI_Waitall(2, request, st), MPI_ERR_IN_STATUS);
        CHECK_CLASS(st[0].MPI_ERROR, MPI_ERR_TRUNCATE);
        if (st[1].MPI_ERROR == MPI_ERR_PENDING) {
            CHECK(request[1] != MPI_REQUEST_NULL);
            CHECK_MPI(MPI_Wait(&request[1], &st[1]));
        } else {
            CHECK_EQ(st[1].MPI_ERROR, MPI_SUCCESS);
            CHECK(request[1] == MPI_REQUEST_NULL);
        }
        CHECK_EQ(after, 4711);
        break;
    }
    CHECK_STATUS(st[0], from, 1);
    CHECK_FRESH(b, room, FENCE);
    CHECK_GUARD(b);
    if (mode != WAITALL) {
        CHECK_MPI(MPI_Recv(&after, 1, MPI_INT, from, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        CHECK_EQ(after, 4711);
    }
    check_free(b);
}

static void send(int n, int mode, int to)
{
    unsigned char *b = check_alloc(n);
    int after = 4711;
    check_fill(b, n, n);
    if (mode == IRECV_POSTED)
        CHECK_MPI(MPI_Recv(NULL, 0, MPI_BYTE, to, 99, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    CHECK_MPI(MPI_Send(b, n, MPI_BYTE, to, 1, MPI_COMM_WORLD));
    CHECK_MPI(MPI_Send(&after, 1, MPI_INT, to, 2, MPI_COMM_WORLD));
    CHECK_DATA(b, n, n);
    check_free(b);
}

/* A rank alone can truncate its own message. */
static void to_self(int n, int room)
{
    unsigned char *out = check_alloc(n), *in = check_alloc(room + FENCE);
    MPI_Request request;
    MPI_Status st;
    CHECK_MPI(MPI_Isend(out, n, MPI_BYTE, me, 1, MPI_COMM_WORLD, &request));
    CHECK_CLASS(MPI_Recv(in, room, MPI_BYTE, me, 1, MPI_COMM_WORLD, &st), MPI_ERR_TRUNCATE);
    CHECK_MPI(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK_FRESH(in, room, FENCE);
    check_free(in);

    in = check_alloc(room + FENCE);
    CHECK_MPI(MPI_Irecv(in, room, MPI_BYTE, me, 1, MPI_COMM_WORLD, &request));
    CHECK_MPI(MPI_Send(out, n, MPI_BYTE, me, 1, MPI_COMM_WORLD));
    CHECK_CLASS(MPI_Wait(&request, &st), MPI_ERR_TRUNCATE);
    CHECK_FRESH(in, room, FENCE);
    check_free(in);
    check_free(out);
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    for (int i = 0; i < CASES; i++)
        to_self(cases[i].sent, cases[i].room);
    int partner = me ^ 1;
    if (partner < np)
        for (int mode = 0; mode < MODES; mode++)
            for (int i = 0; i < CASES; i++)
                for (int turn = 0; turn < 2; turn++) {
                    if ((me & 1) == turn)
                        send(cases[i].sent, mode, partner);
                    else
                        receive(cases[i].room, mode, partner);
                }
    CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
    return check_finish();
}
