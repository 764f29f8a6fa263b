/* A plug-in that uses MPI inside a program that does not: see plugin_host.c. */
#include <mpi.h>

int plugin_run(void)
{
    int rank, size, sum = -1;
    if (MPI_Init(0, 0) != MPI_SUCCESS)
        return 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return sum != size * (size - 1) / 2;
}
