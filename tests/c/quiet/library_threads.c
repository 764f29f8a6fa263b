/*
 * The threads of the library leave the processors to the ranks: while all ranks communicate for two seconds,
 * whether each has a processor or not, those threads together go to sleep no more than 500 times in a second.
 * Each time that one wakes up it takes the processor from a rank.
 */
#define _GNU_SOURCE
#include "check.h"
#include <sys/resource.h>

enum { BYTES = 4096, SECONDS = 2, MOST = 500, MOST_RANKS = 64, TOGETHER = 50 };

/* How often the threads of this process but the calling one have gone to sleep. */
static long sleeps_of_others(void)
{
    struct rusage all, own;
    CHECK(getrusage(RUSAGE_SELF, &all) == 0 && getrusage(RUSAGE_THREAD, &own) == 0);
    return all.ru_nvcsw - own.ru_nvcsw;
}

int main(int argc, char **argv)
{
    static char out[MOST_RANKS * BYTES], in[BYTES];
    int counts[MOST_RANKS], places[MOST_RANKS], again = 1;

    check_init(&argc, &argv);
    for (int r = 0; r < np; r++) {
        counts[r] = BYTES;
        places[r] = r * BYTES;
    }
    CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
    double wall = -MPI_Wtime();
    long slept = -sleeps_of_others();
    for (int k = 0; again; k++) {
        MPI_Request r;
        CHECK_MPI(MPI_Iscatterv(out, counts, places, MPI_BYTE, in, BYTES, MPI_BYTE, k % np, MPI_COMM_WORLD,
                                &r));
        CHECK_MPI(MPI_Wait(&r, MPI_STATUS_IGNORE));
        if (k % TOGETHER == 0) {
            again = wall + MPI_Wtime() < SECONDS;
            CHECK_MPI(MPI_Bcast(&again, 1, MPI_INT, 0, MPI_COMM_WORLD));
        }
    }
    wall += MPI_Wtime();
    slept += sleeps_of_others();
    CHECK_MSG((double)slept < MOST * wall, "threads of the library slept %ld times in %.1f s", slept, wall);
    return check_finish();
}
