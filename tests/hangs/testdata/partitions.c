/* Partitioned communication whose partners do not do their part. */
#include "case.h"

static int data[4];

static void partitioned(void)
{
    MPI_Request r;
    if (rank == 0) {
        MPI_Psend_init(data, 2, 1, MPI_INT, 1, 4, WORLD, MPI_INFO_NULL, &r);
        MPI_Start(&r);
        MPI_Pready(0, r);
    } else {
        MPI_Precv_init(data, 2, 1, MPI_INT, 0, 4, WORLD, MPI_INFO_NULL, &r);
        MPI_Start(&r);
    }
    MPI_Wait(&r, IGNORE);
}

static void no_send(void)
{
    MPI_Request r;
    MPI_Precv_init(data, 2, 1, MPI_INT, 1 - rank, 4, WORLD, MPI_INFO_NULL, &r);
    MPI_Start(&r);
    MPI_Wait(&r, IGNORE);
}

static void no_receive(void)
{
    MPI_Request r;
    if (rank == 0) {
        MPI_Psend_init(data, 2, 1, MPI_INT, 1, 4, WORLD, MPI_INFO_NULL, &r);
        MPI_Start(&r);
        MPI_Pready_range(0, 1, r);
        MPI_Wait(&r, IGNORE);
    } else
        MPI_Recv(data, 1, MPI_INT, 0, 4, WORLD, IGNORE);
}

static void not_started(void)
{
    MPI_Request r;
    if (rank == 0)
        MPI_Psend_init(data, 2, 1, MPI_INT, 1, 4, WORLD, MPI_INFO_NULL, &r);
    else {
        MPI_Precv_init(data, 2, 1, MPI_INT, 0, 4, WORLD, MPI_INFO_NULL, &r);
        MPI_Start(&r);
        MPI_Wait(&r, IGNORE);
    }
    MPI_Barrier(WORLD);
}

CASES({"not-ready", partitioned}, {"no-send", no_send}, {"no-receive", no_receive}, {"not-started", not_started})
