/* Files: operations of all ranks that one has not entered. */
#include "case.h"

static int data[4];
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

static void read_all(void)
{
    open_file();
    if (rank == 0)
        MPI_Recv(data, 1, MPI_INT, 1, 3, WORLD, IGNORE);
    else
        MPI_File_read_all(file, data, 4, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
}

static void iwrite_all(void)
{
    MPI_Request r;
    open_file();
    if (rank == 0)
        MPI_Recv(data, 1, MPI_INT, 1, 3, WORLD, IGNORE);
    else {
        MPI_File_iwrite_at_all(file, 16 * rank, data, 4, MPI_INT, &r);
        MPI_Wait(&r, MPI_STATUS_IGNORE);
    }
    MPI_File_close(&file);
}

static void begin_end(void)
{
    open_file();
    if (rank == 0)
        MPI_Recv(data, 1, MPI_INT, 1, 3, WORLD, IGNORE);
    else {
        MPI_File_write_at_all_begin(file, 16 * rank, data, 4, MPI_INT);
        MPI_File_write_at_all_end(file, data, MPI_STATUS_IGNORE);
    }
    MPI_File_close(&file);
}

static void set_size(void)
{
    open_file();
    if (rank == 0)
        MPI_Recv(data, 1, MPI_INT, 1, 3, WORLD, IGNORE);
    else
        MPI_File_set_size(file, 100);
    MPI_File_close(&file);
}

static void close_file(void)
{
    open_file();
    if (rank == 0)
        MPI_Recv(data, 1, MPI_INT, 1, 3, WORLD, IGNORE);
    MPI_File_close(&file);
}

static void two_files(void) /* closed in another order */
{
    MPI_File other;
    open_file();
    MPI_File_open(WORLD, "other.tmp", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
                  &other);
    MPI_File_close(rank ? &file : &other);
    MPI_File_close(rank ? &other : &file);
}

CASES({"write-all", write_all}, {"set-view", set_view}, {"ordered", ordered}, {"read-all", read_all},
      {"iwrite-all", iwrite_all}, {"begin-end", begin_end}, {"set-size", set_size}, {"close", close_file},
      {"two", two_files})
