/* Synchronous and ready sends (MPI 5.0, 3.4), blocking and not: what each promises, at all sizes. */
#include "check.h"
#include <unistd.h>

static const int sizes[] = {0, 1, 8, 45, 1000, 20000, 300000};
enum { SIZES = sizeof sizes / sizeof sizes[0], LARGEST = 300000 };

/* A synchronous send is not done before its receive has begun, however small it is. */
static void synchronous(int n, int peer)
{
    unsigned char *b = check_alloc(n);
    MPI_Request r;
    if (me % 2 == 0) {
        int flag = -1;
        check_fill(b, n, n + 1);
        CHECK_MPI(MPI_Issend(b, n, MPI_BYTE, peer, 1, MPI_COMM_WORLD, &r));
        for (int i = 0; i < 20; i++) {
            CHECK_MPI(MPI_Test(&r, &flag, MPI_STATUS_IGNORE));
            CHECK_MSG(!flag, "a synchronous send of %d bytes was done before its receive", n);
            if (flag)
                break;
            usleep(200);
        }
        CHECK_MPI(MPI_Send(NULL, 0, MPI_BYTE, peer, 2, MPI_COMM_WORLD)); /* "go" */
        CHECK_MPI(MPI_Wait(&r, MPI_STATUS_IGNORE));
        CHECK_MPI(MPI_Ssend(b, n, MPI_BYTE, peer, 3, MPI_COMM_WORLD));
    } else {
        CHECK_MPI(MPI_Recv(NULL, 0, MPI_BYTE, peer, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        CHECK_MPI(MPI_Recv(b, n, MPI_BYTE, peer, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        CHECK_DATA(b, n, n + 1);
        check_renew(b, n);
        CHECK_MPI(MPI_Irecv(b, n, MPI_BYTE, peer, 3, MPI_COMM_WORLD, &r));
        CHECK_MPI(MPI_Wait(&r, MPI_STATUS_IGNORE));
        CHECK_DATA(b, n, n + 1);
    }
    check_free(b);
}

/* A ready send finds its receive posted: the receiver says so first. */
static void ready(int n, int peer)
{
    unsigned char *b = check_alloc(n), *c = check_alloc(n);
    MPI_Request r[2];
    if (me % 2 == 0) {
        check_fill(b, n, n + 7);
        CHECK_MPI(MPI_Recv(NULL, 0, MPI_BYTE, peer, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        CHECK_MPI(MPI_Rsend(b, n, MPI_BYTE, peer, 5, MPI_COMM_WORLD));
        CHECK_MPI(MPI_Irsend(b, n, MPI_BYTE, peer, 6, MPI_COMM_WORLD, &r[0]));
        CHECK_MPI(MPI_Wait(&r[0], MPI_STATUS_IGNORE));
    } else {
        CHECK_MPI(MPI_Irecv(b, n, MPI_BYTE, peer, 5, MPI_COMM_WORLD, &r[0]));
        CHECK_MPI(MPI_Irecv(c, n, MPI_BYTE, peer, 6, MPI_COMM_WORLD, &r[1]));
        CHECK_MPI(MPI_Send(NULL, 0, MPI_BYTE, peer, 4, MPI_COMM_WORLD));
        CHECK_MPI(MPI_Waitall(2, r, MPI_STATUSES_IGNORE));
        CHECK_DATA(b, n, n + 7);
        CHECK_DATA(c, n, n + 7);
    }
    check_free(b);
    check_free(c);
}

/* To itself, a synchronous send needs the receive first or later, not both at once. */
static void to_self(int n)
{
    unsigned char *out = check_alloc(n), *in = check_alloc(n);
    MPI_Request s, r;
    int flag = -1;
    check_fill(out, n, n + 9);
    CHECK_MPI(MPI_Issend(out, n, MPI_BYTE, me, 7, MPI_COMM_WORLD, &s));
    CHECK_MPI(MPI_Test(&s, &flag, MPI_STATUS_IGNORE));
    CHECK(!flag);
    CHECK_MPI(MPI_Recv(in, n, MPI_BYTE, me, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    CHECK_MPI(MPI_Wait(&s, MPI_STATUS_IGNORE));
    CHECK_DATA(in, n, n + 9);
    check_renew(in, n);
    CHECK_MPI(MPI_Irecv(in, n, MPI_BYTE, me, 8, MPI_COMM_WORLD, &r));
    CHECK_MPI(MPI_Ssend(out, n, MPI_BYTE, me, 8, MPI_COMM_WORLD));
    CHECK_MPI(MPI_Wait(&r, MPI_STATUS_IGNORE));
    CHECK_DATA(in, n, n + 9);
    check_free(out);
    check_free(in);
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    int peer = me ^ 1;
    for (int i = 0; i < SIZES; i++) {
        to_self(sizes[i]);
        if (peer < np) {
            synchronous(sizes[i], peer);
            ready(sizes[i], peer);
        }
    }
    return check_finish();
}
