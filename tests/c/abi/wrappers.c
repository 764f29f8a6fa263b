/*
 * A program that defines MPI functions of its own, as a linked-in profiler does: its calls go to these, and
 * these reach the library by the PMPI names. The library's own calls of its functions do not come by here.
 */
#include "check.h"

static int sends, receives, reductions, barriers;

int MPI_Send(const void *buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm)
{
    sends++;
    return PMPI_Send(buf, count, type, dest, tag, comm);
}

int MPI_Recv(void *buf, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Status *status)
{
    receives++;
    return PMPI_Recv(buf, count, type, source, tag, comm, status);
}

int MPI_Allreduce(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    reductions++;
    return PMPI_Allreduce(in, out, count, type, op, comm);
}

int MPI_Barrier(MPI_Comm comm)
{
    barriers++;
    return PMPI_Barrier(comm);
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    int out = me, in = -1, sum = -1;
    MPI_Request r;
    CHECK_MPI(MPI_Irecv(&in, 1, MPI_INT, (me + np - 1) % np, 0, MPI_COMM_WORLD, &r));
    CHECK_MPI(MPI_Send(&out, 1, MPI_INT, (me + 1) % np, 0, MPI_COMM_WORLD));
    CHECK_MPI(MPI_Wait(&r, MPI_STATUS_IGNORE));
    CHECK_EQ(in, (me + np - 1) % np);
    CHECK_MPI(MPI_Allreduce(&me, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    CHECK_EQ(sum, np * (np - 1) / 2);
    int *all = malloc(np * sizeof *all);
    CHECK_MPI(MPI_Allgather(&me, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD));
    free(all);
    CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
    CHECK_EQ(sends, 1);
    CHECK_EQ(receives, 0);
    CHECK_EQ(reductions, 1);
    CHECK_EQ(barriers, 1);
    return check_finish();
}
