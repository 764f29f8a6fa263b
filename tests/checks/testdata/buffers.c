/* Buffers that are changed while they are in use, and those that overlap. The right twin of each case has
 * "right-" ahead of its name. */
#include "case.h"

enum { N = 50000 };
static int data[2 * N] __attribute__((aligned(65536))), more[2 * N];
static MPI_Request r[4];

static void send_changed(void)
{
    if (rank == 0) {
        MPI_Isend(data, N, MPI_INT, 1, 3, WORLD, r); /* @isend */
        data[7] = 1;
        MPI_Wait(r, IGNORE); /* @isend-wait */
    } else if (rank == 1) {
        MPI_Recv(data, N, MPI_INT, 0, 3, WORLD, IGNORE);
    }
}

static void right_send_changed(void)
{
    if (rank == 0) {
        MPI_Isend(data, N, MPI_INT, 1, 3, WORLD, r);
        data[N + 1] = 1;
        MPI_Wait(r, IGNORE);
        data[7] = 1;
        for (int flag = 0; !flag; data[9]++) { /* a request that is done, and not completed yet */
            MPI_Isend(data, 4, MPI_INT, 1, 4, WORLD, r + 1);
            while (!flag)
                MPI_Request_get_status(r[1], &flag, IGNORE);
            data[0]++;
            MPI_Wait(r + 1, IGNORE);
        }
    } else if (rank == 1) {
        MPI_Recv(data, N, MPI_INT, 0, 3, WORLD, IGNORE);
        MPI_Recv(data, N, MPI_INT, 0, 4, WORLD, IGNORE);
    }
}

static void persistent_changed(void)
{
    if (rank == 0) {
        MPI_Ssend_init(data, N, MPI_INT, 1, 3, WORLD, r); /* @ssend-init */
        for (int i = 0; i < 2; i++) {
            data[0]++; /* inactive */
            MPI_Start(r); /* @start */
            data[1] += i;
            MPI_Wait(r, IGNORE); /* @start-wait */
        }
        MPI_Request_free(r);
    } else if (rank == 1) {
        for (int i = 0; i < 2; i++)
            MPI_Recv(data, N, MPI_INT, 0, 3, WORLD, IGNORE);
    }
}

static void right_persistent(void)
{
    MPI_Recv_init(data, N, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, WORLD, r);
    MPI_Send_init(data, N, MPI_INT, (rank + 1) % size, 3, WORLD, r + 1); /* the same buffer, at other times */
    for (int i = 0; i < 2; i++) {
        if (rank == 0) {
            data[0]++;
            MPI_Start(r + 1);
            MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
            MPI_Start(r);
            MPI_Wait(r, IGNORE);
        } else {
            MPI_Start(r);
            MPI_Wait(r, IGNORE);
            data[1]++;
            MPI_Start(r + 1);
            MPI_Wait(r + 1, IGNORE);
        }
    }
    MPI_Request_free(r);
    MPI_Request_free(r + 1);
}

static void collective_changed(void)
{
    MPI_Iallreduce(data, more, N, MPI_INT, MPI_SUM, WORLD, r); /* @iallreduce */
    if (rank == 1)
        data[3] = 1;
    MPI_Wait(r, IGNORE); /* @iallreduce-wait */
}

static void partition_changed(void)
{
    if (rank == 0) {
        MPI_Psend_init(data, 2, N, MPI_INT, 1, 3, WORLD, MPI_INFO_NULL, r); /* @psend-init */
        MPI_Start(r);
        data[0] = 1;
        MPI_Pready(0, r[0]); /* @pready */
        data[1] = 1;
        data[N] = 1; /* of the other partition */
        MPI_Pready(1, r[0]);
        MPI_Wait(r, IGNORE); /* @pready-wait */
        MPI_Request_free(r);
    } else if (rank == 1) {
        MPI_Precv_init(data, 2, N, MPI_INT, 0, 3, WORLD, MPI_INFO_NULL, r);
        MPI_Start(r);
        for (int flag = 0; !flag; )
            MPI_Parrived(r[0], 0, &flag);
        data[0]++;
        MPI_Wait(r, IGNORE);
        MPI_Request_free(r);
    }
}

static void receive_changed(void)
{
    if (rank == 0) {
        MPI_Irecv(data + 1, N, MPI_INT, 1, 3, WORLD, r); /* @irecv */
        data[7] = 1; /* where no whole page is the buffer's: see guards.c */
        MPI_Send(more, 1, MPI_INT, 1, 4, WORLD);
        MPI_Wait(r, IGNORE); /* @irecv-wait */
    } else if (rank == 1) {
        MPI_Recv(more, 1, MPI_INT, 0, 4, WORLD, IGNORE);
        MPI_Send(data, N, MPI_INT, 0, 3, WORLD);
    }
}

static void two_receives(void)
{
    if (rank == 0) {
        MPI_Irecv(data, 10, MPI_INT, 1, 3, WORLD, r); /* @first */
        MPI_Irecv(data + 9, 10, MPI_INT, 1, 4, WORLD, r + 1); /* @second */
        MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    } else if (rank == 1) {
        MPI_Send(data, 10, MPI_INT, 0, 3, WORLD);
        MPI_Send(data, 10, MPI_INT, 0, 4, WORLD);
    }
}

