/*
 * The large-count forms of calls, and sends in ready mode, take the way of the plain forms: the fast path
 * leaves few of them to the rest of the library. It takes no count for its low bits.
 */
#include "refusals.h"

enum { ROUNDS = 50 };

static void messages(int i)
{
    int to = (me + 1) % np, from = (me + np - 1) % np, out = 100 * me + i, in = -1;
    MPI_Request r[2];
    MPI_Status s;
    CHECK_MPI(MPI_Sendrecv_c(&out, 1, MPI_INT, to, 1, &in, 1, MPI_INT, from, 1, MPI_COMM_WORLD, &s));
    CHECK_STATUS(s, from, 1);
    CHECK_EQ(in, 100 * from + i);
    in = -1;
    CHECK_MPI(MPI_Irecv_c(&in, 1, MPI_INT, from, 2, MPI_COMM_WORLD, &r[0]));
    CHECK_MPI(MPI_Isend_c(&out, 1, MPI_INT, to, 2, MPI_COMM_WORLD, &r[1]));
    CHECK_MPI(MPI_Waitall(2, r, MPI_STATUSES_IGNORE));
    CHECK_EQ(in, 100 * from + i);
    in = -1;
    CHECK_MPI(MPI_Send_c(&out, 1, MPI_INT, to, 3, MPI_COMM_WORLD));
    CHECK_MPI(MPI_Recv_c(&in, 1, MPI_INT, from, 3, MPI_COMM_WORLD, &s));
    CHECK_EQ(in, 100 * from + i);

    int two[2] = {-1, -1}; /* the receives are there before the sends in ready mode begin */
    MPI_Request ready[3];
    CHECK_MPI(MPI_Irecv(&two[0], 1, MPI_INT, from, 4, MPI_COMM_WORLD, &ready[0]));
    CHECK_MPI(MPI_Irecv(&two[1], 1, MPI_INT, from, 5, MPI_COMM_WORLD, &ready[1]));
    CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
    CHECK_MPI(MPI_Rsend(&out, 1, MPI_INT, to, 4, MPI_COMM_WORLD));
    CHECK_MPI(MPI_Irsend(&out, 1, MPI_INT, to, 5, MPI_COMM_WORLD, &ready[2]));
    CHECK_MPI(MPI_Waitall(3, ready, MPI_STATUSES_IGNORE));
    CHECK_EQ(two[0], 100 * from + i);
    CHECK_EQ(two[1], 100 * from + i);
    CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
}

static void collectives(int i)
{
    int sum = -1, first = me == 0 ? i : -1, all[64];
    MPI_Request r;
    CHECK_MPI(MPI_Allreduce_c(&me, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    CHECK_EQ(sum, np * (np - 1) / 2);
    CHECK_MPI(MPI_Bcast_c(&first, 1, MPI_INT, 0, MPI_COMM_WORLD));
    CHECK_EQ(first, i);
    CHECK_MPI(MPI_Allgather_c(&me, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD));
    for (int p = 0; p < np; p++)
        CHECK_EQ(all[p], p);
    sum = -1;
    CHECK_MPI(MPI_Iallreduce_c(&me, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &r));
    CHECK_MPI(MPI_Wait(&r, MPI_STATUS_IGNORE));
    CHECK_EQ(sum, np * (np - 1) / 2);
}

static void few(void (*each)(int), const char *what, unsigned long long allowed)
{
    for (int i = 0; i < 3; i++) /* opens what they need */
        each(i);
    CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
    unsigned long long before = refused(), n;
    for (int i = 0; i < ROUNDS; i++)
        each(i);
    n = refused() - before;
    CHECK_MSG(n <= allowed, "%s: %llu calls are not plain", what, n);
}

/* 2^32 and 2^32 + 1 bytes look like 0 and 1 to who reads an int. */
static void too_long(void)
{
    char one = 1;
    MPI_Datatype none;
    CHECK_MPI(MPI_Type_contiguous(0, MPI_CHAR, &none));
    CHECK_MPI(MPI_Type_commit(&none));
    MPI_Status s;
    MPI_Count n = -1;
    const MPI_Count many = ((MPI_Count)1 << 32) + 1;
    CHECK_MPI(MPI_Sendrecv_c(&one, many, none, me, 7, &one, many, none, me, 7, MPI_COMM_WORLD, &s));
    CHECK_MPI(MPI_Get_elements_c(&s, MPI_CHAR, &n));
    CHECK_EQ(n, 0);
    CHECK_MPI(MPI_Type_free(&none));
    CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    int code = MPI_Send_c(&one, -((MPI_Count)1 << 32) + 1, MPI_CHAR, me, 8, MPI_COMM_WORLD), class = 0;
    CHECK_MPI(MPI_Error_class(code, &class));
    CHECK_EQ(class, MPI_ERR_COUNT);
    code = MPI_Bcast_c(&one, -((MPI_Count)1 << 32) + 1, MPI_CHAR, 0, MPI_COMM_WORLD);
    CHECK_MPI(MPI_Error_class(code, &class));
    CHECK_EQ(class, MPI_ERR_COUNT);
    CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL));
}

int main(int argc, char **argv)
{
    refusals_begin(&argc, &argv);
    if (np > 1) /* some wait for requests that have been taken over meanwhile */
        few(messages, "messages", 2 * ROUNDS);
    few(collectives, "collective operations", ROUNDS);
    too_long();
    return refusals_finish();
}
