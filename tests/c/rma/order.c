/* Calls that do not fit the state of a window's epochs give MPI_ERR_RMA_SYNC, other bad arguments their own
 * class, and neither changes anything: the window works afterwards. */
#include "window.h"

static MPI_Group world, self;

/* Nothing is open: all that needs an epoch is refused. */
static void closed(struct window *w)
{
    int x = 1, y = 2, flag;
    MPI_Request r;
    CHECK_CLASS(MPI_Put(&x, 1, MPI_INT, 0, w->base[0], 1, MPI_INT, w->win), MPI_ERR_RMA_SYNC);
    CHECK_CLASS(MPI_Get(&x, 1, MPI_INT, 0, w->base[0], 1, MPI_INT, w->win), MPI_ERR_RMA_SYNC);
    CHECK_CLASS(MPI_Accumulate(&x, 1, MPI_INT, 0, w->base[0], 1, MPI_INT, MPI_SUM, w->win), MPI_ERR_RMA_SYNC);
    CHECK_CLASS(MPI_Fetch_and_op(&x, &y, MPI_INT, 0, w->base[0], MPI_SUM, w->win), MPI_ERR_RMA_SYNC);
    CHECK_CLASS(MPI_Rput(&x, 1, MPI_INT, 0, w->base[0], 1, MPI_INT, w->win, &r), MPI_ERR_RMA_SYNC);
    CHECK_CLASS(MPI_Win_complete(w->win), MPI_ERR_RMA_SYNC);
    CHECK_CLASS(MPI_Win_wait(w->win), MPI_ERR_RMA_SYNC);
    CHECK_CLASS(MPI_Win_test(w->win, &flag), MPI_ERR_RMA_SYNC);
    CHECK_CLASS(MPI_Win_unlock(0, w->win), MPI_ERR_RMA_SYNC);
    CHECK_CLASS(MPI_Win_unlock_all(w->win), MPI_ERR_RMA_SYNC);
    CHECK_CLASS(MPI_Win_flush(0, w->win), MPI_ERR_RMA_SYNC);
    CHECK_CLASS(MPI_Win_flush_local(0, w->win), MPI_ERR_RMA_SYNC);
    CHECK_CLASS(MPI_Win_flush_all(w->win), MPI_ERR_RMA_SYNC);
    CHECK_CLASS(MPI_Win_flush_local_all(w->win), MPI_ERR_RMA_SYNC);
    CHECK_EQ(x, 1);
    CHECK_EQ(y, 2);
}

static void locked(struct window *w)
{
    int x = 1;
    MPI_Win keep = w->win;
    CHECK_MPI(MPI_Win_lock(MPI_LOCK_SHARED, me, 0, w->win));
    CHECK_CLASS(MPI_Win_lock(MPI_LOCK_SHARED, me, 0, w->win), MPI_ERR_RMA_SYNC);
    CHECK_CLASS(MPI_Win_lock_all(0, w->win), MPI_ERR_RMA_SYNC);
    CHECK_CLASS(MPI_Win_unlock_all(w->win), MPI_ERR_RMA_SYNC);
    CHECK_CLASS(MPI_Win_fence(0, w->win), MPI_ERR_RMA_SYNC);
    CHECK_CLASS(MPI_Win_start(self, 0, w->win), MPI_ERR_RMA_SYNC);
    CHECK_CLASS(MPI_Win_post(self, 0, w->win), MPI_ERR_RMA_SYNC);
    CHECK_CLASS(MPI_Win_free(&w->win), MPI_ERR_RMA_SYNC);
    CHECK(w->win == keep);
    if (np > 1) {
        const int other = (me + 1) % np;
        CHECK_CLASS(MPI_Put(&x, 1, MPI_INT, other, w->base[other], 1, MPI_INT, w->win), MPI_ERR_RMA_SYNC);
        CHECK_CLASS(MPI_Win_flush(other, w->win), MPI_ERR_RMA_SYNC);
        CHECK_CLASS(MPI_Win_unlock(other, w->win), MPI_ERR_RMA_SYNC);
    }
    CHECK_MPI(MPI_Win_unlock(me, w->win));
    CHECK_MPI(MPI_Win_lock_all(0, w->win));
    CHECK_CLASS(MPI_Win_lock_all(0, w->win), MPI_ERR_RMA_SYNC);
    CHECK_CLASS(MPI_Win_lock(MPI_LOCK_SHARED, me, 0, w->win), MPI_ERR_RMA_SYNC);
    CHECK_CLASS(MPI_Win_unlock(me, w->win), MPI_ERR_RMA_SYNC);
    CHECK_CLASS(MPI_Win_fence(0, w->win), MPI_ERR_RMA_SYNC);
    CHECK_CLASS(MPI_Win_free(&w->win), MPI_ERR_RMA_SYNC);
    CHECK_MPI(MPI_Win_unlock_all(w->win));
}

