/*
 * The threads of the library leave the processors to the ranks: while all ranks communicate for some seconds,
 * whether each has a processor or not, those threads together go to sleep no more than 500 times in a second.
 * Each time that one wakes up it takes the processor from a rank.
 */
#define _GNU_SOURCE
#include "quiet.h"

enum { BYTES = 4096, MOST = 500, MOST_RANKS = 64, TOGETHER = 50 };

/* What the threads of this process but the calling one have taken. */
static struct usage usage_of_others(void)
{
    struct usage own = usage_of(RUSAGE_THREAD), all = usage_of(RUSAGE_SELF);
    all.sleeps -= own.sleeps;
    return all;
}

static int measure(int seconds, int last)
{
    static char out[MOST_RANKS * BYTES], in[BYTES];
    int counts[MOST_RANKS], places[MOST_RANKS], again = 1;

    for (int r = 0; r < np; r++) {
        counts[r] = BYTES;
        places[r] = r * BYTES;
    }
    struct usage begin = usage_of_others();
    for (int k = 0; again; k++) {
        MPI_Request r;
        CHECK_MPI(MPI_Iscatterv(out, counts, places, MPI_BYTE, in, BYTES, MPI_BYTE, k % np, MPI_COMM_WORLD,
                                &r));
        CHECK_MPI(MPI_Wait(&r, MPI_STATUS_IGNORE));
        if (k % TOGETHER == 0) {
            again = MPI_Wtime() - begin.wall < seconds;
            CHECK_MPI(MPI_Bcast(&again, 1, MPI_INT, 0, MPI_COMM_WORLD));
        }
    }
    struct usage u = usage_between(begin, usage_of_others());
    int quiet = (double)u.sleeps < MOST * u.wall;
    CHECK_MSG(quiet || !last, "threads of the library slept %ld times in %.1f s", u.sleeps, u.wall);
    return quiet;
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    until_quiet(measure);
    return check_finish();
}
