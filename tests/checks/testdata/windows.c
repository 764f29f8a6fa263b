/* Windows: accesses that conflict in one epoch, origin buffers that are used too early, epochs that are
 * missing. */
#include "case.h"

#define T MPI_INT

enum { N = 16 };
static int data[N], more[N], *memory;
static MPI_Win win;

static void make(void)
{
    MPI_Win_allocate(N * sizeof(int), sizeof(int), MPI_INFO_NULL, WORLD, &memory, &win);
    MPI_Win_set_name(win, "table");
    memset(memory, 0, N * sizeof(int));
    MPI_Barrier(WORLD);
}

static void fence_puts(void)
{
    make();
    MPI_Win_fence(0, win);
    if (rank > 0)
        MPI_Put(data, 4, MPI_INT, 0, rank, 4, MPI_INT, win); /* @puts */
    MPI_Win_fence(0, win); /* @puts-fence */
    MPI_Win_free(&win);
}

static void fence_put_get(void)
{
    make();
    MPI_Win_fence(0, win);
    if (rank == 1)
        MPI_Put(data, 4, MPI_INT, 0, 3, 4, MPI_INT, win); /* @put */
    if (rank == 2)
        MPI_Get(data, 1, MPI_INT, 0, 6, 1, MPI_INT, win); /* @get */
    MPI_Win_fence(0, win); /* @put-get-fence */
    MPI_Win_free(&win);
}

static void fence_accumulates(void)
{
    make();
    MPI_Win_fence(0, win);
    if (rank == 1)
        MPI_Accumulate(data, 1, MPI_INT, 0, 3, 1, MPI_INT, MPI_SUM, win); /* @sum */
    if (rank == 2)
        MPI_Accumulate(data, 1, MPI_INT, 0, 3, 1, MPI_INT, MPI_PROD, win); /* @prod */
    MPI_Win_fence(0, win); /* @accumulates-fence */
    if (rank == 1)
        MPI_Accumulate(data, 1, MPI_INT, 0, 3, 1, MPI_INT, MPI_SUM, win); /* @int */
    if (rank == 2)
        MPI_Accumulate(data, 1, MPI_FLOAT, 0, 3, 1, MPI_FLOAT, MPI_SUM, win); /* @float */
    MPI_Win_fence(0, win); /* @types-fence */
    MPI_Win_free(&win);
}

static void right_fences(void)
{
    make();
    MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
    MPI_Put(data, 4, MPI_INT, 0, rank * 4, 4, MPI_INT, win); /* beside each other */
    MPI_Win_fence(0, win);
    MPI_Put(data, 1, MPI_INT, 0, rank, 1, MPI_INT, win);
    MPI_Get(more, 1, MPI_INT, 0, 10, 1, MPI_INT, win);
    MPI_Win_fence(0, win);
    memory[3] = 7; /* beside what others access */
    memory[10] = 8;
    MPI_Barrier(WORLD); /* and ahead of what reads it */
    MPI_Accumulate(data + 1, 1, MPI_INT, 0, 12, 1, MPI_INT, MPI_SUM, win);
    MPI_Get(more, 1, MPI_INT, 0, 10, 1, MPI_INT, win);
    MPI_Win_fence(0, win);
    MPI_Accumulate(data + 1, 1, MPI_INT, 0, 12, 1, MPI_INT, MPI_PROD, win); /* in another epoch */
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    data[0] = more[0] = memory[0] = 1;
    MPI_Win_free(&win);
}

static void right_locks(void)
{
    int one = 1, old, zero = 0;
    make();
    for (int i = 0; i < 20; i++) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
        MPI_Get(more, 4, MPI_INT, 0, 0, 4, MPI_INT, win);
        MPI_Win_flush(0, win);
        more[0]++;
        MPI_Put(more, 4, MPI_INT, 0, 0, 4, MPI_INT, win);
        MPI_Win_unlock(0, win);
    }
    MPI_Barrier(WORLD);
    MPI_Win_lock_all(0, win);
    MPI_Fetch_and_op(&one, &old, MPI_INT, 0, 8, MPI_SUM, win);
    MPI_Win_flush(0, win);
    MPI_Compare_and_swap(&one, &zero, &old, MPI_INT, 0, 9, win);
    MPI_Win_flush_local(0, win);
    MPI_Fetch_and_op(NULL, &old, MPI_INT, 0, 9, MPI_NO_OP, win);
    MPI_Win_flush_all(win);
    if (rank == 1) {
        MPI_Put(&one, 1, MPI_INT, 0, 12, 1, MPI_INT, win);
        MPI_Win_flush(0, win);
        MPI_Send(data, 0, MPI_INT, 2, 0, WORLD);
    } else if (rank == 2) {
        MPI_Recv(data, 0, MPI_INT, 1, 0, WORLD, IGNORE);
        MPI_Get(more, 1, MPI_INT, 0, 12, 1, MPI_INT, win);
    }
    MPI_Win_unlock_all(win);
    MPI_Barrier(WORLD);
    if (rank == 0 && (memory[0] != 20 * size || memory[8] != size))
        printf("%d %d\n", memory[0], memory[8]);
    MPI_Win_free(&win);
}