/* Columns of one matrix, whose bytes lie between each other. */
static void right_columns(void)
{
    MPI_Datatype column;
    MPI_Type_vector(100, 1, 4, MPI_INT, &column);
    MPI_Type_commit(&column);
    for (int i = 0; i < 4; i++)
        if (rank == 0)
            MPI_Irecv(data + i, 1, column, 1, i, WORLD, r + i);
        else if (rank == 1)
            MPI_Isend(data + i, 1, column, 0, i, WORLD, r + i);
    if (rank < 2)
        MPI_Waitall(4, r, MPI_STATUSES_IGNORE);
    MPI_Type_free(&column);
    for (int i = 0; i < 4; i++)
        MPI_Isend(data, 10, MPI_INT, (rank + 1) % size, 4, WORLD, r + i); /* reads may overlap */
    for (int i = 0; i < 4; i++)
        MPI_Recv(more, 10, MPI_INT, MPI_ANY_SOURCE, 4, WORLD, IGNORE);
    MPI_Waitall(4, r, MPI_STATUSES_IGNORE);
    for (int i = 0; i < 2; i++)
        MPI_Irecv(data, 10, MPI_INT, MPI_PROC_NULL, 4, WORLD, r + i);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
}

static void send_and_receive(void)
{
    if (rank == 0) {
        MPI_Isend(data, N, MPI_INT, 1, 3, WORLD, r); /* @pending */
        MPI_Recv(data + N - 1, 4, MPI_INT, 1, 4, WORLD, IGNORE); /* @into-send */
        MPI_Wait(r, IGNORE);
    } else if (rank == 1) {
        MPI_Send(more, 4, MPI_INT, 0, 4, WORLD);
        MPI_Recv(data, N, MPI_INT, 0, 3, WORLD, IGNORE);
    }
}

static void sendrecv_alias(void)
{
    MPI_Sendrecv(data, 10, MPI_INT, rank, 3, data + 5, 10, MPI_INT, rank, 3, WORLD, IGNORE); /* @sendrecv */
}

static void gather_alias(void)
{
    MPI_Gather(data + 1, 1, MPI_INT, data + 1, 1, MPI_INT, 1, WORLD); /* @gather */
}

static void right_aliases(void)
{
    MPI_Gather(rank == 1 ? MPI_IN_PLACE : data + rank, 1, MPI_INT, data, 1, MPI_INT, 1, WORLD);
    MPI_Allgather(data + size, 1, MPI_INT, data, 1, MPI_INT, WORLD);
    MPI_Alltoall(MPI_IN_PLACE, 1, MPI_INT, data, 1, MPI_INT, WORLD);
    MPI_Scatter(data, 1, MPI_INT, rank == 0 ? MPI_IN_PLACE : data + size, 1, MPI_INT, 0, WORLD);
    MPI_Bcast(data, 1, MPI_INT, 0, WORLD);
    MPI_Sendrecv_replace(data, 10, MPI_INT, rank, 3, rank, 3, WORLD, IGNORE);
    MPI_Sendrecv(data, 10, MPI_INT, rank, 3, data + 10, 10, MPI_INT, rank, 3, WORLD, IGNORE);
}

static void alltoallv_blocks(void)
{
    int counts[8], at[8];
    for (int i = 0; i < size; i++) {
        counts[i] = 2;
        at[i] = i; /* each block begins within the one before */
    }
    MPI_Alltoallv(more, counts, at, MPI_INT, data, counts, at, MPI_INT, WORLD); /* @alltoallv */
}

static void status_in_buffer(void)
{
    if (rank == 0) {
        MPI_Irecv(data, N, MPI_INT, 1, 3, WORLD, r); /* @under-status */
        MPI_Recv(more, 1, MPI_INT, 1, 4, WORLD, (MPI_Status *)data); /* @status */
        MPI_Send(more, 1, MPI_INT, 1, 5, WORLD);
        MPI_Wait(r, IGNORE); /* @under-status-wait */
    } else if (rank == 1) {
        MPI_Send(more, 1, MPI_INT, 0, 4, WORLD);
        MPI_Recv(more, 1, MPI_INT, 0, 5, WORLD, IGNORE);
        MPI_Send(data, N, MPI_INT, 0, 3, WORLD);
    }
}

static void local_read(void)
{
    if (rank == 0) {
        MPI_Irecv(data, 10, MPI_INT, 1, 3, WORLD, r); /* @before-local */
        MPI_Reduce_local(data, more, 10, MPI_INT, MPI_SUM); /* @local */
        MPI_Wait(r, IGNORE);
    } else if (rank == 1) {
        MPI_Send(data, 10, MPI_INT, 0, 3, WORLD);
    }
}

CASES({"send-changed", send_changed}, {"right-send-changed", right_send_changed},
      {"persistent-changed", persistent_changed}, {"right-persistent", right_persistent},
      {"collective-changed", collective_changed}, {"partition-changed", partition_changed},
      {"receive-changed", receive_changed}, {"two-receives", two_receives}, {"right-columns", right_columns},
      {"send-and-receive", send_and_receive}, {"sendrecv-alias", sendrecv_alias},
      {"gather-alias", gather_alias}, {"right-aliases", right_aliases},
      {"alltoallv-blocks", alltoallv_blocks}, {"status-in-buffer", status_in_buffer},
      {"local-read", local_read})
