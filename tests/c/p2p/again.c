/*
 * Persistent requests of datatypes with gaps, and sends and receives under one request, are carried out by
 * the fast path, whichever side is first. A datatype may be freed while a persistent request uses it. With an
 * argument, calls may be refused at random.
 */
#include "gaps.h"

static unsigned long long extra;

static void start(int send_first, MPI_Request *r)
{
    unsigned long long before = refused();
    if (send_first) {
        CHECK_MPI(MPI_Start(&r[1]));
        extra += refused() - before;
        CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
        before = refused();
        CHECK_MPI(MPI_Start(&r[0]));
    } else {
        CHECK_MPI(MPI_Startall(2, r));
    }
    CHECK_MPI(MPI_Waitall(2, r, MPI_STATUSES_IGNORE));
    extra += refused() - before;
}

static void rounds(int k, int sync, int any)
{
    const int count = 1 + k;
    const unsigned long long others = extra, before = refused();
    MPI_Request r[2];
    CHECK_MPI(MPI_Recv_init(got, count, types[k], any ? MPI_ANY_SOURCE : from, 40 + k, MPI_COMM_WORLD,
                            &r[0]));
    if (sync)
        CHECK_MPI(MPI_Ssend_init(memory, count, types[k], to, 40 + k, MPI_COMM_WORLD, &r[1]));
    else
        CHECK_MPI(MPI_Send_init(memory, count, types[k], to, 40 + k, MPI_COMM_WORLD, &r[1]));
    extra += refused() - before;
    for (int round = 0; round < 12; round++) {
        fill(me + 1 + round);
        CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
        start(round % 3 == 1, r);
        check(from + 1 + round, count, k);
    }
    if (any) /* the first look for messages from anybody files those that are there */
        extra = others;
    CHECK_MPI(MPI_Request_free(&r[0]));
    CHECK_MPI(MPI_Request_free(&r[1]));
}

static void pairs(int k)
{
    for (int round = 0; round < 6; round++) {
        const int count = 1 + round;
        const unsigned long long before = refused();
        MPI_Request r;
        MPI_Status s;
        int n;
        fill(me + 1);
        CHECK_MPI(MPI_Isendrecv(memory, count, types[k], to, 7, got, count, types[k], from, 7,
                                MPI_COMM_WORLD, &r));
        extra += refused() - before;
        CHECK_MPI(MPI_Wait(&r, &s));
        check(from + 1, count, k);
        CHECK_MPI(MPI_Get_count(&s, types[k], &n));
        CHECK_EQ(n, count);

        fill(me + 2); /* dense on one side */
        n = packed(memory, count, types[k], dense);
        CHECK_MPI(MPI_Isendrecv(dense, n, MPI_BYTE, to, 8, got, count, types[k], from, 8,
                                MPI_COMM_WORLD, &r));
        CHECK_MPI(MPI_Wait(&r, MPI_STATUS_IGNORE));
        check(from + 2, count, k);
    }
}

/* Each request names a datatype that is freed: before a round, within one, or after some. */
static void freed(int when)
{
    enum { N = 12 };
    static int in[N][64];
    MPI_Datatype t[N], others[N];
    MPI_Request r[2 * N];
    for (int i = 0; i < N; i++) {
        CHECK_MPI(MPI_Type_vector(3 + i % 4, 1, 2 + i % 3, MPI_INT, &t[i]));
        CHECK_MPI(MPI_Type_commit(&t[i]));
        CHECK_MPI(MPI_Recv_init(in[i], 1, t[i], from, i, MPI_COMM_WORLD, &r[i]));
        CHECK_MPI(MPI_Send_init(memory, 1, t[i], to, i, MPI_COMM_WORLD, &r[N + i]));
    }
    for (int round = 0; round < 5; round++) {
        fill(me + round);
        memset(in, 0xff, sizeof in);
        CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
        if (round % 2 == 0)
            CHECK_MPI(MPI_Startall(N, r));
        if (round == when)
            for (int i = 0; i < N; i++)
                CHECK_MPI(MPI_Type_free(&t[i]));
        for (int i = 0; round == when && i < N; i++) {
            CHECK_MPI(MPI_Type_vector(7, 1, 9, MPI_INT, &others[i]));
            CHECK_MPI(MPI_Type_commit(&others[i]));
        }
        CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
        CHECK_MPI(MPI_Startall(N, r + N));
        if (round % 2 != 0)
            CHECK_MPI(MPI_Startall(N, r));
        CHECK_MPI(MPI_Waitall(2 * N, r, MPI_STATUSES_IGNORE));
        for (int i = 0; i < N; i++)
            for (int k = 0; k < 64; k++) {
                const int step = 2 + i % 3, is = k % step == 0 && k / step < 3 + i % 4;
                CHECK_EQ(in[i][k], is ? 10000 * (from + round) + k : -1);
            }
    }
    for (int i = 0; i < N; i++) {
        CHECK_MPI(MPI_Type_free(when < 5 ? &others[i] : &t[i]));
        CHECK_MPI(MPI_Request_free(&r[i]));
        CHECK_MPI(MPI_Request_free(&r[N + i]));
    }
}

int main(int argc, char **argv)
{
    ring_begin(argc, argv);
    make();
    for (int i = 0; i < 2; i++) /* neighbours are connected by the first message */
        CHECK_MPI(MPI_Sendrecv(&me, 1, MPI_INT, i ? to : from, 0, got, 1, MPI_INT, i ? from : to, 0,
                               MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    for (int k = 0; k < PLAIN; k++) {
        rounds(k, 0, 0);
        rounds(k, 1, k % 2);
        pairs(k);
    }
    if (!mixed && np > 1)
        CHECK_MSG(extra == 0, "%llu calls are not plain", extra);
    rounds(TYPES - 1, 0, 1);
    pairs(TYPES - 1);
    for (int when = 0; when < 6; when++)
        freed(when);
    for (int i = 0; i < TYPES; i++)
        CHECK_MPI(MPI_Type_free(&types[i]));
    return refusals_finish();
}
