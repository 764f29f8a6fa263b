/* Windows: locks that are held, epochs that do not meet; files; threads; other jobs. */
#include "case.h"

#include <pthread.h>

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

static MPI_File file;

static void open_file(void)
{
    MPI_File_open(WORLD, "hangs.tmp", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
                  &file);
}

static void write_all(void)
{
    open_file();
    if (rank == 0)
        MPI_Recv(data, 1, MPI_INT, 1, 3, WORLD, IGNORE);
    else
        MPI_File_write_at_all(file, 16 * rank, data, 4, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
}

static void set_view(void)
{
    open_file();
    if (rank == 0)
        MPI_Recv(data, 1, MPI_INT, 1, 3, WORLD, IGNORE);
    else
        MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
    MPI_File_close(&file);
}

static void ordered(void)
{
    open_file();
    if (rank == 0)
        MPI_Recv(data, 1, MPI_INT, 1, 3, WORLD, IGNORE);
    else
        MPI_File_write_ordered(file, data, 4, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
}

static void partitioned(void)
{
    MPI_Request r;
    if (rank == 0) {
        MPI_Psend_init(data, 2, 1, MPI_INT, 1, 4, WORLD, MPI_INFO_NULL, &r);
        MPI_Start(&r);
        MPI_Pready(0, r);
    } else {
        MPI_Precv_init(data, 2, 1, MPI_INT, 0, 4, WORLD, MPI_INFO_NULL, &r);
        MPI_Start(&r);
    }
    MPI_Wait(&r, IGNORE);
}

CASES({"lock", lock}, {"locks", locks}, {"fence", fence}, {"start", start}, {"wait", wait_},
      {"free", window_free}, {"write-all", write_all}, {"set-view", set_view}, {"ordered", ordered},
      {"partitioned", partitioned})
