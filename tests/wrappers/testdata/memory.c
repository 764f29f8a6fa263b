/* Messages and collectives of all sizes, for valgrind; with an argument also a
 * mistake: "read" reads freed memory, "leak" loses some. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    int rank, size;
    double sum = 0, one = 1;
    void *lost;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int n = 1; n <= 1 << 20; n *= 32) {
        char *to = calloc(n, 1), *from = calloc(n, 1);
        memset(to, rank, n);
        MPI_Sendrecv(to, n, MPI_CHAR, (rank + 1) % size, 1, from, n, MPI_CHAR, (rank + size - 1) % size, 1,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (from[n - 1] != (rank + size - 1) % size)
            MPI_Abort(MPI_COMM_WORLD, 3);
        MPI_Bcast(to, n, MPI_CHAR, 0, MPI_COMM_WORLD);
        free(to);
        free(from);
    }
    MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (argc > 1 && strcmp(argv[1], "read") == 0) {
        volatile char *freed = malloc(10);
        free((void *)freed);
        sum += freed[3];
    }
    if (argc > 1 && strcmp(argv[1], "leak") == 0) {
        lost = malloc(4711);
        printf("%d\n", lost == NULL);
        lost = NULL;
    }
    if (rank == 0)
        printf("sum %.0f\n", sum);
    MPI_Finalize();
    return 0;
}
