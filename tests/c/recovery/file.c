/*
 * Files of a communicator that has lost a rank: collective calls fail with MPIX_ERR_PROC_FAILED, what each
 * rank does by itself works, and the file can be closed. Those that live open it again, and find what was
 * written.
 */
#include "recovery.h"

int main(int argc, char **argv)
{
    MPI_Comm c, rest;
    MPI_File f;
    MPI_Status st;
    int x, size, rank;

    recovery_begin(&argc, &argv);
    CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &c));
    CHECK_MPI(MPI_File_open(c, "kept", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &f));
    CHECK_MPI(MPI_File_set_view(f, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
    x = 100 + me;
    CHECK_MPI(MPI_File_write_at_all(f, me, &x, 1, MPI_INT, &st));
    recovery_await_others(c, np - 1, np - 1);
    if (me == np - 1)
        recovery_die(0);
    CHECK_CLASS(MPI_File_write_at_all(f, np + me, &x, 1, MPI_INT, &st), MPIX_ERR_PROC_FAILED);
    CHECK_CLASS(MPI_File_set_size(f, 4 * np), MPIX_ERR_PROC_FAILED);
    CHECK_MPI(MPI_File_read_at(f, np - 1, &x, 1, MPI_INT, &st));
    CHECK_EQ(x, 100 + np - 1);
    int rc = MPI_File_close(&f);
    CHECK_MSG(rc == MPI_SUCCESS || error_class(rc) == MPIX_ERR_PROC_FAILED, "closing ends with class %d",
              error_class(rc));
    CHECK_MSG(f == MPI_FILE_NULL, "the file is open still");
    CHECK_CLASS(MPI_File_open(c, "kept", MPI_MODE_RDWR, MPI_INFO_NULL, &f), MPIX_ERR_PROC_FAILED);

    CHECK_MPI(MPIX_Comm_shrink(c, &rest));
    MPI_Comm_size(rest, &size);
    MPI_Comm_rank(rest, &rank);
    CHECK_MPI(MPI_File_open(rest, "kept", MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &f));
    CHECK_MPI(MPI_File_read_at_all(f, 4 * ((rank + 1) % np), &x, 1, MPI_INT, &st));
    CHECK_EQ(x, 100 + (rank + 1) % np);
    CHECK_MPI(MPI_File_close(&f));
    CHECK_MPI(MPI_Comm_free(&rest));
    CHECK_MPI(MPI_Comm_free(&c));
    return recovery_end(1);
}