static void started(struct window *w)
{
    CHECK_MPI(MPI_Win_post(self, 0, w->win));
    CHECK_CLASS(MPI_Win_post(self, 0, w->win), MPI_ERR_RMA_SYNC);
    CHECK_CLASS(MPI_Win_fence(0, w->win), MPI_ERR_RMA_SYNC);
    CHECK_CLASS(MPI_Win_free(&w->win), MPI_ERR_RMA_SYNC);
    CHECK_CLASS(MPI_Win_lock(MPI_LOCK_SHARED, me, 0, w->win), MPI_ERR_RMA_SYNC);
    CHECK_MPI(MPI_Win_start(self, 0, w->win));
    CHECK_CLASS(MPI_Win_start(self, 0, w->win), MPI_ERR_RMA_SYNC);
    CHECK_CLASS(MPI_Win_lock(MPI_LOCK_SHARED, me, 0, w->win), MPI_ERR_RMA_SYNC);
    CHECK_CLASS(MPI_Win_lock_all(0, w->win), MPI_ERR_RMA_SYNC);
    CHECK_CLASS(MPI_Win_fence(0, w->win), MPI_ERR_RMA_SYNC);
    CHECK_CLASS(MPI_Win_flush(me, w->win), MPI_ERR_RMA_SYNC);
    CHECK_MPI(MPI_Win_complete(w->win));
    CHECK_MPI(MPI_Win_wait(w->win));
}

/* A fence that nothing has followed does not stand in the way; one with operations after it does. */
static void fenced(struct window *w)
{
    int x = 1;
    CHECK_MPI(MPI_Win_fence(0, w->win));
    CHECK_MPI(MPI_Win_lock(MPI_LOCK_SHARED, me, 0, w->win));
    CHECK_MPI(MPI_Win_unlock(me, w->win));
    CHECK_MPI(MPI_Win_fence(0, w->win));
    CHECK_MPI(MPI_Put(&x, 1, MPI_INT, me, w->base[me], 1, MPI_INT, w->win));
    CHECK_CLASS(MPI_Win_lock(MPI_LOCK_SHARED, me, 0, w->win), MPI_ERR_RMA_SYNC);
    CHECK_CLASS(MPI_Win_start(self, 0, w->win), MPI_ERR_RMA_SYNC);
    CHECK_CLASS(MPI_Win_free(&w->win), MPI_ERR_RMA_SYNC);
    /* broken promises cost time, and nothing else */
    CHECK_MPI(MPI_Win_fence(MPI_MODE_NOSUCCEED, w->win));
    CHECK_MPI(MPI_Put(&x, 1, MPI_INT, me, w->base[me], 1, MPI_INT, w->win));
    CHECK_CLASS(MPI_Win_start(self, 0, w->win), MPI_ERR_RMA_SYNC);
    CHECK_MPI(MPI_Win_fence(MPI_MODE_NOPRECEDE | MPI_MODE_NOSUCCEED, w->win));
    CHECK_MPI(MPI_Put(&x, 1, MPI_INT, me, w->base[me], 1, MPI_INT, w->win));
    CHECK_MPI(MPI_Win_fence(MPI_MODE_NOSUCCEED, w->win));
    CHECK_MPI(MPI_Win_lock(MPI_LOCK_SHARED, me, 0, w->win)); /* no fence's epoch is open after it */
    CHECK_MPI(MPI_Win_unlock(me, w->win));
}

