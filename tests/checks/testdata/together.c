/* Collective operations that do not fit together, and messages that do not fit their receives. */
#include "case.h"

enum { N = 8 };
static int data[N * 8], more[N * 8];
static MPI_Request r[2];

static void ibcast_root(void)
{
    MPI_Ibcast(data, 4, MPI_INT, rank == 1, WORLD, r); /* @ibcast */
    MPI_Barrier(WORLD);
}

static void functions(void)
{
    if (rank == 0)
        MPI_Ireduce(data, more, 4, MPI_INT, MPI_SUM, 0, WORLD, r); /* @ireduce */
    else
        MPI_Ibarrier(WORLD, r); /* @ibarrier */
    MPI_Wait(r, IGNORE); /* @wait */
}

static void operations(void)
{
    MPI_Iallreduce(data, more, 4, MPI_INT, rank == 1 ? MPI_MAX : MPI_SUM, WORLD, r); /* @iallreduce */
    MPI_Wait(r, IGNORE);
}

static void persistent_counts(void)
{
    MPI_Bcast_init(data, rank == 1 ? 3 : 4, MPI_INT, 0, WORLD, MPI_INFO_NULL, r); /* @init */
    MPI_Barrier(WORLD);
    MPI_Request_free(r);
}

static void in_place(void)
{
    MPI_Iallreduce(rank == 1 ? MPI_IN_PLACE : data, more, 4, MPI_INT, MPI_SUM, WORLD, r); /* @in-place */
    MPI_Wait(r, IGNORE);
}

/* All get the right blocks all the same. */
static void in_place_blocks(void)
{
    int counts[2] = {1, 1}, displs[2] = {0, 1}, at[2] = {0, 4};
    MPI_Datatype types[2] = {MPI_INT, MPI_INT};
    const MPI_Info none = MPI_INFO_NULL;
    const void *send = rank == 1 ? MPI_IN_PLACE : more;

    MPI_Ialltoallv(send, counts, displs, MPI_INT, data, counts, displs, MPI_INT, WORLD, r); /* @in-place-v */
    MPI_Wait(r, IGNORE);
    MPI_Alltoallw_init(send, counts, at, types, data, counts, at, types, WORLD, none, r); /* @in-place-w */
    MPI_Request_free(r);
}

static void in_place_blocking(void)
{
    int counts[2] = {1, 1}, displs[2] = {0, 1};
    const void *send = rank == 1 ? MPI_IN_PLACE : more;

    MPI_Alltoallv(send, counts, displs, MPI_INT, data, counts, displs, MPI_INT, WORLD); /* @in-place-now */
}

static void blocking(void)
{
    if (rank == 0)
        MPI_Bcast(data, 4, MPI_INT, 0, WORLD); /* @bcast */
    else
        MPI_Reduce(data, more, 4, MPI_INT, MPI_SUM, 0, WORLD); /* @reduce */
}

static void making(void)
{
    MPI_Comm c;
    if (rank == 0)
        MPI_Comm_dup(WORLD, &c); /* @dup */
    else
        MPI_Comm_split(WORLD, 0, 0, &c); /* @split */
    MPI_Comm_free(&c);
}

/* Nobody waits for the others: rank 0 is ahead by several operations. */
static void right_nonblocking(void)
{
    int token = 0;
    MPI_Comm c;
    MPI_Win w;
    if (rank > 0)
        MPI_Recv(&token, 1, MPI_INT, rank - 1, 4, WORLD, IGNORE);
    MPI_Iallreduce(data, more, 4, MPI_INT, MPI_SUM, WORLD, r);
    MPI_Igather(data + 16, 1, MPI_INT, more + 16, 1, MPI_INT, 0, WORLD, r + 1);
    if (rank < size - 1)
        MPI_Send(&token, 1, MPI_INT, rank + 1, 4, WORLD);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    MPI_Iscatter(data, 1, MPI_INT, rank == 0 ? MPI_IN_PLACE : more, 1, MPI_INT, 0, WORLD, r);
    MPI_Ireduce(rank == 1 ? MPI_IN_PLACE : data + 8, more + 8, 2, MPI_INT, MPI_SUM, 1, WORLD, r + 1);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    MPI_Iscan(rank == 0 ? MPI_IN_PLACE : data, more, 2, MPI_INT, MPI_SUM, WORLD, r);
    MPI_Wait(r, IGNORE);
    MPI_Comm_split(WORLD, rank % 2, 0, &c);
    MPI_Win_create(data, sizeof data, 1 + rank, MPI_INFO_NULL, c, &w);
    MPI_Win_free(&w);
    MPI_Comm_free(&c);
}

