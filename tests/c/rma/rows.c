/* Accumulates of long rows and of single elements, by all ranks on the same elements at once: nothing is
 * lost, whatever the ways by which long and short ones go, and each value that is fetched was there once. */
#include "window.h"

enum { MOST = 700 };

static int rounds; /* per window */

static uint64_t state;

static int below(int n) { return (int)(check_random(&state) % (uint64_t)n); }

/* Adds one to some of the elements of a rank, and returns to how many. */
static long add(struct window *w, int target, int type)
{
    static const MPI_Datatype types[] = {MPI_LONG, MPI_INT, MPI_DOUBLE, MPI_SHORT};
    static long ones[MOST], got[MOST];
    static const size_t sizes[] = {sizeof(long), sizeof(int), sizeof(double), sizeof(short)};
    static const int counts[] = {1, 1, 2, 5, 63, 64, 201, MOST};
    const int count = counts[below(8)], first = below(MOST - count + 1);
    const MPI_Aint at = w->base[target] + (MPI_Aint)type * MOST * 8 + (MPI_Aint)first * (MPI_Aint)sizes[type];

    for (int i = 0; i < count; i++)
        switch (type) {
        case 0: ones[i] = 1; break;
        case 1: ((int *)ones)[i] = 1; break;
        case 2: ((double *)ones)[i] = 1; break;
        default: ((short *)ones)[i] = 1;
        }
    if (count == 1)
        CHECK_MPI(MPI_Fetch_and_op(ones, got, types[type], target, at, MPI_SUM, w->win));
    else if (count % 2 == 0)
        CHECK_MPI(MPI_Accumulate(ones, count, types[type], target, at, count, types[type], MPI_SUM, w->win));
    else if (below(2) == 0)
        CHECK_MPI(MPI_Get_accumulate(ones, count, types[type], got, count, types[type], target, at, count,
                                     types[type], MPI_SUM, w->win));
    else
        CHECK_MPI(
            MPI_Accumulate_c(ones, count, types[type], target, at, count, types[type], MPI_SUM, w->win));
    return count;
}

/* Adds one to a long by comparing and swapping. */
static void swap_up(struct window *w, int target)
{
    const MPI_Aint at = w->base[target] + (MPI_Aint)below(MOST) * (MPI_Aint)sizeof(long);
    long seen, old = 0, new;

    do {
        seen = old;
        new = seen + 1;
        CHECK_MPI(MPI_Compare_and_swap(&new, &seen, &old, MPI_LONG, target, at, w->win));
        CHECK_MPI(MPI_Win_flush(target, w->win));
    } while (old != seen);
}

/* The first rank adds rows while all others add to single elements of them, without a pause. Returns how much
 * was added. */
static double crowd(struct window *w)
{
    static long ones[MOST];
    const MPI_Aint at = w->base[0];
    long got;
    int i;

    for (i = 0; i < MOST; i++)
        ones[i] = 1;
    for (i = 0; i < rounds; i++) {
        if (me == 0)
            CHECK_MPI(MPI_Accumulate(ones, MOST, MPI_LONG, 0, at, MOST, MPI_LONG, MPI_SUM, w->win));
        else
            CHECK_MPI(MPI_Fetch_and_op(ones, &got, MPI_LONG, 0, at + below(MOST) * (MPI_Aint)sizeof(long),
                                       MPI_SUM, w->win));
    }
    return me == 0 ? (double)rounds * MOST : rounds;
}

static double sum(const struct window *w, int type)
{
    const char *from = w->own + (size_t)type * MOST * 8;
    double all = 0;

    for (int i = 0; i < MOST; i++)
        switch (type) {
        case 0: all += (double)((const long *)from)[i]; break;
        case 1: all += ((const int *)from)[i]; break;
        case 2: all += ((const double *)from)[i]; break;
        default: all += ((const short *)from)[i];
        }
    return all;
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    state = (uint64_t)me + 1;
    const int most = argc > 1 ? atoi(argv[1]) : 3000;
    for (int memory = 0; memory < MEMORIES; memory = memory_after(memory)) {
        /* Where the processor has no part in it, an operation takes a hundred times as long. */
        rounds = memory == PRIVATE || memory == DYNAMIC ? most / 10 : most;
        struct window w = window_open((enum memory)memory, 4 * MOST * 8);
        double added[4] = {0}, all[4];
        double there[4];
        CHECK_MPI(MPI_Win_lock_all(0, w.win));
        for (int i = 0; i < rounds; i++) {
            const int target = below(np), type = below(4);
            if (type == 0 && below(4) == 0) {
                swap_up(&w, target);
                added[0]++;
            } else {
                added[type] += (double)add(&w, target, type);
            }
        }
        added[0] += crowd(&w);
        CHECK_MPI(MPI_Win_unlock_all(w.win));
        CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
        CHECK_MPI(MPI_Win_lock(MPI_LOCK_SHARED, me, 0, w.win));
        for (int type = 0; type < 4; type++)
            there[type] = sum(&w, type);
        CHECK_MPI(MPI_Win_unlock(me, w.win));
        CHECK_MPI(MPI_Allreduce(MPI_IN_PLACE, added, 4, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD));
        CHECK_MPI(MPI_Allreduce(there, all, 4, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD));
        for (int type = 0; type < 4; type++)
            CHECK_MSG(all[type] == added[type], "%s: %.0f was added to elements of kind %d, and %.0f is there", memory_names[memory],
                      added[type], type, all[type]);
        window_close(&w);
    }
    return check_finish();
}
