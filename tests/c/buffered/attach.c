/*
 * Sends in buffered mode: from a buffer of the process, of a communicator (which comes first), and an
 * automatic one. A send returns before its receive is posted, whatever its size; detach and flush wait for
 * the messages, iflush is a request; a buffer that is too small or missing is MPI_ERR_BUFFER. Argument "new":
 * with what MPI 4.1 brought.
 */
#include "check.h"

enum { BIG = 120000, COUNT = 5 };

static const int sizes[COUNT] = {4, BIG, 0, 3000, BIG};

static void send_all(int to, MPI_Comm comm)
{
    static char out[BIG];
    for (int i = 0; i < COUNT; i++) {
        check_fill(out, sizes[i], 10 * i + me);
        if (i % 2 == 0) {
            CHECK_MPI(MPI_Bsend(out, sizes[i], MPI_BYTE, to, i, comm));
        } else {
            MPI_Request r;
            CHECK_MPI(MPI_Ibsend(out, sizes[i], MPI_BYTE, to, i, comm, &r));
            CHECK_MPI(MPI_Wait(&r, MPI_STATUS_IGNORE));
        }
        memset(out, 0, sizeof out); /* the buffer is the program's again */
    }
}

static void receive_all(int from, MPI_Comm comm)
{
    for (int i = COUNT - 1; i >= 0; i--) {
        MPI_Status s;
        char *in = check_alloc(sizes[i]);
        CHECK_MPI(MPI_Recv(in, sizes[i], MPI_BYTE, from, i, comm, &s));
        CHECK_COUNT(s, MPI_BYTE, sizes[i]);
        CHECK_DATA(in, sizes[i], 10 * i + from);
        check_free(in);
    }
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    int to = (me + 1) % np, from = (me + np - 1) % np, room = COUNT * (BIG + MPI_BSEND_OVERHEAD), size = -1;
    void *a = check_alloc(room), *b = check_alloc(room), *back = NULL;

    CHECK_MPI(MPI_Buffer_attach(a, room));
    send_all(to, MPI_COMM_WORLD);
    receive_all(from, MPI_COMM_WORLD);
    CHECK_MPI(MPI_Buffer_detach(&back, &size));
    CHECK(back == a);
    CHECK_EQ(size, room);

    CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    CHECK_CLASS(MPI_Bsend(a, 1, MPI_BYTE, to, 0, MPI_COMM_WORLD), MPI_ERR_BUFFER);
    CHECK_MPI(MPI_Buffer_attach(a, MPI_BSEND_OVERHEAD + 10));
    CHECK_CLASS(MPI_Bsend(b, 1000000, MPI_BYTE, to, 0, MPI_COMM_WORLD), MPI_ERR_BUFFER);
    CHECK_MPI(MPI_Buffer_detach(&back, &size));

#ifdef MPI_BUFFER_AUTOMATIC
    if (argc > 1) {
        CHECK_MPI(MPI_Comm_attach_buffer(MPI_COMM_WORLD, b, room));
        CHECK_MPI(MPI_Buffer_attach(a, MPI_BSEND_OVERHEAD)); /* too small: the other one has to be taken */
        send_all(to, MPI_COMM_WORLD);
        MPI_Request r;
        CHECK_MPI(MPI_Comm_iflush_buffer(MPI_COMM_WORLD, &r));
        receive_all(from, MPI_COMM_WORLD);
        CHECK_MPI(MPI_Wait(&r, MPI_STATUS_IGNORE));
        CHECK_MPI(MPI_Comm_flush_buffer(MPI_COMM_WORLD));
        CHECK_MPI(MPI_Buffer_flush());
        CHECK_MPI(MPI_Comm_detach_buffer(MPI_COMM_WORLD, &back, &size));
        CHECK(back == b);
        CHECK_EQ(size, room);
        CHECK_MPI(MPI_Buffer_detach(&back, &size));
        CHECK(back == a);

        CHECK_MPI(MPI_Buffer_attach(MPI_BUFFER_AUTOMATIC, 0));
        send_all(to, MPI_COMM_WORLD);
        CHECK_MPI(MPI_Buffer_iflush(&r));
        receive_all(from, MPI_COMM_WORLD);
        CHECK_MPI(MPI_Wait(&r, MPI_STATUS_IGNORE));
        CHECK_MPI(MPI_Buffer_detach(&back, &size));
        CHECK(back == MPI_BUFFER_AUTOMATIC);
        CHECK_EQ(size, 0);
    }
#endif
    check_free(a);
    check_free(b);
    return check_finish();
}
