/* Every operation on every kind of memory under every kind of synchronization does to the target's memory
 * what the standard says, and to nothing else. Rank r works on rank r+1, in the part of its memory that
 * belongs to r. */
#include "window.h"

enum { PART = 512, GAP = 64 };

static int next, previous;
static MPI_Group to, from;

static void begin(struct window *w, int mode)
{
    switch (mode) {
    case 0: CHECK_MPI(MPI_Win_fence(0, w->win)); break;
    case 1:
        CHECK_MPI(MPI_Win_post(from, 0, w->win));
        CHECK_MPI(MPI_Win_start(to, 0, w->win));
        break;
    case 2: CHECK_MPI(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, next, 0, w->win)); break;
    case 3: CHECK_MPI(MPI_Win_lock(MPI_LOCK_SHARED, next, 0, w->win)); break;
    case 4: CHECK_MPI(MPI_Win_lock_all(0, w->win)); break;
    case 5: CHECK_MPI(MPI_Win_fence(MPI_MODE_NOPRECEDE, w->win)); break;
    default:
        CHECK_MPI(MPI_Win_post(from, MPI_MODE_NOCHECK, w->win));
        CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
        CHECK_MPI(MPI_Win_start(to, MPI_MODE_NOCHECK, w->win));
    }
}

static void end(struct window *w, int mode)
{
    switch (mode) {
    case 0:
    case 5: CHECK_MPI(MPI_Win_fence(MPI_MODE_NOSUCCEED, w->win)); break;
    case 2:
    case 3:
        CHECK_MPI(MPI_Win_flush(next, w->win));
        CHECK_MPI(MPI_Win_unlock(next, w->win));
        CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
        break;
    case 4:
        CHECK_MPI(MPI_Win_flush_local_all(w->win));
        CHECK_MPI(MPI_Win_unlock_all(w->win));
        CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
        break;
    default: {
        int done = 0;
        CHECK_MPI(MPI_Win_complete(w->win));
        while (!done)
            CHECK_MPI(MPI_Win_test(w->win, &done));
    }
    }
}

