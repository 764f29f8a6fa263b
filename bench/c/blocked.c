/* blocked.c - CPU seconds that a rank uses while it waits in MPI_Recv.
 *
 *   mpiexec -n 2 ./blocked <seconds>
 */
#include "bench.h"
#include <sys/resource.h>
#include <unistd.h>

static double cpu_seconds(void)
{
    struct rusage u;

    if (getrusage(RUSAGE_SELF, &u) != 0)
        fail("getrusage failed");
    return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
           (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6;
}

int main(int argc, char **argv)
{
    int token = 0;

    bench_start(&argc, &argv);
    if (size != 2)
        fail("blocked needs 2 ranks");
    unsigned seconds = (unsigned)argument(argc, argv, 1, 1, 3600);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        double used;
        while ((seconds = sleep(seconds)) > 0)
            ;
        MPI_Send(&token, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
        MPI_Recv(&used, 1, MPI_DOUBLE, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        result(0, used);
    } else {
        double used = cpu_seconds();
        MPI_Recv(&token, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        used = cpu_seconds() - used;
        MPI_Send(&used, 1, MPI_DOUBLE, 0, 2, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