static void locks(void)
{
    make();
    if (rank > 0) {
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
        MPI_Put(data, 1, MPI_INT, 0, 3, 1, MPI_INT, win); /* @lock-put */
        MPI_Sendrecv(data, 0, MPI_INT, 3 - rank, 0, more, 0, MPI_INT, 3 - rank, 0, WORLD, IGNORE);
        MPI_Win_unlock(0, win);
    }
    MPI_Win_free(&win); /* @lock-free */
}

static void one_origin(void)
{
    make();
    if (rank == 1) {
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
        MPI_Put(data, 1, MPI_INT, 0, 3, 1, MPI_INT, win); /* @one-put */
        MPI_Get(more, 1, MPI_INT, 0, 3, 1, MPI_INT, win); /* @one-get */
        MPI_Win_unlock(0, win);
    }
    MPI_Win_free(&win); /* @one-free */
}

static void started(int first, int n)
{
    int ranks[] = {0, 1, 2};
    MPI_Group all, some;
    MPI_Comm_group(WORLD, &all);
    MPI_Group_incl(all, n, ranks + first, &some);
    if (rank == 0)
        MPI_Win_post(some, 0, win);
    else
        MPI_Win_start(some, 0, win);
    MPI_Group_free(&some);
    MPI_Group_free(&all);
}

static void pscw(void)
{
    make();
    started(rank == 0 ? 1 : 0, rank == 0 ? 2 : 1);
    if (rank > 0) {
        if (rank == 2)
            MPI_Recv(data, 0, MPI_INT, 1, 0, WORLD, IGNORE);
        MPI_Put(data, 1, MPI_INT, 0, 5, 1, MPI_INT, win); /* @pscw-put */
        MPI_Win_complete(win);
        if (rank == 1)
            MPI_Send(data, 0, MPI_INT, 2, 0, WORLD);
    } else {
        MPI_Win_wait(win);
    }
    MPI_Win_free(&win); /* @pscw-free */
}

static void right_pscw(void)
{
    make();
    for (int i = 0; i < 3; i++) {
        started(rank == 0 ? 1 : 0, rank == 0 ? 2 : 1);
        if (rank > 0) {
            MPI_Put(data, 1, MPI_INT, 0, 5 + (rank + i) % 2, 1, MPI_INT, win);
            MPI_Win_complete(win);
            data[0] = i;
        } else {
            MPI_Win_wait(win);
        }
    }
    MPI_Win_free(&win);
}

static void store_over_put(void)
{
    make();
    MPI_Win_fence(0, win);
    if (rank == 1)
        MPI_Put(more, 1, MPI_INT, 0, 2, 1, MPI_INT, win); /* @under-store */
    MPI_Barrier(WORLD);
    if (rank == 0)
        memory[2] = 5;
    MPI_Win_fence(0, win); /* @store-fence */
    MPI_Win_free(&win);
}

static void store_under_get(void)
{
    make();
    MPI_Win_fence(0, win);
    if (rank == 1)
        MPI_Get(more, 1, MPI_INT, 0, 2, 1, MPI_INT, win); /* @get-store */
    MPI_Barrier(WORLD);
    if (rank == 0)
        memory[2] = 5;
    MPI_Win_fence(0, win); /* @get-store-fence */
    MPI_Win_free(&win);
}

static void origin_changed(void)
{
    make();
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
    if (rank == 1) {
        MPI_Put(data, 1, MPI_INT, 0, 3, 1, MPI_INT, win); /* @origin-put */
        data[0] = 4;
        MPI_Win_flush_local(0, win); /* @origin-flush */
        data[0] = 5;
        MPI_Get(more, 1, MPI_INT, 0, 4, 1, MPI_INT, win); /* @origin-get */
        more[0]++;
        MPI_Send(more, 1, MPI_INT, 0, 0, WORLD); /* @origin-send */
    } else if (rank == 0) {
        MPI_Recv(more, 1, MPI_INT, 1, 0, WORLD, IGNORE);
    }
    MPI_Win_unlock(0, win); /* @origin-unlock */
    MPI_Win_free(&win);
}

