/* pi.c - the area under 4 / (1 + x^2) between 0 and 1 is pi; each rank adds up
 * its share of narrow strips, and a reduction adds up the ranks.
 *
 *   mpicc -O2 -o pi pi.c
 *   mpiexec -n 4 ./pi [strips]
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size;
    long long strips = 100000000;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    if (rank == 0 && argc > 1)
        strips = atoll(argv[1]);
    MPI_Bcast(&strips, 1, MPI_LONG_LONG, 0, MPI_COMM_WORLD);
    if (strips < 1) {
        if (rank == 0)
            fprintf(stderr, "usage: pi [strips], at least 1\n");
        MPI_Finalize();
        return 1;
    }

    double seconds = MPI_Wtime(), sum = 0, pi = 0;
    for (long long i = rank; i < strips; i += size) {
        double x = (i + 0.5) / strips;
        sum += 4 / (1 + x * x);
    }
    sum /= strips;
    MPI_Reduce(&sum, &pi, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    seconds = MPI_Wtime() - seconds;

    if (rank == 0)
        printf("pi is about %.12f  (%lld strips, %d ranks, %.3f s)\n", pi, strips, size, seconds);
    MPI_Finalize();
    return 0;
}
