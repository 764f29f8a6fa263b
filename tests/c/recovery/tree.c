/*
 * A broadcast of the program's own along a tree, with MPI_Send and MPI_Recv, whose inner node dies: whoever
 * notices revokes the communicator, so that those below, who wait for ranks that live, get on as well. The
 * rest shrink and repeat the broadcast, until nobody dies.
 *
 *     tree DEATHS
 */
#include "recovery.h"

enum { LENGTH = 20000 };

static int data[LENGTH];

/* Broadcasts from rank 0 along a binary tree of the ranks of c. Rank `dies` does so before it sends on. */
static int broadcast(MPI_Comm c, int dies)
{
    int rank, size, rc = MPI_SUCCESS;

    MPI_Comm_rank(c, &rank);
    MPI_Comm_size(c, &size);
    if (rank > 0)
        rc = MPI_Recv(data, LENGTH, MPI_INT, (rank - 1) / 2, 1, c, MPI_STATUS_IGNORE);
    if (rank == dies)
        recovery_die(rank);
    for (int child = 2 * rank + 1; child <= 2 * rank + 2; child++)
        if (child < size && rc == MPI_SUCCESS)
            rc = MPI_Send(data, LENGTH, MPI_INT, child, 1, c);
    return rc;
}

int main(int argc, char **argv)
{
    int deaths = argc > 1 ? atoi(argv[1]) : 1, lost = 0, rank;
    MPI_Comm c, rest;

    recovery_begin(&argc, &argv);
    CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &c));
    for (int done = 0; !done;) {
        MPI_Comm_rank(c, &rank);
        for (int i = 0; i < LENGTH; i++)
            data[i] = rank == 0 ? i * 3 + 1 : 0;
        int rc = broadcast(c, lost < deaths ? 1 : -1);
        CHECK_MSG(rc == MPI_SUCCESS || error_class(rc) == MPIX_ERR_PROC_FAILED ||
                      error_class(rc) == MPIX_ERR_REVOKED, "class %d", error_class(rc));
        if (rc != MPI_SUCCESS)
            MPIX_Comm_revoke(c);
        done = rc == MPI_SUCCESS;
        rc = MPIX_Comm_agree(c, &done);
        if (rc == MPI_SUCCESS && done)
            break;
        done = 0;
        CHECK_MPI(MPIX_Comm_shrink(c, &rest));
        CHECK_MPI(MPI_Comm_free(&c));
        c = rest;
        lost++;
    }
    CHECK_EQ(lost, deaths);
    for (int i = 0; i < LENGTH; i++)
        CHECK_MSG(data[i] == i * 3 + 1, "element %d is %d", i, data[i]);
    CHECK_MPI(MPI_Comm_free(&c));
    return recovery_end(deaths);
}
