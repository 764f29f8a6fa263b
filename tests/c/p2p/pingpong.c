/* Many short exchanges in a row between all pairs: what fills and empties every ring and queue again and
 * again. */
#include "check.h"

enum { ROUNDS = 3000 };

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    for (int step = 0; step < 8; step++) {
        int peer = me ^ step;
        if (peer >= np)
            continue;
        for (int i = 0; i < ROUNDS; i++) {
            long out[20] = {i, me, step}, in[20];
            int n = 3 + i % 18;
            memset(in, 0xff, sizeof in);
            if (me < peer) {
                CHECK_MPI(MPI_Send(out, n, MPI_LONG, peer, i & 3, MPI_COMM_WORLD));
                CHECK_MPI(MPI_Recv(in, 20, MPI_LONG, peer, i & 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
            } else if (me > peer) {
                CHECK_MPI(MPI_Recv(in, 20, MPI_LONG, peer, i & 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
                CHECK_MPI(MPI_Send(out, n, MPI_LONG, peer, i & 3, MPI_COMM_WORLD));
            } else {
                CHECK_MPI(MPI_Sendrecv(out, n, MPI_LONG, me, 0, in, 20, MPI_LONG, me, 0, MPI_COMM_WORLD,
                                       MPI_STATUS_IGNORE));
            }
            CHECK_EQ(in[0], i);
            CHECK_EQ(in[1], peer);
            CHECK_EQ(in[2], step);
            if (n < 20)
                CHECK_EQ(in[19], -1);
        }
    }
    return check_finish();
}
