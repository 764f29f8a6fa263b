/* A target that computes and makes no MPI call does not hold up those who lock its memory, put, accumulate
 * and unlock, whatever kind of memory it is. The target computes until it sees what they have done, a
 * minute at most. */
#include <time.h>

#include "window.h"

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    for (int memory = 0; memory < MEMORIES; memory = memory_after(memory)) {
        struct window w = window_open((enum memory)memory, 64);
        if (me == 0) {
            volatile long *sum = (volatile long *)w.own;
            const double begin = now();
            const long want = 3L * (np - 1);
            while (__atomic_load_n(sum, __ATOMIC_ACQUIRE) != want && now() - begin < 60)
                ;
            CHECK_MSG(*sum == want, "%s: the target sees %ld after %.1f s, want %ld", memory_names[memory], *sum, now() - begin, want);
        } else {
            long one = 1, was;
            const int x = me;
            CHECK_MPI(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, w.win));
            CHECK_MPI(MPI_Put(&x, 1, MPI_INT, 0, w.base[0] + 8 + 4 * (me % 8), 1, MPI_INT, w.win));
            CHECK_MPI(MPI_Accumulate(&one, 1, MPI_LONG, 0, w.base[0], 1, MPI_LONG, MPI_SUM, w.win));
            CHECK_MPI(MPI_Win_unlock(0, w.win));
            CHECK_MPI(MPI_Win_lock_all(0, w.win));
            CHECK_MPI(MPI_Fetch_and_op(&one, &was, MPI_LONG, 0, w.base[0], MPI_SUM, w.win));
            CHECK_MPI(MPI_Win_flush(0, w.win));
            CHECK(was >= 1);
            CHECK_MPI(MPI_Accumulate(&one, 1, MPI_LONG, 0, w.base[0], 1, MPI_LONG, MPI_SUM, w.win));
            CHECK_MPI(MPI_Win_unlock_all(w.win));
        }
        CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
        window_close(&w);
    }
    return check_finish();
}
