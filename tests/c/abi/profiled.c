/* Three sends and three receives per rank, for the preloaded profiler to count; no idea that there is one. */
#include "check.h"

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    for (int i = 0; i < 3; i++) {
        int in = -1, peer = me ^ 1;
        if (peer >= np)
            peer = MPI_PROC_NULL;
        if (me & 1)
            CHECK_MPI(MPI_Recv(&in, 1, MPI_INT, peer, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        CHECK_MPI(MPI_Send(&me, 1, MPI_INT, peer, i, MPI_COMM_WORLD));
        if (!(me & 1))
            CHECK_MPI(MPI_Recv(&in, 1, MPI_INT, peer, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        CHECK_EQ(in, peer == MPI_PROC_NULL ? -1 : peer);
    }
    return check_finish();
}
