/* Atomic mode: ranks write the same bytes at the same time, with gaps between them, and each read finds what
 * one of them wrote, whole. */
#include "io.h"

enum { N = 3000, ROUNDS = 30 };

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    MPI_File f = io_open("atomic", MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE);
    MPI_Datatype tile;
    MPI_Type_vector(N, 1, 3, MPI_INT, &tile);
    MPI_Type_commit(&tile);
    int flag = -1;
    CHECK_MPI(MPI_File_get_atomicity(f, &flag));
    CHECK_EQ(flag, 0);
    CHECK_MPI(MPI_File_set_atomicity(f, 1));
    for (int strided = 0; strided < 2; strided++) {
        CHECK_MPI(MPI_File_set_view(f, 0, MPI_INT, strided ? tile : MPI_INT, "native", MPI_INFO_NULL));
        static int out[N], in[N];
        for (int i = 0; i < N; i++)
            out[i] = -1;
        CHECK_MPI(MPI_File_write_at_all(f, 0, out, me == 0 ? N : 0, MPI_INT, MPI_STATUS_IGNORE));
        CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
        for (int round = 0; round < ROUNDS; round++) {
            for (int i = 0; i < N; i++)
                out[i] = round * 100 + me;
            if (me % 2 == 0 || round % 3 == 0)
                CHECK_MPI(MPI_File_write_at(f, 0, out, N, MPI_INT, MPI_STATUS_IGNORE));
            MPI_Request r;
            if (round % 2) {
                CHECK_MPI(MPI_File_iread_at(f, 0, in, N, MPI_INT, &r));
                CHECK_MPI(MPI_Wait(&r, MPI_STATUS_IGNORE));
            } else {
                CHECK_MPI(MPI_File_read_at(f, 0, in, N, MPI_INT, MPI_STATUS_IGNORE));
            }
            for (int i = 1; i < N; i++)
                CHECK_MSG(in[i] == in[0], "round %d: element %d is of %d, the first of %d", round, i, in[i], in[0]);
        }
        CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
    }
    CHECK_MPI(MPI_File_set_atomicity(f, 0));
    MPI_Type_free(&tile);
    CHECK_MPI(MPI_File_close(&f));
    return check_finish();
}
