/*
 * Puts and gets of data with gaps at the origin, at the target or at both, in windows of each kind: while the
 * target waits inside MPI, and while it does not.
 */
#include "check.h"

#include <unistd.h>

enum { COUNT = 3, LONG = 700, KINDS = 4, LAYOUTS = 5 };

static int *memory, copy[1 << 16], model[1 << 16];
static const int ints = 1 << 16;

static MPI_Win make_window(int kind)
{
    const MPI_Aint size = ints * (MPI_Aint)sizeof(int);
    MPI_Win win;

    if (kind == 0) {
        memory = malloc((size_t)ints * sizeof(int));
        CHECK_MPI(MPI_Win_create(memory, size, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    } else if (kind == 1) {
        CHECK_MPI(MPI_Win_allocate(size, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win));
    } else if (kind == 2) {
        CHECK_MPI(MPI_Alloc_mem(size, MPI_INFO_NULL, &memory));
        CHECK_MPI(MPI_Win_create(memory, size, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    } else {
        memory = malloc((size_t)ints * sizeof(int));
        CHECK_MPI(MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win));
        CHECK_MPI(MPI_Win_attach(win, memory, size));
    }
    CHECK_MPI(MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN));
    return win;
}

static void end_window(MPI_Win *win, int kind)
{
    if (kind == 3)
        CHECK_MPI(MPI_Win_detach(*win, memory));
    CHECK_MPI(MPI_Win_free(win));
    if (kind == 2)
        CHECK_MPI(MPI_Free_mem(memory));
    else if (kind != 1)
        free(memory);
}

/* All of them have 24 ints in an element, or LONG. */
static MPI_Datatype make_layout(int layout)
{
    MPI_Datatype t, u;
    int lengths[8], displs[8], sizes[2] = {9, 10}, sub[2] = {4, 6}, starts[2] = {3, 2};

    switch (layout) {
    case 0:
        CHECK_MPI(MPI_Type_contiguous(24, MPI_INT, &t));
        break;
    case 1:
        CHECK_MPI(MPI_Type_vector(24, 1, 3, MPI_INT, &t));
        break;
    case 2:
        for (int i = 0; i < 8; i++) {
            lengths[i] = i % 2 ? 4 : 2;
            displs[i] = 9 * (7 - i) + i % 3;
        }
        CHECK_MPI(MPI_Type_indexed(8, lengths, displs, MPI_INT, &t));
        break;
    case 3:
        CHECK_MPI(MPI_Type_create_subarray(2, sizes, sub, starts, MPI_ORDER_C, MPI_INT, &t));
        break;
    default: /* several messages of many runs */
        CHECK_MPI(MPI_Type_vector(LONG, 1, 2, MPI_INT, &u));
        CHECK_MPI(MPI_Type_create_resized(u, 0, 2 * LONG * (MPI_Aint)sizeof(int), &t));
        CHECK_MPI(MPI_Type_free(&u));
    }
    CHECK_MPI(MPI_Type_commit(&t));
    return t;
}

static void clear(int *at, int value)
{
    for (int i = 0; i < ints; i++)
        at[i] = value ? value * 100000 + i : 0;
}

/* What the copy of elements of one layout to another does to memory, by packing. */
static void carry(int *to, MPI_Datatype of, const int *from, MPI_Datatype type, int count)
{
    static char packed[1 << 18];
    int at = 0, size;

    CHECK_MPI(MPI_Pack(from, count, type, packed, sizeof packed, &at, MPI_COMM_WORLD));
    size = at;
    at = 0;
    CHECK_MPI(MPI_Unpack(packed, size, &at, to, count, of, MPI_COMM_WORLD));
}

static void compare(const int *a, const int *b, const char *what, int kind, int from, int to)
{
    for (int i = 0; i < ints; i++)
        if (a[i] != b[i]) {
            check_fail(__FILE__, __LINE__, "%s, window %d, layouts %d to %d: int %d is %d, not %d", what, kind,
                       from, to, i, a[i], b[i]);
            return;
        }
}

/* The target waits in a barrier, or computes until the origin is done. */
static void attend(int late)
{
    if (late)
        usleep(2000);
    CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
}

static void check_pair(MPI_Win win, int kind, MPI_Aint disp, int from, int to, int late)
{
    MPI_Datatype origin = make_layout(from), target = make_layout(to);

    clear(memory, 0);
    clear(model, 0);
    clear(copy, 7);
    CHECK_MPI(MPI_Win_fence(0, win));
    CHECK_MPI(MPI_Win_fence(MPI_MODE_NOSUCCEED, win));
    CHECK_MPI(MPI_Win_lock_all(0, win));
    if (me == np - 1) {
        CHECK_MPI(MPI_Put(copy, COUNT, origin, 0, disp, COUNT, target, win));
        CHECK_MPI(MPI_Win_flush(0, win));
    }
    attend(late && me != np - 1);
    CHECK_MPI(MPI_Win_sync(win));
    carry(model + 11, target, copy, origin, COUNT);
    if (me == 0)
        compare(memory, model, "put", kind, from, to);
    CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
    if (me == np - 1) {
        clear(copy, 0);
        CHECK_MPI(MPI_Get(copy, COUNT, target, 0, disp, COUNT, target, win));
        CHECK_MPI(MPI_Win_flush(0, win));
        int *got = calloc((size_t)ints, sizeof(int));
        carry(got, target, model + 11, target, COUNT);
        compare(copy, got, "get", kind, to, to);
        free(got);
    }
    attend(late && me != np - 1);
    CHECK_MPI(MPI_Win_unlock_all(win));
    CHECK_MPI(MPI_Type_free(&origin));
    CHECK_MPI(MPI_Type_free(&target));
}

/* Memory beside the window is refused, and not written. */
static void check_beside(MPI_Win win)
{
    MPI_Datatype t = make_layout(1);

    CHECK_MPI(MPI_Win_lock_all(0, win));
    if (me == 0) {
        CHECK_CLASS(MPI_Put(copy, 1, t, 0, ints - 30, 1, t, win), MPI_ERR_RMA_RANGE);
        CHECK_CLASS(MPI_Get(copy, 1, t, np - 1, ints - 69, 1, t, win), MPI_ERR_RMA_RANGE);
        CHECK_MPI(MPI_Put(copy, 1, t, np - 1, ints - 70, 1, t, win));
    }
    CHECK_MPI(MPI_Win_unlock_all(win));
    CHECK_MPI(MPI_Type_free(&t));
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    for (int kind = 0; kind < KINDS; kind++) {
        MPI_Win win = make_window(kind);
        MPI_Aint disp = 11, base;

        CHECK_MPI(MPI_Get_address(memory + 11, &base));
        if (kind == 3)
            disp = base;
        CHECK_MPI(MPI_Bcast(&disp, 1, MPI_AINT, 0, MPI_COMM_WORLD));
        for (int from = 0; from < LAYOUTS; from++)
            for (int to = 0; to < LAYOUTS; to++)
                if ((from == LAYOUTS - 1) == (to == LAYOUTS - 1))
                    for (int late = 0; late < 2; late++)
                        check_pair(win, kind, disp, from, to, late);
        if (kind != 3)
            check_beside(win);
        end_window(&win, kind);
    }
    return check_finish();
}
