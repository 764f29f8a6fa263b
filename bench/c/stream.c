/* stream.c - throughput between two ranks: windows of nonblocking messages, each
 * window answered by one empty message.
 *
 *   mpiexec -n 2 ./stream <milliseconds per batch> oneway|bothways|rate <bytes>...
 *
 * oneway and bothways print megabytes (10^6 bytes) per second, in both
 * directions together for bothways; rate prints messages per second, one way.
 */
#include "bench.h"

enum { WINDOW = 64 };

static char *out, *in;
static int bytes, both;

static void windows(long n)
{
    MPI_Request r[2 * WINDOW];
    const int sends = rank == 0 || both, receives = rank == 1 || both, other = 1 - rank;

    for (long i = 0; i < n; i++) {
        int k = 0;
        for (int w = 0; receives && w < WINDOW; w++)
            MPI_Irecv(in + (size_t)w * (size_t)bytes, bytes, MPI_BYTE, other, 1, MPI_COMM_WORLD, &r[k++]);
        for (int w = 0; sends && w < WINDOW; w++)
            MPI_Isend(out + (size_t)w * (size_t)bytes, bytes, MPI_BYTE, other, 1, MPI_COMM_WORLD, &r[k++]);
        MPI_Waitall(k, r, MPI_STATUSES_IGNORE);
        if (rank == 0)
            MPI_Recv(NULL, 0, MPI_BYTE, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        else
            MPI_Send(NULL, 0, MPI_BYTE, 0, 2, MPI_COMM_WORLD);
    }
}

int main(int argc, char **argv)
{
    bench_start(&argc, &argv);
    if (size != 2)
        fail("stream needs 2 ranks");
    double budget = (double)argument(argc, argv, 1, 1, 10000) / 1e3;
    const char *kind = argc > 2 ? argv[2] : "";
    const int rate = strcmp(kind, "rate") == 0;
    both = strcmp(kind, "bothways") == 0;
    if (!rate && !both && strcmp(kind, "oneway") != 0)
        fail("argument 2 must be oneway, bothways or rate");
    for (int i = 3; i < argc; i++) {
        bytes = (int)argument(argc, argv, i, 1, 1 << 26);
        out = buffer((size_t)bytes * WINDOW);
        in = buffer((size_t)bytes * WINDOW);
        double messages = WINDOW * (both ? 2 : 1) / seconds_each(windows, budget);
        result(bytes, rate ? messages : messages * bytes / 1e6);
        free(out);
        free(in);
    }
    MPI_Finalize();
    return 0;
}
