/* Large messages cross in both directions at once, in every combination of calls that must not block. */
#include "check.h"

static const int sizes[] = {65536, 262144, 1048576, 5242880};

static void cross(int n, int mode, int peer)
{
    unsigned char *out = check_alloc(n), *in = check_alloc(n);
    MPI_Request r[2];
    MPI_Status st;
    check_fill(out, n, n + me);
    switch (mode) {
    case 0:
        CHECK_MPI(MPI_Irecv(in, n, MPI_BYTE, peer, 1, MPI_COMM_WORLD, &r[0]));
        CHECK_MPI(MPI_Send(out, n, MPI_BYTE, peer, 1, MPI_COMM_WORLD));
        CHECK_MPI(MPI_Wait(&r[0], &st));
        break;
    case 1:
        CHECK_MPI(MPI_Isend(out, n, MPI_BYTE, peer, 1, MPI_COMM_WORLD, &r[0]));
        CHECK_MPI(MPI_Recv(in, n, MPI_BYTE, peer, 1, MPI_COMM_WORLD, &st));
        CHECK_MPI(MPI_Wait(&r[0], MPI_STATUS_IGNORE));
        break;
    case 2:
        CHECK_MPI(MPI_Sendrecv(out, n, MPI_BYTE, peer, 1, in, n, MPI_BYTE, peer, 1, MPI_COMM_WORLD, &st));
        break;
    case 3:
        CHECK_MPI(MPI_Isend(out, n, MPI_BYTE, peer, 1, MPI_COMM_WORLD, &r[0]));
        CHECK_MPI(MPI_Irecv(in, n, MPI_BYTE, peer, 1, MPI_COMM_WORLD, &r[1]));
        for (int done = 0; done != 3;)
            for (int i = 0; i < 2; i++) {
                int flag = 0;
                if (done & (1 << i))
                    continue;
                CHECK_MPI(MPI_Test(&r[i], &flag, i ? &st : MPI_STATUS_IGNORE));
                done |= flag << i;
            }
        break;
    }
    CHECK_STATUS(st, peer, 1);
    CHECK_COUNT(st, MPI_BYTE, n);
    CHECK_DATA(in, n, n + peer);
    CHECK_DATA(out, n, n + me);
    check_free(in);
    check_free(out);
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    int peer = me ^ 1;
    if (peer >= np)
        peer = me;
    for (int mode = 0; mode < 4; mode++)
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
            cross(sizes[i], mode, peer);
    CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
    return check_finish();
}
