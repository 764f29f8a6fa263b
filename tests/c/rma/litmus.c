/* The memory model. Store buffering: of two ranks that each put, flush and get what the other one puts, at
 * least one sees it. Message passing: who sees the flag sees the data put before it. Coherence: a counter
 * never goes back. The ranks meet in memory too, so that the tries come close together.
 *
 *   litmus [tries]
 */
#include <sched.h>

#include "window.h"

enum { X = 0, Y = 128, MEET = 256, SIZE = 512 };

static long fetch(struct window *w, int rank, int at)
{
    long value, none = 0;
    CHECK_MPI(MPI_Fetch_and_op(&none, &value, MPI_LONG, rank, w->base[rank] + at, MPI_NO_OP, w->win));
    return value;
}

/* Both ranks come out at about the same time. */
static void meet(struct window *w, long round)
{
    long one = 1, was;
    CHECK_MPI(MPI_Fetch_and_op(&one, &was, MPI_LONG, 0, w->base[0] + MEET, MPI_SUM, w->win));
    for (int polls = 0; fetch(w, 0, MEET) < 2 * round; polls++)
        if (polls > 200)
            sched_yield();
}

static void put(struct window *w, int at, long value)
{
    CHECK_MPI(MPI_Put(&value, 1, MPI_LONG, 0, w->base[0] + at, 1, MPI_LONG, w->win));
}

static long get(struct window *w, int at)
{
    long value = -1;
    CHECK_MPI(MPI_Get(&value, 1, MPI_LONG, 0, w->base[0] + at, 1, MPI_LONG, w->win));
    CHECK_MPI(MPI_Win_flush(0, w->win));
    return value;
}

static void try(enum memory memory, long tries)
{
    struct window w = window_open(memory, SIZE);
    static long seen[2][1 << 20];
    long round = 0, both_missed = 0;

    if (tries > (1 << 20))
        tries = 1 << 20;
    CHECK_MPI(MPI_Win_lock_all(0, w.win));
    if (me < 2) {
        for (long i = 1; i <= tries; i++) { /* store buffering */
            meet(&w, ++round);
            put(&w, me == 0 ? X : Y, i);
            CHECK_MPI(MPI_Win_flush(0, w.win));
            seen[me][i - 1] = get(&w, me == 0 ? Y : X);
        }
        for (long i = 1; i <= tries; i++) { /* message passing, from rank 0 to rank 1 */
            meet(&w, ++round);
            if (me == 0) {
                put(&w, X, -i);
                CHECK_MPI(MPI_Win_flush(0, w.win));
                put(&w, Y, -i);
                CHECK_MPI(MPI_Win_flush(0, w.win));
            } else {
                const long flag = get(&w, Y), data = get(&w, X);
                CHECK_MSG(flag != -i || data == -i, "%s: the flag is %ld, the data %ld", memory_names[memory], flag, data);
            }
        }
    }
    CHECK_MPI(MPI_Win_unlock_all(w.win));
    if (me == 0)
        CHECK_MPI(MPI_Recv(seen[1], (int)tries, MPI_LONG, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    if (me == 1)
        CHECK_MPI(MPI_Send(seen[1], (int)tries, MPI_LONG, 0, 0, MPI_COMM_WORLD));
    for (long i = 1; me == 0 && i <= tries; i++)
        both_missed += seen[0][i - 1] != i && seen[1][i - 1] != i;
    CHECK_EQ(both_missed, 0);
    window_close(&w);
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    if (np < 2)
        check_skip("it takes two ranks");
    const long tries = argc > 1 ? atol(argv[1]) : 1000000;
    for (int memory = 0; memory < MEMORIES; memory = memory_after(memory))
        try((enum memory)memory, memory == PRIVATE || memory == DYNAMIC ? tries / 50 + 1 : tries);
    return check_finish();
}