static void no_put(void)
{
    make();
    MPI_Win_fence(rank == 0 ? MPI_MODE_NOPUT : 0, win); /* @noput */
    if (rank == 1)
        MPI_Put(data, 1, MPI_INT, 0, 3, 1, MPI_INT, win); /* @noput-put */
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
}

static void assertions(void)
{
    make();
    MPI_Win_fence(rank == 0 ? MPI_MODE_NOPRECEDE : 0, win); /* @assertions */
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
}

static void no_epoch(void)
{
    make();
    if (rank == 1)
        MPI_Put(data, 1, MPI_INT, 0, 3, 1, MPI_INT, win); /* @no-epoch */
    MPI_Barrier(WORLD);
}

static void outside(void)
{
    make();
    MPI_Win_fence(0, win);
    if (rank == 1)
        MPI_Put(data, 4, MPI_INT, 0, N - 2, 4, MPI_INT, win); /* @outside */
    MPI_Win_fence(0, win);
}

/* All forms of operations with a request, each completed in another way before the next access. */
static void right_requests(void)
{
    int done = 0, index, one = 1, put = 1;
    MPI_Request r = MPI_REQUEST_NULL;
    make();
    if (rank == 1) {
        MPI_Win_lock_all(0, win);
        MPI_Rget(more, 1, MPI_INT, 0, 1, 1, MPI_INT, win, &r);
        MPI_Wait(&r, IGNORE);
        more[0]++;
        MPI_Put(more, 1, MPI_INT, 0, 1, 1, MPI_INT, win);
        MPI_Rget(more + 1, 1, MPI_INT, 0, 2, 1, MPI_INT, win, &r);
        while (!done)
            MPI_Test(&r, &done, IGNORE);
        MPI_Accumulate(&one, 1, MPI_INT, 0, 2, 1, MPI_INT, MPI_SUM, win);
        MPI_Rget(more + 2, 1, MPI_INT, 0, 3, 1, MPI_INT, win, &r);
        MPI_Waitany(1, &r, &index, IGNORE);
        MPI_Rput(&put, 1, MPI_INT, 0, 3, 1, MPI_INT, win, &r);
        MPI_Waitall(1, &r, MPI_STATUSES_IGNORE);
        put = 2; /* the request of a put gives its buffer back */
        MPI_Rget_accumulate(NULL, 0, MPI_INT, more + 3, 1, MPI_INT, 0, 4, 1, MPI_INT, MPI_NO_OP, win, &r);
        for (done = 0; !done;)
            MPI_Request_get_status(r, &done, IGNORE);
        MPI_Put(&one, 1, MPI_INT, 0, 4, 1, MPI_INT, win);
        MPI_Wait(&r, IGNORE);
        MPI_Raccumulate(&one, 1, MPI_INT, 0, 5, 1, MPI_INT, MPI_SUM, win, &r);
        MPI_Wait(&r, IGNORE);
        MPI_Win_flush(0, win);
        MPI_Put(&one, 1, MPI_INT, 0, 5, 1, MPI_INT, win);
        MPI_Get_accumulate(NULL, 0, MPI_INT, more + 4, 1, MPI_INT, 0, 6, 1, MPI_INT, MPI_NO_OP, win);
        MPI_Get(more + 5, 1, MPI_INT, 0, 7, 1, MPI_INT, win);
        MPI_Win_flush_local(0, win); /* what only reads is complete */
        MPI_Put(&one, 1, MPI_INT, 0, 6, 1, MPI_INT, win);
        MPI_Put(&one, 1, MPI_INT, 0, 7, 1, MPI_INT, win);
        MPI_Win_unlock_all(win);
    }
    MPI_Win_free(&win);
}

