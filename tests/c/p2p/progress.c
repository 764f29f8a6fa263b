/*
 * A nonblocking operation is completed by whatever MPI call the rank makes next, on either side; and a rank
 * that computes (or sleeps) outside MPI delays others only, it does not lose anything.
 */
#include "check.h"
#include <unistd.h>

enum { N = 2000000 };

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    if (np < 2)
        check_skip("two ranks are needed");
    unsigned char *out = check_alloc(N), *in = check_alloc(N);
    MPI_Request s = MPI_REQUEST_NULL, r = MPI_REQUEST_NULL;
    int peer = me ^ 1, value = -1;

    if (peer < np) {
        /* The sender sits in a receive while its large send is still to be fetched. */
        check_fill(out, N, 5 + me);
        if (me & 1) {
            usleep(50 * 1000);
            CHECK_MPI(MPI_Recv(in, N, MPI_BYTE, peer, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
            CHECK_DATA(in, N, 5 + peer);
            CHECK_MPI(MPI_Send(&me, 1, MPI_INT, peer, 2, MPI_COMM_WORLD));
        } else {
            CHECK_MPI(MPI_Isend(out, N, MPI_BYTE, peer, 1, MPI_COMM_WORLD, &s));
            CHECK_MPI(MPI_Recv(&value, 1, MPI_INT, peer, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
            CHECK_EQ(value, peer);
            CHECK_MPI(MPI_Wait(&s, MPI_STATUS_IGNORE));
        }

        /* The receiver sits in a send while its large receive is still open. */
        check_renew(in, N);
        if (me & 1) {
            CHECK_MPI(MPI_Irecv(in, N, MPI_BYTE, peer, 3, MPI_COMM_WORLD, &r));
            CHECK_MPI(MPI_Send(out, N, MPI_BYTE, peer, 4, MPI_COMM_WORLD));
            CHECK_MPI(MPI_Wait(&r, MPI_STATUS_IGNORE));
            CHECK_DATA(in, N, 5 + peer);
        } else {
            usleep(20 * 1000);
            CHECK_MPI(MPI_Send(out, N, MPI_BYTE, peer, 3, MPI_COMM_WORLD));
            CHECK_MPI(MPI_Recv(in, N, MPI_BYTE, peer, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
            CHECK_DATA(in, N, 5 + peer);
        }

        /* Open sends and receives survive a barrier in between. */
        check_renew(in, N);
        check_fill(out, N, 9 + me);
        CHECK_MPI(MPI_Irecv(in, N, MPI_BYTE, peer, 5, MPI_COMM_WORLD, &r));
    }
    CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
    if (peer < np)
        CHECK_MPI(MPI_Isend(out, N, MPI_BYTE, peer, 5, MPI_COMM_WORLD, &s));
    CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
    if (peer < np) {
        CHECK_MPI(MPI_Wait(&s, MPI_STATUS_IGNORE));
        CHECK_MPI(MPI_Wait(&r, MPI_STATUS_IGNORE));
        CHECK_DATA(in, N, 9 + peer);
    }
    check_free(in);
    check_free(out);
    return check_finish();
}
