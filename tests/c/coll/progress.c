/*
 * With GOMPI_PROGRESS_THREAD=1 nonblocking operations go on while the program computes: data arrives in
 * memory that a loop without any call of MPI looks at. Argument: how many times.
 */
#include "check.h"

#include <time.h>

enum { N = 1 << 20 }; /* doubles: 8 MiB */

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Computes until the last element of data is there; no test of time, but a loop has to end. */
static int arrives(const volatile double *data, double want)
{
    volatile double x = 1;

    for (double end = now() + 120; now() < end;) {
        for (int i = 0; i < 1000; i++)
            x = x * 1.0000001 + 1e-9;
        if (data[N - 1] == want && data[0] == want)
            return 1;
    }
    return 0;
}

static void clear(double *data)
{
    for (int i = 0; i < N; i++)
        data[i] = -1;
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    double *out = malloc(N * sizeof *out), *in = malloc(N * sizeof *in);
    const int left = (me + np - 1) % np, right = (me + 1) % np;

    for (int round = 0; round < (argc > 1 ? atoi(argv[1]) : 1); round++) {
        MPI_Request r[2];
        for (int i = 0; i < N; i++)
            out[i] = me + 1;

        clear(in);
        CHECK_MPI(MPI_Iallreduce(out, in, N, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &r[0]));
        CHECK(arrives(in, np * (np + 1) / 2));
        CHECK_MPI(MPI_Wait(&r[0], MPI_STATUS_IGNORE));

        clear(in);
        CHECK_MPI(MPI_Irecv(in, N, MPI_DOUBLE, left, round, MPI_COMM_WORLD, &r[0]));
        CHECK_MPI(MPI_Isend(out, N, MPI_DOUBLE, right, round, MPI_COMM_WORLD, &r[1]));
        CHECK(arrives(in, left + 1));
        CHECK_MPI(MPI_Waitall(2, r, MPI_STATUSES_IGNORE));

        clear(in);
        if (me == 0)
            memcpy(in, out, N * sizeof *in);
        CHECK_MPI(MPI_Ibcast(in, N, MPI_DOUBLE, 0, MPI_COMM_WORLD, &r[0]));
        CHECK(arrives(in, 1));
        CHECK_MPI(MPI_Wait(&r[0], MPI_STATUS_IGNORE));
    }
    free(out);
    free(in);
    return check_finish();
}