static void types(void)
{
    if (rank == 0)
        MPI_Send(data, 4, MPI_INT, 1, 3, WORLD); /* @send */
    else
        MPI_Recv(data, 4, MPI_FLOAT, 0, 3, WORLD, IGNORE); /* @recv */
}

static void truncated(void)
{
    if (rank == 0)
        MPI_Send(data, 4, MPI_INT, 1, 3, WORLD); /* @long */
    else
        MPI_Recv(data, 3, MPI_INT, 0, 3, WORLD, IGNORE); /* @short */
}

static void replace_types(void)
{
    MPI_Datatype t = rank == 0 ? MPI_INT : MPI_FLOAT;
    MPI_Sendrecv(data, 4, t, 1 - rank, 3, more, 4, MPI_INT, 1 - rank, 3, WORLD, IGNORE); /* @sendrecv */
}

static void collective_types(void)
{
    MPI_Bcast(data, 4, rank == 0 ? MPI_INT : MPI_FLOAT, 0, WORLD); /* @bcast-types */
}

static void ibcast_types(void)
{
    MPI_Ibcast(data, 4, rank == 0 ? MPI_INT : MPI_FLOAT, 0, WORLD, r); /* @ibcast-types */
    MPI_Wait(r, IGNORE);
}

/* What a rank gives does not fit what the others want; each by itself is consistent in size. */
static void iallgather_types(void)
{
    MPI_Datatype wanted = rank == 0 ? MPI_INT : MPI_UNSIGNED;

    MPI_Iallgather(data, 4, MPI_INT, more, 4, wanted, WORLD, r); /* @iallgather-types */
    MPI_Wait(r, IGNORE);
}

static void right_types(void)
{
    MPI_Datatype pair;

    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    MPI_Ibcast(data, rank == 0 ? 4 : 2, rank == 0 ? MPI_INT : pair, 0, WORLD, r);
    MPI_Ialltoall(data + 8, 2, MPI_INT, more, 1, pair, WORLD, r + 1);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    MPI_Ireduce_scatter_block(data, more, 2, MPI_INT, MPI_SUM, WORLD, r);
    MPI_Igather(data + 16, 2, MPI_INT, more + 16, 1, pair, 0, WORLD, r + 1);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    MPI_Type_free(&pair);
}

static MPI_File opened(void)
{
    MPI_File f;
    int mode = MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE;

    if (MPI_File_open(WORLD, "together.tmp", mode, MPI_INFO_NULL, &f) != MPI_SUCCESS)
        MPI_Abort(WORLD, 3);
    return f;
}

static void files(void)
{
    MPI_File f = opened();

    if (rank == 0)
        MPI_File_write_all(f, data, 4, MPI_INT, IGNORE); /* @write-all */
    else
        MPI_File_read_all(f, data, 4, MPI_INT, IGNORE); /* @read-all */
    MPI_File_close(&f);
}

static void file_arguments(void)
{
    MPI_File f = opened();

    MPI_File_set_errhandler(f, MPI_ERRORS_ARE_FATAL);
    MPI_File_set_size(f, 100 + rank); /* @set-size */
    MPI_File_close(&f);
}

static void right_files(void)
{
    MPI_File f = opened();

    MPI_File_set_size(f, 1000);
    MPI_File_set_view(f, rank * 16, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
    MPI_File_write_at_all_begin(f, 0, data, 4, MPI_INT);
    MPI_File_write_at_all_end(f, data, IGNORE);
    MPI_File_iread_all(f, data, 4, MPI_INT, r);
    MPI_Wait(r, IGNORE);
    MPI_File_seek_shared(f, 0, MPI_SEEK_SET);
    if (rank == 0)
        MPI_File_write_at(f, 0, data, 1, MPI_INT, IGNORE);
    MPI_File_sync(f);
    MPI_File_close(&f);
}

CASES({"ibcast-root", ibcast_root}, {"functions", functions}, {"operations", operations},
      {"persistent-counts", persistent_counts}, {"in-place", in_place},
      {"in-place-blocks", in_place_blocks}, {"in-place-blocking", in_place_blocking}, {"blocking", blocking},
      {"making", making}, {"right-nonblocking", right_nonblocking}, {"types", types}, {"truncated", truncated},
      {"replace-types", replace_types}, {"collective-types", collective_types},
      {"ibcast-types", ibcast_types}, {"iallgather-types", iallgather_types}, {"right-types", right_types},
      {"files", files}, {"file-arguments", file_arguments}, {"right-files", right_files})
