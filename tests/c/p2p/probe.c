/* MPI_Probe and MPI_Iprobe say what the next matching message is without taking it. */
#include "check.h"

static const int sizes[] = {0, 1, 8, 44, 45, 100, 4096, 16384, 65536, 1048576};
enum { SIZES = sizeof sizes / sizeof sizes[0] };

static void wait_probe(int source, int tag, MPI_Status *st, int polling)
{
    if (!polling) {
        CHECK_MPI(MPI_Probe(source, tag, MPI_COMM_WORLD, st));
        return;
    }
    int flag = 0;
    while (!flag)
        CHECK_MPI(MPI_Iprobe(source, tag, MPI_COMM_WORLD, &flag, st));
}

static void take(int source, int tag, int n, uint64_t seed)
{
    unsigned char *b = check_alloc(n);
    MPI_Status st;
    CHECK_MPI(MPI_Recv(b, n, MPI_BYTE, source, tag, MPI_COMM_WORLD, &st));
    CHECK_COUNT(st, MPI_BYTE, n);
    CHECK_DATA(b, n, seed);
    check_free(b);
}

/* A size unknown to the receiver: probe, allocate, receive. */
static void probe_then_receive(int from, int to, int polling, int wild)
{
    for (int i = 0; i < SIZES; i++) {
        unsigned char *out = check_alloc(sizes[i]);
        MPI_Request request;
        MPI_Status st;
        int n = -1;
        check_fill(out, sizes[i], me * 100 + i);
        CHECK_MPI(MPI_Isend(out, sizes[i], MPI_BYTE, to, 30 + i, MPI_COMM_WORLD, &request));
        wait_probe(wild ? MPI_ANY_SOURCE : from, wild ? MPI_ANY_TAG : 30 + i, &st, polling);
        CHECK_STATUS(st, from, 30 + i);
        CHECK_MPI(MPI_Get_count(&st, MPI_BYTE, &n));
        CHECK_EQ(n, sizes[i]);
        take(st.MPI_SOURCE, st.MPI_TAG, n, from * 100 + i);
        CHECK_MPI(MPI_Wait(&request, MPI_STATUS_IGNORE));
        check_free(out);
    }
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    int from = (me + np - 1) % np, to = (me + 1) % np, flag = -1;
    MPI_Status st;

    CHECK_MPI(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &st));
    CHECK_EQ(flag, 0);
    CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));

    for (int mode = 0; mode < 4; mode++) {
        probe_then_receive(from, to, mode & 1, mode & 2);
        CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
    }

    /* A probe sees the message that a receive with the same arguments would take, again and again. */
    int a = 1, b = 2, got = 0;
    MPI_Request request[2];
    CHECK_MPI(MPI_Isend(&a, 1, MPI_INT, to, 1, MPI_COMM_WORLD, &request[0]));
    CHECK_MPI(MPI_Isend(&b, 1, MPI_INT, to, 2, MPI_COMM_WORLD, &request[1]));
    CHECK_MPI(MPI_Probe(from, 2, MPI_COMM_WORLD, &st));
    CHECK_EQ(st.MPI_TAG, 2);
    for (int i = 0; i < 3; i++) {
        CHECK_MPI(MPI_Probe(from, MPI_ANY_TAG, MPI_COMM_WORLD, &st));
        CHECK_EQ(st.MPI_TAG, 1);
        CHECK_MPI(MPI_Iprobe(from, 2, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE));
        CHECK(flag);
        CHECK_MPI(MPI_Iprobe(from, 3, MPI_COMM_WORLD, &flag, &st));
        CHECK(!flag);
    }
    CHECK_MPI(MPI_Recv(&got, 1, MPI_INT, from, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    CHECK_EQ(got, 2);
    CHECK_MPI(MPI_Iprobe(from, 2, MPI_COMM_WORLD, &flag, &st));
    CHECK(!flag);
    CHECK_MPI(MPI_Recv(&got, 1, MPI_INT, from, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    CHECK_EQ(got, 1);
    CHECK_MPI(MPI_Waitall(2, request, MPI_STATUSES_IGNORE));

    /* A posted receive has taken its message; a probe does not see it. */
    int value = 77, in = 0;
    CHECK_MPI(MPI_Irecv(&in, 1, MPI_INT, from, 9, MPI_COMM_WORLD, &request[0]));
    CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
    CHECK_MPI(MPI_Send(&value, 1, MPI_INT, to, 9, MPI_COMM_WORLD));
    CHECK_MPI(MPI_Isend(&value, 1, MPI_INT, to, 10, MPI_COMM_WORLD, &request[1]));
    CHECK_MPI(MPI_Probe(from, MPI_ANY_TAG, MPI_COMM_WORLD, &st));
    CHECK_EQ(st.MPI_TAG, 10);
    CHECK_MPI(MPI_Wait(&request[0], MPI_STATUS_IGNORE));
    CHECK_EQ(in, 77);
    CHECK_MPI(MPI_Recv(&in, 1, MPI_INT, from, 10, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    CHECK_MPI(MPI_Wait(&request[1], MPI_STATUS_IGNORE));

    /* MPI_PROC_NULL has a message of no length ready at any time. */
    CHECK_MPI(MPI_Probe(MPI_PROC_NULL, 3, MPI_COMM_WORLD, &st));
    CHECK_STATUS(st, MPI_PROC_NULL, MPI_ANY_TAG);
    CHECK_COUNT(st, MPI_INT, 0);
    flag = 0;
    CHECK_MPI(MPI_Iprobe(MPI_PROC_NULL, 3, MPI_COMM_WORLD, &flag, &st));
    CHECK(flag);
    CHECK_STATUS(st, MPI_PROC_NULL, MPI_ANY_TAG);
    return check_finish();
}