static void arguments(struct window *w)
{
    int x = 1;
    void *base;
    MPI_Win other = MPI_WIN_NULL;
    CHECK_CLASS(MPI_Win_fence(1, w->win), MPI_ERR_ASSERT);
    CHECK_CLASS(MPI_Win_fence(MPI_MODE_NOCHECK, w->win), MPI_ERR_ASSERT);
    CHECK_CLASS(MPI_Win_post(self, MPI_MODE_NOSUCCEED, w->win), MPI_ERR_ASSERT);
    CHECK_CLASS(MPI_Win_start(self, MPI_MODE_NOPUT, w->win), MPI_ERR_ASSERT);
    CHECK_CLASS(MPI_Win_lock(MPI_LOCK_SHARED, me, MPI_MODE_NOPUT, w->win), MPI_ERR_ASSERT);
    CHECK_CLASS(MPI_Win_lock_all(12345, w->win), MPI_ERR_ASSERT);
    CHECK_CLASS(MPI_Win_lock(17, me, 0, w->win), MPI_ERR_LOCKTYPE);
    CHECK_CLASS(MPI_Win_lock(MPI_LOCK_SHARED, np, 0, w->win), MPI_ERR_RANK);
    CHECK_CLASS(MPI_Win_lock(MPI_LOCK_SHARED, -1, 0, w->win), MPI_ERR_RANK);
    CHECK_MPI(MPI_Win_lock(MPI_LOCK_SHARED, me, 0, w->win));
    CHECK_CLASS(MPI_Put(&x, 1, MPI_INT, np, w->base[me], 1, MPI_INT, w->win), MPI_ERR_RANK);
    CHECK_CLASS(MPI_Put(&x, -1, MPI_INT, me, w->base[me], 1, MPI_INT, w->win), MPI_ERR_COUNT);
    CHECK_CLASS(MPI_Put(&x, 1, MPI_INT, me, w->base[me], -1, MPI_INT, w->win), MPI_ERR_COUNT);
    CHECK_CLASS(MPI_Put(&x, 1, MPI_DATATYPE_NULL, me, w->base[me], 1, MPI_INT, w->win), MPI_ERR_TYPE);
    CHECK_CLASS(MPI_Put(&x, 1, MPI_INT, me, w->base[me], 1, MPI_DATATYPE_NULL, w->win), MPI_ERR_TYPE);
    CHECK_CLASS(MPI_Put(&x, 1, MPI_INT, me, w->base[me], 1, MPI_SHORT, w->win), MPI_ERR_TRUNCATE);
    CHECK_CLASS(MPI_Accumulate(&x, 1, MPI_INT, me, w->base[me], 1, MPI_FLOAT, MPI_SUM, w->win), MPI_ERR_TYPE);
    CHECK_CLASS(MPI_Accumulate(&x, 1, MPI_INT, me, w->base[me], 1, MPI_INT, MPI_MAXLOC, w->win), MPI_ERR_OP);
    CHECK_CLASS(MPI_Accumulate(&x, 1, MPI_INT, me, w->base[me], 1, MPI_INT, MPI_OP_NULL, w->win), MPI_ERR_OP);
    CHECK_CLASS(MPI_Compare_and_swap(&x, &x, &x, MPI_DOUBLE, me, w->base[me], w->win), MPI_ERR_TYPE);
    CHECK_CLASS(MPI_Put(&x, 1, MPI_INT, me, w->base[me] + 61, 1, MPI_INT, w->win), MPI_ERR_RMA_RANGE);
    CHECK_CLASS(MPI_Get(&x, 1, MPI_INT, me, w->base[me] - 1, 1, MPI_INT, w->win), MPI_ERR_RMA_RANGE);
    CHECK_MPI(MPI_Win_unlock(me, w->win));
    CHECK_CLASS(MPI_Win_attach(w->win, &x, sizeof x),
                w->memory >= DYNAMIC ? MPI_SUCCESS : MPI_ERR_RMA_FLAVOR);
    if (w->memory >= DYNAMIC) {
        CHECK_CLASS(MPI_Win_attach(w->win, &x, sizeof x), MPI_ERR_RMA_ATTACH);
        CHECK_CLASS(MPI_Win_detach(w->win, w->own + 1), MPI_ERR_BASE);
        CHECK_MPI(MPI_Win_detach(w->win, &x));
    }
    /* Creation fails on all ranks when one has called it wrongly. */
    CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    CHECK_CLASS(MPI_Win_create(&x, me == 0 ? -1 : 4, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &other), MPI_ERR_SIZE);
    CHECK_CLASS(MPI_Win_allocate(64, me == np - 1 ? 0 : 4, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &other),
                MPI_ERR_DISP);
    CHECK_CLASS(MPI_Win_allocate((MPI_Aint)1 << 60, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &other),
                MPI_ERR_NO_MEM);
    CHECK_CLASS(MPI_Alloc_mem((MPI_Aint)1 << 60, MPI_INFO_NULL, &base), MPI_ERR_NO_MEM);
    CHECK_CLASS(MPI_Alloc_mem(-1, MPI_INFO_NULL, &base), MPI_ERR_ARG);
    CHECK_CLASS(MPI_Free_mem(&x), MPI_ERR_BASE);
    CHECK_CLASS(MPI_Win_free(&other), MPI_ERR_WIN);
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    CHECK_MPI(MPI_Comm_group(MPI_COMM_WORLD, &world));
    CHECK_MPI(MPI_Group_incl(world, 1, &me, &self));
    for (int memory = 0; memory < MEMORIES; memory = memory_after(memory)) {
        struct window w = window_open((enum memory)memory, 64);
        closed(&w);
        locked(&w);
        started(&w);
        fenced(&w);
        closed(&w);
        arguments(&w);
        closed(&w);
        for (int i = 0; i < 64; i++)
            CHECK_MSG(w.own[i] == (i == 0), "byte %d is %d", i, w.own[i]);
        window_close(&w);
    }
    CHECK_MPI(MPI_Group_free(&world));
    CHECK_MPI(MPI_Group_free(&self));
    return check_finish();
}
