/*
 * What cannot be is refused on all ranks, and leaves everything as it was: memory that ranks of several nodes
 * share. Argument "fatal": under the default handler that ends the job.
 */
#include "check.h"

int main(int argc, char **argv)
{
    MPI_Win win = MPI_WIN_NULL;
    int *memory = NULL, sum = 0, one = 1, size = 0;
    check_init(&argc, &argv);
    if (argc < 2 || strcmp(argv[1], "fatal") != 0)
        CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    CHECK_CLASS(
        MPI_Win_allocate_shared(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win),
        MPI_ERR_RMA_SHARED);
    CHECK(win == MPI_WIN_NULL && memory == NULL);
    CHECK_MPI(MPI_Comm_size(MPI_COMM_WORLD, &size));
    CHECK_MPI(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    CHECK_EQ(sum, size);
    return check_finish();
}
