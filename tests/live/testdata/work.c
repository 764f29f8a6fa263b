/* Ranks that do different things until they are killed, or as often as they are told. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile double value = 1;
static char data[1000];

static void burn(void)
{
    for (;;)
        for (int i = 0; i < 1000; i++)
            value = value * 1.0000001 + 1e-9;
}

static void nap(void)
{
    for (;;)
        sleep(1);
}

static void talk(int peer)
{
    for (;;)
        MPI_Sendrecv(data, 1000, MPI_CHAR, peer, 7, data + 0, 0, MPI_CHAR, MPI_PROC_NULL, 7, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE),
            MPI_Recv(data, 1000, MPI_CHAR, peer, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Two talk, one computes, one waits for it, one sleeps. */
static void all(int rank)
{
    if (rank < 2)
        talk(1 - rank);
    else if (rank == 2)
        burn();
    else if (rank == 3)
        MPI_Recv(data, 10, MPI_INT, 2, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else
        nap();
}

static void lines(int rank, int count)
{
    for (int i = 0; i < count; i++) {
        if (rank == 0)
            printf("line %d.\n", i);
        usleep(20000);
    }
}

int main(int argc, char **argv)
{
    int rank, size;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc > 2 && strcmp(argv[1], "lines") == 0) {
        lines(rank, atoi(argv[2]));
        MPI_Finalize();
        return 3;
    }
    if (size == 1)
        nap();
    all(rank);
    MPI_Finalize();
    return 0;
}
