/* collective.c - time of a collective operation in microseconds, called again
 * and again; the slowest rank counts.
 *
 *   mpiexec -n 8 ./collective <milliseconds per batch> barrier|bcast|allreduce|alltoall <bytes>...
 *
 * The bytes are those of one rank's buffer, for alltoall those of the block that
 * goes to each rank; barrier ignores them. The root of bcast goes round, so that no rank can
 * run ahead of the others.
 */
#include "bench.h"

static char *out, *in;
static int bytes;

static void barrier(long n)
{
    for (long i = 0; i < n; i++)
        MPI_Barrier(MPI_COMM_WORLD);
}

static void bcast(long n)
{
    for (long i = 0; i < n; i++)
        MPI_Bcast(out, bytes, MPI_BYTE, (int)(i % size), MPI_COMM_WORLD);
}

static void allreduce(long n)
{
    for (long i = 0; i < n; i++)
        MPI_Allreduce(out, in, bytes / (int)sizeof(double), MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void alltoall(long n)
{
    for (long i = 0; i < n; i++)
        MPI_Alltoall(out, bytes, MPI_BYTE, in, bytes, MPI_BYTE, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*repeat)(long n);
    } kinds[] = {{"barrier", barrier}, {"bcast", bcast}, {"allreduce", allreduce}, {"alltoall", alltoall}};
    void (*repeat)(long n) = NULL;

    bench_start(&argc, &argv);
    double budget = (double)argument(argc, argv, 1, 1, 10000) / 1e3;
    for (size_t k = 0; argc > 2 && k < sizeof kinds / sizeof kinds[0]; k++)
        if (strcmp(argv[2], kinds[k].name) == 0)
            repeat = kinds[k].repeat;
    if (repeat == NULL)
        fail("argument 2 must be barrier, bcast, allreduce or alltoall");
    for (int i = 3; i < argc; i++) {
        bytes = (int)argument(argc, argv, i, 0, 1 << 24);
        out = buffer((size_t)bytes * (size_t)size);
        in = buffer((size_t)bytes * (size_t)size);
        memset(out, 0, (size_t)bytes * (size_t)size); /* sums of zeros cost what others cost */
        result(bytes, seconds_each(repeat, budget) * 1e6);
        free(out);
        free(in);
    }
    MPI_Finalize();
    return 0;
}
