/* Many ranks want the same lock all the time: nobody is let in while another one writes, and nobody starves,
 * though each wants it as often as all others. */
#include "window.h"

enum { ROUNDS = 400 };

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    for (int memory = 0; memory < MEMORIES; memory = memory_after(memory)) {
        struct window w = window_open((enum memory)memory, 64);
        long count, copy, total = 0, mine = 0;
        uint64_t state = (uint64_t)me + 1;
        for (int i = 0; i < ROUNDS; i++) {
            const int exclusive = check_random(&state) % 4 != 0;
            CHECK_MPI(MPI_Win_lock(exclusive ? MPI_LOCK_EXCLUSIVE : MPI_LOCK_SHARED, 0, 0, w.win));
            CHECK_MPI(MPI_Get(&count, 1, MPI_LONG, 0, w.base[0], 1, MPI_LONG, w.win));
            CHECK_MPI(MPI_Get(&copy, 1, MPI_LONG, 0, w.base[0] + 32, 1, MPI_LONG, w.win));
            CHECK_MPI(MPI_Win_flush_local(0, w.win));
            CHECK_MSG(count == copy, "%s: inside of a %s lock the counters are %ld and %ld", memory_names[memory],
                      exclusive ? "exclusive" : "shared", count, copy);
            if (exclusive) {
                count++;
                mine++;
                CHECK_MPI(MPI_Put(&count, 1, MPI_LONG, 0, w.base[0], 1, MPI_LONG, w.win));
                CHECK_MPI(MPI_Put(&count, 1, MPI_LONG, 0, w.base[0] + 32, 1, MPI_LONG, w.win));
            }
            CHECK_MPI(MPI_Win_unlock(0, w.win));
        }
        CHECK_MPI(MPI_Allreduce(&mine, &total, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD));
        CHECK_MPI(MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, w.win));
        CHECK_MPI(MPI_Get(&count, 1, MPI_LONG, 0, w.base[0], 1, MPI_LONG, w.win));
        CHECK_MPI(MPI_Win_unlock(0, w.win));
        CHECK_EQ(count, total);
        CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
        window_close(&w);
    }
    return check_finish();
}
