/* blocked.c - CPU seconds that a rank uses while it waits in a call.
 *
 *   mpiexec -n 2 ./blocked <milliseconds, unused> <seconds, unused> recv|wait|probe|barrier <seconds>
 */
#include "bench.h"
#include <sys/resource.h>
#include <unistd.h>

static int token;

static double cpu_seconds(void)
{
    struct rusage u;

    if (getrusage(RUSAGE_SELF, &u) != 0)
        fail("getrusage failed");
    return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
           (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6;
}

/* Waits for rank 0 in the call that is measured. */
static void wait_in(const char *call)
{
    MPI_Request r;

    if (strcmp(call, "barrier") == 0) {
        MUST(MPI_Barrier(MPI_COMM_WORLD));
        return;
    }
    if (strcmp(call, "probe") == 0)
        MUST(MPI_Probe(0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    if (strcmp(call, "wait") == 0) {
        MUST(MPI_Irecv(&token, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &r));
        MUST(MPI_Wait(&r, MPI_STATUS_IGNORE));
        return;
    }
    MUST(MPI_Recv(&token, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
}

int main(int argc, char **argv)
{
    double used = 0;

    bench_start(&argc, &argv);
    if (size != 2)
        fail("blocked needs 2 ranks");
    if (argc < 4 || !chosen("recv,wait,probe,barrier", argv[3]))
        fail("argument 3 must be recv, wait, probe or barrier");
    unsigned seconds = (unsigned)argument(argc, argv, 4, 1, 3600);
    MUST(MPI_Barrier(MPI_COMM_WORLD));
    if (rank == 0) {
        while ((seconds = sleep(seconds)) > 0)
            ;
        if (strcmp(argv[3], "barrier") == 0)
            MUST(MPI_Barrier(MPI_COMM_WORLD));
        else
            MUST(MPI_Send(&token, 1, MPI_INT, 1, 1, MPI_COMM_WORLD));
        MUST(MPI_Recv(&used, 1, MPI_DOUBLE, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        result_alone(0, used);
    } else {
        used = cpu_seconds();
        wait_in(argv[3]);
        used = cpu_seconds() - used;
        MUST(MPI_Send(&used, 1, MPI_DOUBLE, 0, 2, MPI_COMM_WORLD));
    }
    MPI_Finalize();
    return 0;
}
