/* Collective operations that some ranks have not called, or have called otherwise. */
#include "case.h"

static int in[64], out[64];

/* All ranks but the last one do it, and that one waits for a message. */
#define MISSING(name, call) \
    static void name(void) \
    { \
        if (rank == size - 1) \
            MPI_Recv(in, 1, MPI_INT, 0, 1, WORLD, IGNORE); \
        else \
            call; \
    }

MISSING(barrier, MPI_Barrier(WORLD))
MISSING(bcast, MPI_Bcast(in, 1, MPI_INT, size - 1, WORLD))
MISSING(reduce, MPI_Allreduce(in, out, 2, MPI_INT, MPI_SUM, WORLD))
MISSING(gather, MPI_Allgather(in, 1, MPI_INT, out, 1, MPI_INT, WORLD))
MISSING(scatter, MPI_Scatter(in, 1, MPI_INT, out, 1, MPI_INT, size - 1, WORLD))
MISSING(alltoall, MPI_Alltoall(in, 1, MPI_INT, out, 1, MPI_INT, WORLD))
MISSING(alltoallv_long, MPI_Allreduce(MPI_IN_PLACE, malloc(4 << 20), 1 << 20, MPI_INT, MPI_SUM, WORLD))
MISSING(scatter_reduce, MPI_Reduce_scatter_block(in, out, 1, MPI_INT, MPI_MAX, WORLD))

static void scan(void) /* rank 0, which all wait for */
{
    if (rank == 0)
        MPI_Recv(in, 1, MPI_INT, 1, 1, WORLD, IGNORE);
    else
        MPI_Scan(in, out, 1, MPI_INT, MPI_SUM, WORLD);
}

static void split(void)
{
    MPI_Comm part;
    if (rank == 0)
        MPI_Recv(in, 1, MPI_INT, 1, 1, WORLD, IGNORE);
    else
        MPI_Comm_split(WORLD, 0, 0, &part);
}

static void duplicate(void)
{
    MPI_Comm copy;
    if (rank == 0)
        MPI_Barrier(WORLD);
    else
        MPI_Comm_dup(WORLD, &copy);
}

static void roots(void) { MPI_Gather(in, 1, MPI_INT, out, 1, MPI_INT, rank == 1, WORLD); }

static void ended(void)
{
    if (rank < size - 1)
        MPI_Barrier(WORLD);
}

static void half(void) /* a barrier of some ranks that one of them has forgotten */
{
    MPI_Comm part;
    MPI_Comm_split(WORLD, rank < 2, 0, &part);
    MPI_Comm_set_name(part, "part");
    if (rank != 3)
        MPI_Barrier(part);
    MPI_Barrier(WORLD);
}

static void crossed(void) /* two communicators in another order */
{
    MPI_Comm copy;
    MPI_Comm_dup(WORLD, &copy);
    MPI_Comm_set_name(copy, "copy");
    MPI_Barrier(rank ? copy : WORLD);
    MPI_Barrier(rank ? WORLD : copy);
}

static void nonblocking(void)
{
    MPI_Request r;
    if (rank == 0)
        MPI_Recv(in, 1, MPI_INT, 1, 1, WORLD, IGNORE);
    else {
        MPI_Ibarrier(WORLD, &r);
        MPI_Wait(&r, IGNORE);
    }
}

static void iallreduce(void)
{
    MPI_Request r;
    if (rank == 0)
        MPI_Recv(in, 1, MPI_INT, 1, 1, WORLD, IGNORE);
    else {
        MPI_Iallreduce(in, out, 1, MPI_INT, MPI_SUM, WORLD, &r);
        MPI_Wait(&r, IGNORE);
    }
}

static void between(void) /* an intercommunicator */
{
    MPI_Comm local, inter;
    MPI_Comm_split(WORLD, rank < 2, 0, &local);
    MPI_Intercomm_create(local, 0, WORLD, rank < 2 ? 2 : 0, 1, &inter);
    MPI_Comm_set_name(inter, "inter");
    if (rank == 3)
        MPI_Recv(in, 1, MPI_INT, 1, 4, inter, IGNORE);
    else
        MPI_Barrier(inter);
}

static void bcast_roots(void) /* each believes that another rank has the data */
{
    MPI_Bcast(in, 1, MPI_INT, (rank + 1) % size, WORLD);
}

static void forgotten(void) /* one rank has not begun the second one of three */
{
    MPI_Request r[3];
    for (int i = 0; i < 3; i++)
        if (i < 2 || rank)
            MPI_Ibarrier(WORLD, &r[i]);
    MPI_Waitall(rank ? 3 : 2, r, MPI_STATUSES_IGNORE);
}

static void groups(MPI_Comm *inter)
{
    MPI_Comm local;
    MPI_Comm_split(WORLD, rank < 2, 0, &local);
    MPI_Intercomm_create(local, 0, WORLD, rank < 2 ? 2 : 0, 1, inter);
    MPI_Comm_set_name(*inter, "inter");
}

static void between_bcast(void) /* the root's group has none */
{
    MPI_Comm inter;
    groups(&inter);
    if (rank == 0)
        MPI_Recv(in, 1, MPI_INT, 0, 4, inter, IGNORE);
    else
        MPI_Bcast(in, 1, MPI_INT, rank < 2 ? MPI_PROC_NULL : 0, inter);
}

static void between_messages(void) /* two groups wait for each other */
{
    MPI_Comm inter;
    groups(&inter);
    MPI_Recv(in, 1, MPI_INT, rank % 2, 4, inter, IGNORE);
}

static void between_merge(void)
{
    MPI_Comm inter, all;
    groups(&inter);
    if (rank == 3)
        MPI_Recv(in, 1, MPI_INT, 0, 4, inter, IGNORE);
    else
        MPI_Intercomm_merge(inter, rank < 2, &all);
}

static void between_create(void) /* the other leader does not come */
{
    MPI_Comm local, inter;
    MPI_Comm_split(WORLD, rank < 2, 0, &local);
    if (rank == 2)
        MPI_Recv(in, 1, MPI_INT, 0, 4, WORLD, IGNORE);
    else
        MPI_Intercomm_create(local, 0, WORLD, rank < 2 ? 2 : 0, 1, &inter);
}

CASES({"barrier", barrier}, {"bcast", bcast}, {"allreduce", reduce}, {"allgather", gather},
      {"scatter", scatter}, {"alltoall", alltoall}, {"long", alltoallv_long}, {"block", scatter_reduce},
      {"scan", scan}, {"split", split}, {"dup", duplicate}, {"roots", roots},
      {"ended", ended}, {"half", half}, {"crossed", crossed},
      {"ibarrier", nonblocking}, {"iallreduce", iallreduce}, {"between", between},
      {"bcast-roots", bcast_roots},
      {"forgotten", forgotten}, {"between-bcast", between_bcast}, {"between-messages", between_messages},
      {"between-merge", between_merge}, {"between-create", between_create})
