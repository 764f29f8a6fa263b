/* Ranks that never come back to MPI while others wait for them. */
#include "case.h"

static int data[4];
static volatile int never;

static void forever(void)
{
    while (!never)
        data[0]++;
}

static void collective(void)
{
    if (rank == size - 1)
        forever();
    MPI_Allreduce(MPI_IN_PLACE, data, 1, MPI_INT, MPI_SUM, WORLD);
}

static void message(void) /* only the neighbor waits for it, the others for that one */
{
    if (rank == 0)
        forever();
    MPI_Recv(data, 1, MPI_INT, rank - 1, 1, WORLD, IGNORE);
}

static void sleeper(void)
{
    if (rank == 0)
        sleep(1000);
    MPI_Barrier(WORLD);
}

static void polls(void) /* for a message that nobody sends */
{
    MPI_Request r;
    int done = 0;
    if (rank == 0) {
        MPI_Irecv(data, 1, MPI_INT, 1, 5, WORLD, &r);
        while (!done)
            MPI_Test(&r, &done, IGNORE);
    }
    MPI_Barrier(WORLD);
}

CASES({"collective", collective}, {"message", message}, {"sleeper", sleeper}, {"polls", polls})