static void one(enum memory memory, int mode)
{
    const MPI_Aint size = (MPI_Aint)np * (PART + GAP);
    struct window w = window_open(memory, size);
    const MPI_Aint at = w.base[next] + (MPI_Aint)me * (PART + GAP);
    int ints[16], got[16], sums[16];
    double d[4] = {1.5, 2.5, 3.5, 4.5};
    struct { double value; int index; } pair = {2.0, me}, was = {-1, -1};
    short s = 7;
    long old = -1, swapped = 42, compare = 0;
    char letter = 'x';
    MPI_Datatype column;

    for (int i = 0; i < 16; i++)
        ints[i] = 100 * me + i;
    CHECK_MPI(MPI_Type_vector(4, 1, 3, MPI_INT, &column));
    CHECK_MPI(MPI_Type_commit(&column));
    begin(&w, mode);
    CHECK_MPI(MPI_Put(ints, 16, MPI_INT, next, at, 16, MPI_INT, w.win));                        /*   0..63 */
    CHECK_MPI(MPI_Get(got, 16, MPI_INT, next, at, 16, MPI_INT, w.win));
    CHECK_MPI(MPI_Accumulate(ints, 16, MPI_INT, next, at, 16, MPI_INT, MPI_SUM, w.win));
    CHECK_MPI(
        MPI_Get_accumulate(ints, 16, MPI_INT, sums, 16, MPI_INT, next, at, 16, MPI_INT, MPI_SUM, w.win));
    CHECK_MPI(MPI_Put(ints, 4, MPI_INT, next, at + 64, 1, column, w.win));                      /*  64..103 */
    CHECK_MPI(MPI_Accumulate(ints, 4, MPI_INT, next, at + 64, 1, column, MPI_MAX, w.win));
    CHECK_MPI(MPI_Accumulate(ints, 1, column, next, at + 112, 4, MPI_INT, MPI_REPLACE, w.win)); /* 112..127 */
    CHECK_MPI(MPI_Accumulate(d, 4, MPI_DOUBLE, next, at + 128, 4, MPI_DOUBLE, MPI_SUM, w.win)); /* 128..159 */
    CHECK_MPI(MPI_Accumulate(d, 2, MPI_C_DOUBLE_COMPLEX, next, at + 160, 2, MPI_C_DOUBLE_COMPLEX, MPI_SUM,
                             w.win)); /* 160..191 */
    CHECK_MPI(
        MPI_Fetch_and_op(&pair, &was, MPI_DOUBLE_INT, next, at + 192, MPI_MAXLOC, w.win));      /* 192..207 */
    CHECK_MPI(MPI_Accumulate(&s, 1, MPI_SHORT, next, at + 208, 1, MPI_SHORT, MPI_BOR, w.win));  /* 208..209 */
    CHECK_MPI(MPI_Accumulate(ints + 1, 1, MPI_INT, next, at + 213, 1, MPI_INT, MPI_SUM,
                             w.win)); /* 213..216, not aligned */
    CHECK_MPI(MPI_Compare_and_swap(&swapped, &compare, &old, MPI_LONG, next, at + 224, w.win)); /* 224..231 */
    CHECK_EQ(old, 0);
    CHECK_MPI(MPI_Compare_and_swap(&compare, &compare, &old, MPI_LONG, next, at + 224, w.win));
    CHECK_MPI(MPI_Fetch_and_op(NULL, &compare, MPI_LONG, next, at + 224, MPI_NO_OP, w.win));
    CHECK_MPI(MPI_Put(&letter, 1, MPI_CHAR, next, at + 232, 1, MPI_CHAR, w.win));               /* 232 */
    CHECK_MPI(MPI_Put(NULL, 0, MPI_CHAR, MPI_PROC_NULL, 0, 0, MPI_CHAR, w.win));
    if (mode >= 2 && mode <= 4) {
        MPI_Request r[4];
        CHECK_MPI(MPI_Rput(ints, 2, MPI_INT, next, at + 240, 2, MPI_INT, w.win, &r[0]));        /* 240..247 */
        CHECK_MPI(MPI_Wait(&r[0], MPI_STATUS_IGNORE));
        CHECK_MPI(MPI_Raccumulate(ints, 2, MPI_INT, next, at + 240, 2, MPI_INT, MPI_SUM, w.win, &r[0]));
        CHECK_MPI(MPI_Rget(got + 2, 2, MPI_INT, next, at + 240, 2, MPI_INT, w.win, &r[1]));
        CHECK_MPI(MPI_Rget_accumulate(ints, 2, MPI_INT, got + 4, 2, MPI_INT, next, at + 240, 2, MPI_INT,
                                      MPI_SUM, w.win, &r[2]));
        CHECK_MPI(MPI_Rput(NULL, 0, MPI_INT, MPI_PROC_NULL, 0, 0, MPI_INT, w.win, &r[3]));
        CHECK_MPI(MPI_Waitall(4, r, MPI_STATUSES_IGNORE));
    }
    end(&w, mode);
    for (int i = 0; i < 16; i++) {
        CHECK_EQ(sums[i], 2 * ints[i]);
        if (mode < 2 || mode > 4)
            CHECK_EQ(got[i], ints[i]);
        else if (i == 4 || i == 5)
            CHECK_EQ(got[i], 2 * ints[i - 4]);
    }
    CHECK_EQ(old, 42);
    CHECK_EQ(compare, 42);
    CHECK(was.value == 0 && was.index == 0);

    /* what the previous rank has left here, and that nothing else has changed */
    char *want = calloc(1, (size_t)size), *part = want + previous * (PART + GAP);
    int theirs[16], five[16];
    for (int i = 0; i < 16; i++) {
        theirs[i] = 100 * previous + i;
        five[i] = 3 * theirs[i];
        memcpy(part + 4 * i, &five[i], 4);
    }
    for (int i = 0; i < 4; i++) {
        memcpy(part + 64 + 12 * i, &theirs[i], 4);
        memcpy(part + 112 + 4 * i, &theirs[3 * i], 4);
    }
    memcpy(part + 128, d, sizeof d);
    memcpy(part + 160, d, sizeof d);
    pair.index = previous;
    memcpy(part + 192, &pair, 12);
    memcpy(part + 208, &s, 2);
    memcpy(part + 213, &theirs[1], 4);
    memcpy(part + 224, &swapped, 8);
    part[232] = letter;
    if (mode >= 2 && mode <= 4)
        memcpy(part + 240, five, 8);
    CHECK_MPI(MPI_Win_lock(MPI_LOCK_SHARED, me, 0, w.win));
    for (MPI_Aint i = 0; i < size; i++)
        CHECK_MSG(w.own[i] == want[i], "%s, mode %d: byte %ld is %d, want %d", memory_names[memory], mode, (long)i, w.own[i], want[i]);
    CHECK_MPI(MPI_Win_unlock(me, w.win));
    free(want);
    CHECK_MPI(MPI_Type_free(&column));
    window_close(&w);
}

int main(int argc, char **argv)
{
    MPI_Group world;

    check_init(&argc, &argv);
    next = (me + 1) % np;
    previous = (me + np - 1) % np;
    CHECK_MPI(MPI_Comm_group(MPI_COMM_WORLD, &world));
    CHECK_MPI(MPI_Group_incl(world, 1, &next, &to));
    CHECK_MPI(MPI_Group_incl(world, 1, &previous, &from));
    for (int memory = 0; memory < MEMORIES; memory = memory_after(memory))
        for (int mode = 0; mode < 7; mode++)
            one((enum memory)memory, mode);
    CHECK_MPI(MPI_Group_free(&world));
    CHECK_MPI(MPI_Group_free(&to));
    CHECK_MPI(MPI_Group_free(&from));
    return check_finish();
}
