/* pingpong.c - latency: half the time that a message takes to and fro between
 * two ranks, in microseconds.
 *
 *   mpiexec -n 2 ./pingpong <milliseconds per batch> <bytes>...
 */
#include "bench.h"

static char *data;
static int bytes;

static void pingpong(long n)
{
    for (long i = 0; i < n; i++) {
        if (rank == 0) {
            MPI_Send(data, bytes, MPI_BYTE, 1, 1, MPI_COMM_WORLD);
            MPI_Recv(data, bytes, MPI_BYTE, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else {
            MPI_Recv(data, bytes, MPI_BYTE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(data, bytes, MPI_BYTE, 0, 1, MPI_COMM_WORLD);
        }
    }
}

int main(int argc, char **argv)
{
    bench_start(&argc, &argv);
    if (size != 2)
        fail("pingpong needs 2 ranks");
    double budget = (double)argument(argc, argv, 1, 1, 10000) / 1e3;
    for (int i = 2; i < argc; i++) {
        bytes = (int)argument(argc, argv, i, 0, 1 << 30);
        data = buffer((size_t)bytes);
        result(bytes, seconds_each(pingpong, budget) / 2 * 1e6);
        free(data);
    }
    MPI_Finalize();
    return 0;
}
