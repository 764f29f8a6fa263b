/*
 * Those that communicate with a rank hear of its death: in a receive that sleeps, in a collective operation,
 * in MPI_Test, and in a send that waits for its receive. The dying rank tells when it dies, and how long it
 * takes them to hear of it is printed.
 */
#include "recovery.h"

#include <time.h>

enum { WAYS = 4 };

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int wait_for(int dies, int way)
{
    static int big[1 << 18];
    MPI_Request r;
    int x = 0, rc = MPI_SUCCESS;

    switch (way) {
    case 0: return MPI_Recv(&x, 1, MPI_INT, dies, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    case 1: return MPI_Barrier(MPI_COMM_WORLD);
    case 2:
        MPI_Irecv(&x, 1, MPI_INT, dies, 2, MPI_COMM_WORLD, &r);
        for (int flag = 0; !flag && rc == MPI_SUCCESS;)
            rc = MPI_Test(&r, &flag, MPI_STATUS_IGNORE);
        return rc;
    }
    return MPI_Send(big, 1 << 18, MPI_INT, dies, 2, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    double death, delay, most;
    MPI_Comm rest;

    recovery_begin(&argc, &argv);
    if (me == np - 1) {
        usleep(300000); /* the others sleep by then */
        death = now();
        for (int r = 0; r < np - 1; r++)
            MPI_Send(&death, 1, MPI_DOUBLE, r, 1, MPI_COMM_WORLD);
        raise(SIGKILL);
    }
    int rc = wait_for(np - 1, me % WAYS);
    delay = now();
    CHECK_EQ(error_class(rc), MPIX_ERR_PROC_FAILED);
    CHECK_MPI(MPI_Recv(&death, 1, MPI_DOUBLE, np - 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    delay -= death;
    CHECK_MPI(MPIX_Comm_shrink(MPI_COMM_WORLD, &rest));
    CHECK_MPI(MPI_Reduce(&delay, &most, 1, MPI_DOUBLE, MPI_MAX, 0, rest));
    if (me == 0)
        printf("known after %.0f us at most\n", most * 1e6);
    CHECK_MPI(MPI_Comm_free(&rest));
    return recovery_end(1);
}
