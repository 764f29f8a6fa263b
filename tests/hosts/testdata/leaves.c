/* Rank 0 sends its first message to rank 1 and does not call MPI for long. The message comes all the same. */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

enum { LONG = 8, SHORT = 4 }; /* seconds */

int main(int argc, char **argv)
{
    int rank, value = 42;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    double begin = MPI_Wtime();
    if (rank == 0) {
        MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        while (MPI_Wtime() - begin < LONG) /* a call that needs nobody */
            usleep(1000);
    } else {
        MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        double took = MPI_Wtime() - begin;
        printf(took < SHORT ? "in time\n" : "after %.1f s\n", took);
    }
    MPI_Finalize();
    return 0;
}
