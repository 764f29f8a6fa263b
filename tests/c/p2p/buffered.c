/*
 * Sends in buffered mode whose messages find room in their rings are carried out by the fast path, as long as
 * there is room in the attached buffer: of one that is too small the error is the same as ever. With an
 * argument, calls may be refused at random.
 */
#include "ring.h"

enum { MOST = 4096 };

static int out[MOST], in[MOST];
static char room[10 * (MOST * 4 + MPI_BSEND_OVERHEAD)];

static int bsend(int count, int dest, int tag)
{
    return MPI_Bsend(out, count, MPI_INT, dest, tag, MPI_COMM_WORLD);
}

static void attach(int size)
{
    CHECK_MPI(MPI_Buffer_attach(room, size));
}

static void detach(void)
{
    void *at;
    int size;
    CHECK_MPI(MPI_Buffer_detach(&at, &size));
}

static void plain(void)
{
    unsigned long long refusals = 0;
    for (int count = 1; count <= MOST; count *= 4) {
        MPI_Request r[2];
        unsigned long long before;
        for (int i = 0; i < count; i++)
            out[i] = 1000 * me + i;
        CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
        before = refused();
        CHECK_MPI(bsend(count, to, 1));
        CHECK_MPI(MPI_Ibsend(out, count, MPI_INT, to, 2, MPI_COMM_WORLD, &r[0]));
        CHECK_MPI(bsend(1, MPI_PROC_NULL, 3));
        refusals += refused() - before;
        CHECK_MPI(MPI_Wait(&r[0], MPI_STATUS_IGNORE));
        for (int tag = 1; tag <= 2; tag++) {
            memset(in, 0xff, sizeof in);
            CHECK_MPI(MPI_Recv(in, MOST, MPI_INT, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
            for (int i = 0; i < MOST; i++)
                CHECK_EQ(in[i], i < count ? 1000 * from + i : -1);
        }
    }
    if (!mixed && np > 1)
        CHECK_MSG(refusals == 0, "%llu calls are not plain", refusals);
}

/* What has no room in the buffer is an error, whether there is room in the ring or not. */
static void bounds(void)
{
    CHECK_CLASS(bsend(1, to, 4), MPI_ERR_BUFFER);
    attach(100 * 4 + MPI_BSEND_OVERHEAD);
    CHECK_MPI(bsend(100, to, 5));
    CHECK_CLASS(bsend(101, to, 5), MPI_ERR_BUFFER);
    CHECK_MPI(MPI_Recv(in, MOST, MPI_INT, from, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    detach();
    CHECK_CLASS(bsend(1, to, 4), MPI_ERR_BUFFER);
    CHECK_MPI(bsend(1, MPI_PROC_NULL, 4));
}

/* A communicator with a buffer of its own uses that one alone. */
static void own(void)
{
    static char little[10 + MPI_BSEND_OVERHEAD];
    MPI_Comm other;
    MPI_Request r;
    void *at;
    int size;
    CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &other));
    attach(sizeof room);
    CHECK_MPI(MPI_Comm_attach_buffer(other, little, sizeof little));
    CHECK_CLASS(MPI_Bsend(out, 11, MPI_BYTE, to, 1, other), MPI_ERR_BUFFER);
    CHECK_CLASS(MPI_Ibsend(out, 11, MPI_BYTE, to, 1, other, &r), MPI_ERR_BUFFER);
    CHECK_MPI(bsend(11, to, 1));
    CHECK_MPI(MPI_Recv(in, MOST, MPI_INT, from, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    CHECK_MPI(MPI_Comm_detach_buffer(other, &at, &size));
    CHECK_MPI(MPI_Bsend(out, 11, MPI_BYTE, to, 1, other));
    CHECK_MPI(MPI_Recv(in, MOST, MPI_INT, from, 1, other, MPI_STATUS_IGNORE));
    detach();
    CHECK_MPI(MPI_Comm_free(&other));
}

/* More than the ring holds: the rest waits in the buffer, in order, and fills it in the end. */
static void many(void)
{
    enum { COUNT = 200, SIZE = 1000, HELD = 30 };
    int sent = 0, failed = 0;
    attach(HELD * (SIZE * 4 + MPI_BSEND_OVERHEAD));
    CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
    for (int i = 0; i < COUNT; i++) {
        int error, class;
        out[0] = i;
        error = bsend(SIZE, to, 6);
        MPI_Error_class(error, &class);
        CHECK(class == MPI_SUCCESS || class == MPI_ERR_BUFFER);
        if (class != MPI_SUCCESS) {
            failed++;
            break;
        }
        sent++;
    }
    CHECK(sent > HELD);
    CHECK_MPI(MPI_Sendrecv(&sent, 1, MPI_INT, to, 7, &failed, 1, MPI_INT, from, 7, MPI_COMM_WORLD,
                           MPI_STATUS_IGNORE));
    for (int i = 0; i < failed; i++) {
        CHECK_MPI(MPI_Recv(in, MOST, MPI_INT, from, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        CHECK_EQ(in[0], i);
    }
    detach();
}

int main(int argc, char **argv)
{
    ring_begin(argc, argv);
    bounds();
    attach(sizeof room);
    plain();
    detach();
    own();
    many();
    return refusals_finish();
}
