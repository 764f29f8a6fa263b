/*
 * Small messages of datatypes with gaps are packed and unpacked by the fast path, in each form of a call, one
 * side dense or not. What it leaves to the rest of the library - parts of elements, long lists of blocks - is
 * received as well, and a datatype may be freed as soon as its receive is posted. With an argument, calls may
 * be refused at random.
 */
#include "gaps.h"

static void receive(int form, int count, int k, int source)
{
    MPI_Status s;
    MPI_Request r;
    MPI_Message m;
    int n;
    switch (form) {
    case 0: CHECK_MPI(MPI_Recv(got, count, types[k], source, k, MPI_COMM_WORLD, &s)); break;
    case 1:
        CHECK_MPI(MPI_Mprobe(source, k, MPI_COMM_WORLD, &m, &s));
        CHECK_MPI(MPI_Mrecv(got, count, types[k], &m, &s));
        break;
    default:
        CHECK_MPI(MPI_Irecv(got, count, types[k], source, k, MPI_COMM_WORLD, &r));
        CHECK_MPI(MPI_Wait(&r, &s));
    }
    MPI_Get_count(&s, types[k], &n);
    CHECK(n == count && s.MPI_SOURCE == from);
}

static void plain(void)
{
    unsigned long long refusals = 0, before;
    for (int round = 0; round < 60; round++) {
        const int k = round % PLAIN, count = 1 + round % 7;
        MPI_Request r[2];
        fill(me + 1);
        CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
        before = refused(); /* the receive is posted first */
        CHECK_MPI(MPI_Irecv(got, count, types[k], from, k, MPI_COMM_WORLD, &r[0]));
        refusals += refused() - before;
        CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
        before = refused();
        if (round % 3 == 0)
            CHECK_MPI(MPI_Issend(memory, count, types[k], to, k, MPI_COMM_WORLD, &r[1]));
        else
            CHECK_MPI(MPI_Isend(memory, count, types[k], to, k, MPI_COMM_WORLD, &r[1]));
        refusals += refused() - before;
        CHECK_MPI(MPI_Waitall(2, r, MPI_STATUSES_IGNORE));
        check(from + 1, count, k);

        fill(me + 2); /* the message comes first */
        CHECK_MPI(MPI_Isend(memory, count, types[k], to, k, MPI_COMM_WORLD, &r[0]));
        CHECK_MPI(MPI_Isend(memory, count, types[k], to, TYPES, MPI_COMM_WORLD, &r[1]));
        CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
        receive(round / 5 % 3, count, k, round % 2 ? from : MPI_ANY_SOURCE);
        check(from + 2, count, k);
        CHECK_MPI(MPI_Recv(dense, MOST, MPI_INT, from, TYPES, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        CHECK_MPI(MPI_Waitall(2, r, MPI_STATUSES_IGNORE));

        fill(me + 3);
        CHECK_MPI(MPI_Sendrecv(memory, count, types[k], to, k, got, count, types[k], from, k, MPI_COMM_WORLD,
                               MPI_STATUS_IGNORE));
        check(from + 3, count, k);
    }
    if (!mixed && np > 1)
        CHECK_MSG(refusals == 0, "%llu calls are not plain", refusals);
}

/* One side is dense; a message is shorter than its receive, by elements or by a part of one. */
static void uneven(void)
{
    for (int round = 0; round < 40; round++) {
        const int k = round % TYPES, count = 1 + round % 5;
        MPI_Request r;
        MPI_Status s;
        int n, size;
        MPI_Type_size(types[k], &size);
        fill(me + 1);
        n = packed(memory, count, types[k], dense);
        CHECK_MPI(MPI_Irecv(got, count + round % 2, types[k], from, 9, MPI_COMM_WORLD, &r));
        CHECK_MPI(MPI_Send(dense, n, MPI_BYTE, to, 9, MPI_COMM_WORLD));
        CHECK_MPI(MPI_Wait(&r, &s));
        check(from + 1, count, k);
        CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));

        CHECK_MPI(MPI_Irecv(got, count, types[k], from, 9, MPI_COMM_WORLD, &r));
        CHECK_MPI(MPI_Send(dense, n - 4, MPI_BYTE, to, 9, MPI_COMM_WORLD));
        CHECK_MPI(MPI_Wait(&r, &s));
        MPI_Get_count(&s, types[k], &n);
        CHECK_EQ(n, size == 4 ? count - 1 : MPI_UNDEFINED);
        MPI_Get_elements(&s, MPI_BYTE, &n);
        CHECK_EQ(n, count * size - 4);

        fill(me + 1);
        CHECK_MPI(MPI_Irecv(dense, MOST, MPI_INT, from, 9, MPI_COMM_WORLD, &r));
        CHECK_MPI(MPI_Ssend(memory, count, types[k], to, 9, MPI_COMM_WORLD));
        CHECK_MPI(MPI_Wait(&r, &s));
        MPI_Get_count(&s, MPI_BYTE, &n);
        CHECK_EQ(n, count * size);
        CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
        CHECK_MPI(MPI_Irecv(got, 1, types[k], from, 9, MPI_COMM_WORLD, &r));
        CHECK_MPI(MPI_Send(memory, 2, types[k], to, 9, MPI_COMM_WORLD));
        CHECK_CLASS(MPI_Wait(&r, &s), MPI_ERR_TRUNCATE);
    }
}

/* Receives keep their datatypes, which others take the places of. */
static void freed(void)
{
    enum { N = 20 };
    static int in[N][64];
    for (int round = 0; round < 20; round++) {
        MPI_Request r[N];
        MPI_Datatype t, others[N];
        for (int i = 0; i < N; i++) {
            memset(in[i], 0xff, sizeof in[i]);
            CHECK_MPI(MPI_Type_vector(3 + i % 4, 1, 2 + i % 3, MPI_INT, &t));
            CHECK_MPI(MPI_Type_commit(&t));
            CHECK_MPI(MPI_Irecv(in[i], 1, t, from, i, MPI_COMM_WORLD, &r[i]));
            CHECK_MPI(MPI_Type_free(&t));
        }
        for (int i = 0; i < N; i++) {
            CHECK_MPI(MPI_Type_vector(7, 1, 9, MPI_INT, &others[i]));
            CHECK_MPI(MPI_Type_commit(&others[i]));
        }
        fill(me + 1);
        CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
        for (int i = 0; i < N; i++)
            CHECK_MPI(MPI_Send(memory, 3 + i % 4, MPI_INT, to, i, MPI_COMM_WORLD));
        CHECK_MPI(MPI_Waitall(N, r, MPI_STATUSES_IGNORE));
        for (int i = 0; i < N; i++) {
            for (int k = 0; k < 3 + i % 4; k++)
                CHECK_EQ(in[i][k * (2 + i % 3)], 10000 * (from + 1) + k);
            CHECK_EQ(in[i][1], -1);
            CHECK_MPI(MPI_Type_free(&others[i]));
        }
    }
}

int main(int argc, char **argv)
{
    ring_begin(argc, argv);
    make();
    plain();
    if (np > 1) {
        uneven();
        freed();
        plain();
    }
    for (int i = 0; i < TYPES; i++)
        CHECK_MPI(MPI_Type_free(&types[i]));
    return refusals_finish();
}
