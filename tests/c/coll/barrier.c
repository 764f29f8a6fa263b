/* No rank leaves a barrier before the last has come to it: seen on the node's clock, and by a message that
 * must not overtake. */
#include "check.h"
#include <time.h>
#include <unistd.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    double *in = malloc(np * sizeof *in), *out = malloc(np * sizeof *out);

    for (int round = 0; round < 12; round++) {
        int slow = round % np;
        if (me == slow)
            usleep(2000 + 3000 * (round % 3));
        double entered = now();
        CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
        double left = now();
        CHECK_MPI(MPI_Allgather(&entered, 1, MPI_DOUBLE, in, 1, MPI_DOUBLE, MPI_COMM_WORLD));
        CHECK_MPI(MPI_Allgather(&left, 1, MPI_DOUBLE, out, 1, MPI_DOUBLE, MPI_COMM_WORLD));
        for (int a = 0; a < np; a++)
            for (int b = 0; b < np; b++)
                CHECK_MSG(out[a] >= in[b], "round %d: rank %d left %g s before rank %d came", round, a, in[b] - out[a], b);
    }

    /* Many in a row, on both communicators. */
    for (int i = 0; i < 2000; i++) {
        CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
        CHECK_MPI(MPI_Barrier(MPI_COMM_SELF));
    }
    free(in);
    free(out);
    return check_finish();
}