/* The request of an update is complete at the origin alone. */
static void request_update(void)
{
    int one = 1;
    MPI_Request r;
    make();
    if (rank == 1) {
        MPI_Win_lock_all(0, win);
        MPI_Rput(&one, 1, MPI_INT, 0, 3, 1, MPI_INT, win, &r); /* @rput */
        MPI_Wait(&r, IGNORE);
        MPI_Get(more, 1, MPI_INT, 0, 3, 1, MPI_INT, win); /* @rput-get */
        MPI_Rget_accumulate(&one, 1, T, more + 1, 1, T, 0, 5, 1, T, MPI_SUM, win, &r); /* @rsum */
        MPI_Wait(&r, IGNORE);
        MPI_Put(&one, 1, MPI_INT, 0, 5, 1, MPI_INT, win); /* @rsum-put */
        MPI_Accumulate(&one, 1, MPI_INT, 0, 7, 1, MPI_INT, MPI_SUM, win); /* @local-sum */
        MPI_Win_flush_local(0, win);
        MPI_Get(more + 2, 1, MPI_INT, 0, 7, 1, MPI_INT, win); /* @local-get */
        MPI_Win_unlock_all(win);
    }
    MPI_Win_free(&win); /* @update-free */
}

/* Nobody has waited for the reads, or has changed their result before. */
static void request_read(void)
{
    int one = 1;
    MPI_Request r, s;
    make();
    if (rank == 1) {
        MPI_Win_lock_all(0, win);
        MPI_Rget(more, 1, MPI_INT, 0, 3, 1, MPI_INT, win, &r); /* @rget */
        MPI_Put(&one, 1, MPI_INT, 0, 3, 1, MPI_INT, win); /* @rget-put */
        MPI_Rget_accumulate(NULL, 0, T, more + 1, 1, T, 0, 5, 1, T, MPI_NO_OP, win, &s); /* @rfetch */
        MPI_Put(&one, 1, MPI_INT, 0, 5, 1, MPI_INT, win); /* @rfetch-put */
        more[0]++;
        MPI_Wait(&r, IGNORE); /* @rget-wait */
        MPI_Wait(&s, IGNORE);
        MPI_Win_unlock_all(win);
    }
    MPI_Win_free(&win); /* @read-free */
}

/* MPI_NO_OP only reads: beside gets of others, and beside their accumulates. */
static void right_no_op(void)
{
    make();
    MPI_Win_fence(rank == 0 ? MPI_MODE_NOPUT : 0, win);
    if (rank == 1)
        MPI_Get(more, 1, MPI_INT, 0, 1, 1, MPI_INT, win);
    if (rank == 2)
        MPI_Get_accumulate(NULL, 0, MPI_DATATYPE_NULL, more, 1, MPI_INT, 0, 1, 1, MPI_INT, MPI_NO_OP, win);
    if (rank == 0)
        MPI_Fetch_and_op(NULL, more, MPI_INT, 0, 1, MPI_NO_OP, win);
    MPI_Win_fence(0, win);
    if (rank == 1)
        MPI_Accumulate(data, 1, MPI_INT, 0, 2, 1, MPI_INT, MPI_SUM, win);
    if (rank == 2)
        MPI_Fetch_and_op(NULL, more, MPI_INT, 0, 2, MPI_NO_OP, win);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
}

static void no_op(void)
{
    make();
    MPI_Win_fence(0, win);
    if (rank == 1)
        MPI_Put(data, 1, MPI_INT, 0, 1, 1, MPI_INT, win); /* @no-op-put */
    if (rank == 2)
        MPI_Fetch_and_op(NULL, more, MPI_INT, 0, 1, MPI_NO_OP, win); /* @no-op-fetch */
    MPI_Win_fence(0, win); /* @no-op-fence */
    if (rank == 1)
        MPI_Compare_and_swap(data, data + 1, more, MPI_INT, 0, 2, win); /* @swap */
    if (rank == 2)
        MPI_Get(more, 1, MPI_INT, 0, 2, 1, MPI_INT, win); /* @swap-get */
    MPI_Win_fence(0, win); /* @swap-fence */
    MPI_Win_free(&win);
}

CASES({"fence-puts", fence_puts}, {"fence-put-get", fence_put_get}, {"fence-accumulates", fence_accumulates},
      {"right-fences", right_fences}, {"right-locks", right_locks}, {"locks", locks}, {"one-origin", one_origin},
      {"pscw", pscw}, {"right-pscw", right_pscw}, {"store-over-put", store_over_put},
      {"store-under-get", store_under_get}, {"origin-changed", origin_changed}, {"no-put", no_put},
      {"right-requests", right_requests}, {"request-update", request_update}, {"request-read", request_read},
      {"right-no-op", right_no_op}, {"no-op", no_op}, {"assertions", assertions}, {"no-epoch", no_epoch}, {"outside", outside})
