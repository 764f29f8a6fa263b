/* A profiler as a library of its own, to be preloaded: it counts, and reports when the program finalizes. */
#include <mpi.h>
#include <stdio.h>

static int sends, receives;

int MPI_Send(const void *buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm)
{
    sends++;
    return PMPI_Send(buf, count, type, dest, tag, comm);
}

int MPI_Recv(void *buf, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Status *status)
{
    receives++;
    return PMPI_Recv(buf, count, type, source, tag, comm, status);
}

int MPI_Finalize(void)
{
    int rank, all[2], mine[2] = {sends, receives};
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Reduce(mine, all, 2, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("profiler: %d sends, %d receives\n", all[0], all[1]);
    return PMPI_Finalize();
}
