/*
 * Ranks that die in functions of theirs which the library calls: in a reduction, in an error handler, when a
 * communicator is duplicated or freed, in the query of a generalized request.
 */
#include "recovery.h"

enum { COUNT = 500 }; /* so few that each of 7 ranks combines them */

static int dies;

static void reduce(void *in, void *inout, int *n, MPI_Datatype *t)
{
    (void)t;
    if (dies)
        raise(SIGKILL);
    for (int i = 0; i < *n; i++)
        ((int *)inout)[i] += ((int *)in)[i];
}
static void handle(MPI_Comm *c, int *rc, ...)
{
    if (dies && c != NULL && rc != NULL)
        raise(SIGKILL);
}
static int copy(MPI_Comm c, int key, void *extra, void *in, void *out, int *flag)
{
    (void)c, (void)key, (void)extra, (void)in, (void)out;
    if (dies)
        raise(SIGKILL);
    *flag = 0;
    return MPI_SUCCESS;
}
static int delete(MPI_Comm c, int key, void *value, void *extra)
{
    (void)c, (void)key, (void)value, (void)extra;
    if (dies)
        raise(SIGKILL);
    return MPI_SUCCESS;
}
static int query(void *extra, MPI_Status *st)
{
    (void)extra, (void)st;
    raise(SIGKILL);
    return MPI_SUCCESS;
}
static int nothing(void *extra) { return extra != NULL; }
static int cancel(void *extra, int complete) { return extra != NULL && complete; }

int main(int argc, char **argv)
{
    MPI_Comm cur, c, d, rest;
    MPI_Op op;
    MPI_Errhandler handler;
    MPI_Request r;
    int key, rank, size, sum, lost = 0, data[COUNT], sums[COUNT];

    recovery_begin(&argc, &argv);
    MPI_Op_create(reduce, 1, &op);
    MPI_Comm_create_errhandler(handle, &handler);
    MPI_Comm_create_keyval(copy, delete, &key, NULL);
    CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &cur));
    for (int kind = 0; kind < 6 && lost < np - 1; kind++, lost++) {
        MPI_Comm_rank(cur, &rank);
        MPI_Comm_size(cur, &size);
        CHECK_MPI(MPI_Comm_dup(cur, &c));
        dies = rank == size - 1;
        recovery_await_others(cur, size - 1, size - 1);
        if (dies)
            usleep(30000);
        for (int i = 0; i < COUNT; i++)
            data[i] = i;
        switch (kind) {
        case 0: MPI_Allreduce(data, sums, COUNT, MPI_INT, op, c); break;
        case 1:
            MPI_Iallreduce(data, sums, COUNT, MPI_INT, op, c, &r);
            MPI_Wait(&r, MPI_STATUS_IGNORE);
            break;
        case 2:
            MPI_Comm_set_errhandler(c, handler);
            MPI_Send(&rank, 1, MPI_INT, size + 5, 0, c);
            break;
        case 3:
            MPI_Comm_set_attr(c, key, NULL);
            MPI_Comm_dup(c, &d);
            break;
        case 4:
            MPI_Comm_set_attr(c, key, NULL);
            MPI_Comm_delete_attr(c, key);
            break;
        case 5:
            if (dies) {
                MPI_Grequest_start(query, nothing, cancel, NULL, &r);
                MPI_Grequest_complete(r);
                MPI_Wait(&r, MPI_STATUS_IGNORE);
            }
            break;
        }
        await_failures(c, 1);
        CHECK_CLASS(MPI_Barrier(c), MPIX_ERR_PROC_FAILED);
        CHECK_MPI(MPIX_Comm_shrink(c, &rest));
        CHECK_MPI(MPI_Comm_free(&c));
        CHECK_MPI(MPI_Comm_free(&cur));
        cur = rest;
        CHECK_MPI(MPI_Allreduce(&me, &sum, 1, MPI_INT, op, cur));
        CHECK_EQ(sum, (size - 1) * (size - 2) / 2);
    }
    CHECK_MPI(MPI_Comm_free(&cur));
    MPI_Comm_free_keyval(&key);
    MPI_Errhandler_free(&handler);
    MPI_Op_free(&op);
    return recovery_end(lost);
}
