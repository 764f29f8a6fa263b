/* Windows: locks that are held, epochs that do not meet. */
#include "case.h"

static int data[4];
static MPI_Win win;

static void make(void)
{
    int *memory;
    MPI_Win_allocate(sizeof(int) * 4, sizeof(int), MPI_INFO_NULL, WORLD, &memory, &win);
    MPI_Win_set_name(win, "table");
}

static void one(int other, MPI_Group *group)
{
    MPI_Group all;
    MPI_Comm_group(WORLD, &all);
    MPI_Group_incl(all, 1, &other, group);
    MPI_Group_free(&all);
}

/* Rank 1 keeps the lock of rank 0 and waits for a message. */
static void lock(void)
{
    make();
    if (rank == 1) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
        MPI_Send(data, 0, MPI_INT, 2, 0, WORLD);
        MPI_Recv(data, 1, MPI_INT, 2, 3, WORLD, IGNORE);
        MPI_Win_unlock(0, win);
    } else if (rank == 2) {
        MPI_Recv(data, 0, MPI_INT, 1, 0, WORLD, IGNORE);
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
    }
    MPI_Win_free(&win);
}

/* Two ranks take two locks in another order. */
static void locks(void)
{
    make();
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, win);
    MPI_Barrier(WORLD);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1 - rank, 0, win);
    MPI_Win_free(&win);
}

static void fence(void)
{
    make();
    if (rank == 1)
        MPI_Recv(data, 1, MPI_INT, 0, 3, WORLD, IGNORE);
    MPI_Win_fence(0, win);
}

static void start(void) /* without a post */
{
    MPI_Group group;
    make();
    one(1 - rank, &group);
    if (rank == 0)
        MPI_Win_start(group, 0, win);
    else
        MPI_Recv(data, 1, MPI_INT, 0, 3, WORLD, IGNORE);
}

static void wait_(void) /* without a complete */
{
    MPI_Group group;
    make();
    one(1 - rank, &group);
    if (rank == 0) {
        MPI_Win_post(group, 0, win);
        MPI_Win_wait(win);
    }
}

static void window_free(void)
{
    make();
    if (rank == 0)
        MPI_Win_free(&win);
    else
        MPI_Recv(data, 1, MPI_INT, 0, 3, WORLD, IGNORE);
}

static void lock_all(void) /* against one rank that wants a window for itself */
{
    make();
    if (rank == 1)
        MPI_Win_lock_all(0, win);
    MPI_Barrier(WORLD);
    if (rank == 0)
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
    else
        MPI_Recv(data, 1, MPI_INT, 0, 3, WORLD, IGNORE);
    MPI_Win_free(&win);
}

static void unlock_forgotten(void) /* whoever holds the lock has gone on to the end */
{
    make();
    if (rank == 1)
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
    MPI_Barrier(WORLD);
    if (rank == 0)
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
}

static void fence_free(void) /* one fence too many */
{
    make();
    if (rank == 0)
        MPI_Win_fence(0, win);
    MPI_Win_free(&win);
}

static void complete(void) /* one of two partners has posted */
{
    MPI_Group group, all;
    make();
    if (rank == 0) {
        int others[2] = {1, 2}, value = 1;
        MPI_Comm_group(WORLD, &all);
        MPI_Group_incl(all, 2, others, &group);
        MPI_Win_start(group, 0, win);
        MPI_Put(&value, 1, MPI_INT, 2, 0, 1, MPI_INT, win);
        MPI_Win_complete(win);
    } else if (rank == 1) {
        one(0, &group);
        MPI_Win_post(group, 0, win);
        MPI_Win_wait(win);
    }
    MPI_Win_free(&win);
}

static void both_post(void) /* each exposes its memory and waits for the other's access */
{
    MPI_Group group;
    make();
    one(1 - rank, &group);
    MPI_Win_post(group, 0, win);
    MPI_Win_wait(win);
}

CASES({"lock", lock}, {"locks", locks}, {"fence", fence}, {"start", start}, {"wait", wait_},
      {"free", window_free}, {"lock-all", lock_all}, {"unlock-forgotten", unlock_forgotten},
      {"fence-free", fence_free}, {"complete", complete}, {"both-post", both_post})
