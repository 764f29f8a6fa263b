/*
 * What ends the job all the same: a failure that meets the default error handler, MPI_Abort of one that has
 * gone on, and a death before all have begun MPI.
 */
#include "recovery.h"

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "handler";
    int x;

    if (strcmp(how, "early") == 0) {
        char *rank = getenv("PMI_RANK");
        if (rank != NULL && strcmp(rank, "1") == 0)
            recovery_die(0);
    }
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    if (strcmp(how, "abort") == 0)
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Barrier(MPI_COMM_WORLD);
    if (me == 1)
        recovery_die(0);
    MPI_Recv(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (me == 0 && strcmp(how, "abort") == 0)
        MPI_Abort(MPI_COMM_WORLD, 5);
    for (;;)
        pause();
}
