/* Tags from 0 to the largest that the standard promises (32767), and on gompi the largest that it has. */
#include "check.h"

int main(int argc, char **argv)
{
    static const int tags[] = {0, 1, 255, 256, 32766, 32767,
#ifdef TEST_GOMPI
                               32768, 65535, 65536, 16777216, (1 << 30) - 2, (1 << 30) - 1,
#endif
    };
    enum { N = sizeof tags / sizeof tags[0] };

    check_init(&argc, &argv);
    int to = (me + 1) % np, from = (me + np - 1) % np;
    MPI_Request r[N];
    int out[N];
    for (int i = 0; i < N; i++) {
        out[i] = tags[i] ^ me;
        CHECK_MPI(MPI_Isend(&out[i], 1, MPI_INT, to, tags[i], MPI_COMM_WORLD, &r[i]));
    }
    for (int i = N - 1; i >= 0; i--) {
        int in = -1;
        MPI_Status st;
        CHECK_MPI(MPI_Recv(&in, 1, MPI_INT, from, tags[i], MPI_COMM_WORLD, &st));
        CHECK_EQ(in, tags[i] ^ from);
        CHECK_STATUS(st, from, tags[i]);
    }
    CHECK_MPI(MPI_Waitall(N, r, MPI_STATUSES_IGNORE));
    return check_finish();
}
