/* Programs that take long and do not hang. */
#include "case.h"

#include <time.h>

static double value = 1;

static void compute(double seconds)
{
    for (double end = MPI_Wtime() + seconds; MPI_Wtime() < end;)
        for (int i = 0; i < 1000; i++)
            value = value * 1.0000001 + 1e-9;
}

/* One computes, the others wait for it. */
static void one_computes(void)
{
    if (rank == 0)
        compute(3.5);
    MPI_Barrier(WORLD);
}

static void one_sleeps(void)
{
    if (rank == 0)
        sleep(4);
    MPI_Barrier(WORLD);
}

/* A message now and then: all sleep most of the time. */
static void slow_ring(void)
{
    int x = 0;
    for (int i = 0; i < 8; i++) {
        if (rank == 0) {
            usleep(450000);
            MPI_Send(&x, 1, MPI_INT, 1 % size, 0, WORLD);
        }
        MPI_Recv(&x, 1, MPI_INT, (rank + size - 1) % size, 0, WORLD, IGNORE);
        if (rank)
            MPI_Send(&x, 1, MPI_INT, (rank + 1) % size, 0, WORLD);
    }
}

/* It has left MPI and goes on. */
static void after(void)
{
    if (rank == 0) {
        MPI_Finalize();
        sleep(4);
        exit(0);
    }
}

static void polls(void)
{
    int x = 0, done = 0;
    MPI_Request r;
    if (rank == 0) {
        sleep(4);
        for (int to = 1; to < size; to++)
            MPI_Send(&x, 1, MPI_INT, to, 0, WORLD);
    } else {
        MPI_Irecv(&x, 1, MPI_INT, 0, 0, WORLD, &r);
        while (!done) {
            usleep(1000);
            MPI_Test(&r, &done, IGNORE);
        }
    }
}

CASES({"computes", one_computes}, {"sleeps", one_sleeps}, {"ring", slow_ring}, {"after", after}, {"polls", polls})
