/* ring.c - a token goes round: each rank adds its own number and passes it on.
 *
 *   mpicc -o ring ring.c
 *   mpiexec -n 4 ./ring
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    const int next = (rank + 1) % size, previous = (rank + size - 1) % size;
    long long token = 0;
    MPI_Request sent;

    /* Rank 0 starts the token and waits for it to come back. It must not block
     * in the send: with a single rank nobody else could receive. */
    if (rank == 0) {
        MPI_Isend(&token, 1, MPI_LONG_LONG, next, 0, MPI_COMM_WORLD, &sent);
        long long back;
        MPI_Recv(&back, 1, MPI_LONG_LONG, previous, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Wait(&sent, MPI_STATUS_IGNORE);
        printf("the token came round %d ranks with %lld\n", size, back);
    } else {
        MPI_Recv(&token, 1, MPI_LONG_LONG, previous, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        token += rank;
        MPI_Send(&token, 1, MPI_LONG_LONG, next, 0, MPI_COMM_WORLD);
    }

    MPI_Finalize();
    return 0;
}
