/* A program to be debugged. */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

int step(int rank, int i)
{
    int x = rank * 10 + i;

    return x + 1;
}

int main(int argc, char **argv)
{
    int rank, sum = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 3; i++)
        sum += step(rank, i);
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    printf("rank %d has %d\n", rank, sum);
    fflush(stdout);
    while (argc > 1)
        usleep(1000);
    MPI_Finalize();
    return 0;
}
