/* leaves FILE: rank 0 sends its first message to rank 1 and does not call what waits in MPI before FILE tells
 * it that the message has come. */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

enum { LONG = 120 }; /* seconds after which it will not come */

int main(int argc, char **argv)
{
    int rank, value = 42;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    double begin = MPI_Wtime();
    if (rank == 0) {
        MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        while (access(argv[1], F_OK) != 0 && MPI_Wtime() - begin < LONG) /* a call that needs nobody */
            usleep(1000);
        puts(access(argv[1], F_OK) == 0 ? "it has come" : "it has not come");
    } else {
        MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        FILE *file = fopen(argv[1], "w");
        if (file == NULL || fclose(file) != 0)
            MPI_Abort(MPI_COMM_WORLD, 9);
    }
    MPI_Finalize();
    return 0;
}
