/* largesum.c - MB/s of sums of long vectors of doubles: by MPI_Allreduce, and, as what
 * the memory allows, by a plain loop that reads two vectors and writes a third on one
 * rank while the others wait.
 *
 *   mpiexec -n 2 ./largesum <milliseconds per batch> <seconds> <bytes>...
 *
 * The megabytes are those of one vector. The outcome is checked.
 */
#include "bench.h"

enum { MOST = 256 << 20 };

static double *restrict mine, *restrict other, *restrict sum;
static int n; /* doubles */

static void allreduce(long times)
{
    for (long i = 0; i < times; i++)
        MUST(MPI_Allreduce(mine, sum, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD));
}

static void in_place(long times)
{
    for (long i = 0; i < times; i++)
        MUST(MPI_Allreduce(MPI_IN_PLACE, sum, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD));
}

static void loop(long times)
{
    if (rank != 0)
        return;
    for (long t = 0; t < times; t++) {
        for (int i = 0; i < n; i++)
            sum[i] = mine[i] + other[i];
        __asm__ volatile("" : : "r"(sum) : "memory");
    }
}

static void point(const char *name, void (*repeat)(long times), double ranks)
{
    double seconds;

    for (int i = 0; i < n; i++) {
        mine[i] = i % 1000 + rank;
        other[i] = i % 1000 + 1;
        sum[i] = 0;
    }
    seconds = seconds_each(repeat);
    if (ranks > 0)
        for (int i = 0; i < n; i++)
            if (sum[i] != ranks * (i % 1000) + ranks * (ranks - 1) / 2)
                fail("wrong sum");
    series = name;
    result_rate((long)(n * sizeof(double)), (double)n * sizeof(double) / seconds / 1e6);
}

int main(int argc, char **argv)
{
    bench_start(&argc, &argv);
    for (int i = 3; i < argc; i++) {
        size_t bytes = (size_t)argument(argc, argv, i, sizeof(double), MOST);
        if (!time_left())
            break;
        n = (int)(bytes / sizeof(double));
        mine = buffer(bytes);
        other = buffer(bytes);
        sum = buffer(bytes);
        point("plain loop", loop, rank == 0 ? 2 : 0);
        point("MPI_Allreduce", allreduce, size);
        point("MPI_Allreduce in place", in_place, 0);
        free(mine);
        free(other);
        free(sum);
    }
    MPI_Finalize();
    return 0;
}
