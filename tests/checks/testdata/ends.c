/* What is left at the end: objects that were never freed, requests that were never completed, messages that
 * nobody has received. */
#include "case.h"

enum { N = 50000 };
static int data[N], more[N];
static MPI_Request r[4];

static void handle(MPI_Comm *c, int *code, ...)
{
    (void)c;
    (void)code;
}

static void add(void *in, void *inout, int *n, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *n; i++)
        ((int *)inout)[i] += ((int *)in)[i];
}

static int query(void *state, MPI_Status *status)
{
    (void)state;
    MPI_Status_set_elements(status, MPI_BYTE, 0);
    return MPI_SUCCESS;
}

static int discard(void *state)
{
    (void)state;
    return MPI_SUCCESS;
}

static int cancel(void *state, int complete)
{
    (void)state;
    (void)complete;
    return MPI_SUCCESS;
}

static void objects(void)
{
    static char buffer[1000];
    MPI_Comm dup;
    MPI_Datatype type;
    MPI_Win win;
    MPI_Group group;
    void *memory;
    int key;

    MPI_Comm_dup(WORLD, &dup); /* @dup */
    MPI_Comm_set_name(dup, "halo");
    MPI_Type_contiguous(3, MPI_INT, &type); /* @type */
    MPI_Comm_group(WORLD, &group); /* @group */
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key, NULL); /* @key */
    MPI_Alloc_mem(80, MPI_INFO_NULL, &memory); /* @memory */
    MPI_Buffer_attach(buffer, sizeof buffer);
    MPI_Win_create(data, sizeof data, 4, MPI_INFO_NULL, WORLD, &win); /* @win */
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
}

static void right_objects(void)
{
    static char buffer[1000];
    MPI_Comm dup;
    MPI_Datatype type;
    MPI_Win win;
    MPI_Group group;
    void *memory, *detached;
    int key, bytes;

    MPI_Comm_dup(WORLD, &dup);
    MPI_Type_contiguous(3, MPI_INT, &type);
    MPI_Comm_group(WORLD, &group);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key, NULL);
    MPI_Alloc_mem(80, MPI_INFO_NULL, &memory);
    MPI_Buffer_attach(buffer, sizeof buffer);
    MPI_Win_create(data, sizeof data, 4, MPI_INFO_NULL, WORLD, &win);
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
    MPI_Win_unlock(0, win);
    MPI_Win_free(&win);
    MPI_Buffer_detach(&detached, &bytes);
    MPI_Free_mem(memory);
    MPI_Comm_free_keyval(&key);
    MPI_Group_free(&group);
    MPI_Type_free(&type);
    MPI_Comm_free(&dup);
}

/* Those kinds of objects that `objects` does not leave behind. */
static void other_objects(void)
{
    MPI_Info info;
    MPI_Errhandler errhandler;
    MPI_Op op;
    MPI_Message message;
    MPI_Request request;

    MPI_Info_create(&info); /* @info */
    MPI_Comm_create_errhandler(handle, &errhandler); /* @errhandler */
    MPI_Op_create(add, 1, &op); /* @op */
    if (rank == 0) {
        MPI_Isend(data, 1, MPI_INT, 0, 3, WORLD, &request);
        MPI_Mprobe(0, 3, WORLD, &message, IGNORE); /* @mprobe */
        MPI_Wait(&request, IGNORE);
        MPI_Grequest_start(query, discard, cancel, NULL, &request); /* @grequest */
    }
}

static void file(void)
{
    MPI_File f;
    int mode = MPI_MODE_CREATE | MPI_MODE_RDWR;
    MPI_File_open(MPI_COMM_SELF, "left.tmp", mode, MPI_INFO_NULL, &f); /* @open */
    unlink("left.tmp");
}

static void requests(void)
{
    if (rank == 0) {
        MPI_Irecv(data, 10, MPI_INT, 1, 3, WORLD, r); /* @lost */
        MPI_Irecv(more, 10, MPI_INT, 1, 4, WORLD, r); /* @overwrites */
        MPI_Wait(r, IGNORE);
        MPI_Recv_init(more, 10, MPI_INT, 1, 5, WORLD, r); /* @never-freed */
        MPI_Irecv(data + 20, 10, MPI_INT, 1, 6, WORLD, r + 1); /* @irecv */
        MPI_Cancel(r + 1); /* @cancel */
    } else if (rank == 1) {
        MPI_Send(data, 10, MPI_INT, 0, 4, WORLD);
    }
}

static void right_requests(void)
{
    MPI_Request kept;
    if (rank == 0) {
        MPI_Irecv(data, 10, MPI_INT, 1, 3, WORLD, r);
        kept = r[0]; /* another name for the same operation */
        MPI_Irecv(more, 10, MPI_INT, 1, 4, WORLD, r);
        MPI_Wait(r, IGNORE);
        MPI_Wait(&kept, IGNORE);
        MPI_Recv_init(more, 10, MPI_INT, 1, 5, WORLD, r);
        MPI_Request_free(r);
        MPI_Irecv(data + 20, 10, MPI_INT, 1, 6, WORLD, r + 1);
        MPI_Cancel(r + 1);
        MPI_Wait(r + 1, IGNORE);
    } else if (rank == 1) {
        MPI_Send(data, 10, MPI_INT, 0, 4, WORLD);
        MPI_Isend(data, 10, MPI_INT, 0, 3, WORLD, r);
        MPI_Request_free(r);
    }
}

static void messages(void)
{
    if (rank == 1) {
        MPI_Send(data, 10, MPI_INT, 0, 7, WORLD); /* @send */
        MPI_Send(data, 2, MPI_DOUBLE, 0, 8, WORLD); /* @other-send */
        MPI_Send(data, 2, MPI_DOUBLE, 0, 9, WORLD);
    } else if (rank == 0) {
        MPI_Recv(data, 2, MPI_DOUBLE, 1, 9, WORLD, IGNORE);
    }
}

/* A receive that is freed while it waits, and a request that is waited for and was never started. */
static void freed(void)
{
    if (rank == 0) {
        MPI_Irecv(data, 10, MPI_INT, 1, 3, WORLD, r); /* @freed */
        MPI_Request_free(r); /* @free */
        MPI_Recv_init(data + 20, 10, MPI_INT, 1, 3, WORLD, r); /* @init */
        MPI_Wait(r, IGNORE); /* @wait */
        MPI_Request_free(r);
    } else if (rank == 1) {
        MPI_Send(data, 10, MPI_INT, 0, 3, WORLD);
    }
    MPI_Barrier(WORLD);
}

static void started_twice(void)
{
    if (rank == 0) {
        MPI_Recv_init(data, 10, MPI_INT, 1, 3, WORLD, r);
        MPI_Start(r);
        MPI_Start(r); /* @start */
    }
    MPI_Barrier(WORLD);
}

CASES({"objects", objects}, {"other-objects", other_objects}, /* @end */ {"right-objects", right_objects}, {"file", file}, {"requests", requests},
      {"right-requests", right_requests}, {"messages", messages}, {"freed", freed}, {"started-twice", started_twice})
