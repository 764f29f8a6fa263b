/*
 * Persistent requests are carried out by the fast path, from one source or from anybody, however they are
 * started and completed, beside ones that are not active. A round that it leaves to the rest of the library
 * - a large message, a ring that is full, a cancelled receive, a message that is too long - ends as it
 * should, and the rounds behind it are carried out by the fast path again. With an argument, calls may be
 * refused at random.
 */
#include "ring.h"

enum { N = 16, ROUNDS = 100, LARGE = 100000 };

static int in[N], out[N];
static MPI_Request receives[N], sends[N];

static void prepare(int source)
{
    for (int i = 0; i < N; i++) {
        CHECK_MPI(MPI_Recv_init(&in[i], 1, MPI_INT, source, i, MPI_COMM_WORLD, &receives[i]));
        if (i % 2)
            CHECK_MPI(MPI_Send_init(&out[i], 1, MPI_INT, to, i, MPI_COMM_WORLD, &sends[i]));
        else
            CHECK_MPI(MPI_Rsend_init(&out[i], 1, MPI_INT, to, i, MPI_COMM_WORLD, &sends[i]));
    }
}

static void release(void)
{
    for (int i = 0; i < N; i++) {
        CHECK_MPI(MPI_Request_free(&receives[i]));
        CHECK_MPI(MPI_Request_free(&sends[i]));
        CHECK(receives[i] == MPI_REQUEST_NULL && sends[i] == MPI_REQUEST_NULL);
    }
}

static void begin_receives(int round, int n)
{
    for (int i = 0; i < N; i++) {
        out[i] = 1000 * me + 10 * round + i;
        in[i] = -1;
    }
    CHECK_MPI(MPI_Startall(n, receives));
}

static void begin_sends(int round, int n)
{
    for (int i = 0; round % 2 && i < n; i++)
        CHECK_MPI(MPI_Start(&sends[i]));
    if (round % 2 == 0)
        CHECK_MPI(MPI_Startall(n, sends));
}

static void check(int round, int i, const MPI_Status *s)
{
    int count, want = 1000 * from + 10 * round + i;
    MPI_Get_count(s, MPI_INT, &count);
    if (in[i] != want || s->MPI_SOURCE != from || s->MPI_TAG != i || count != 1)
        CHECK_MSG(0, "round %d, receive %d: %d from %d with tag %d, want %d", round, i, in[i], s->MPI_SOURCE,
                  s->MPI_TAG, want);
}

/* Completes the n receives that are active; the others are passed over. */
static void complete(int round, int n)
{
    static MPI_Status s[N];
    int indices[N], some, flag;
    switch (round / 2 % 5) {
    case 0:
        CHECK_MPI(MPI_Waitall(N, receives, s));
        for (int i = 0; i < n; i++)
            check(round, i, &s[i]);
        for (int i = n; i < N; i++)
            CHECK_EQ(s[i].MPI_SOURCE, MPI_ANY_SOURCE);
        break;
    case 1:
        for (int left = n; left > 0; left--) {
            CHECK_MPI(MPI_Waitany(N, receives, &some, s));
            check(round, some, s);
        }
        break;
    case 2:
        for (int left = n; left > 0; left -= some) {
            CHECK_MPI(MPI_Testsome(N, receives, &some, indices, s));
            for (int i = 0; i < some; i++)
                check(round, indices[i], &s[i]);
        }
        break;
    case 3:
        for (int i = n - 1; i >= 0; i--) {
            CHECK_MPI(MPI_Wait(&receives[i], s));
            check(round, i, s);
        }
        break;
    default:
        do
            CHECK_MPI(MPI_Testall(N, receives, &flag, s));
        while (!flag);
        for (int i = 0; i < n; i++)
            check(round, i, &s[i]);
    }
    CHECK_MPI(MPI_Wait(&receives[0], s)); /* it is not active */
    CHECK_EQ(s[0].MPI_SOURCE, MPI_ANY_SOURCE);
    CHECK_MPI(MPI_Test(&receives[0], &flag, s));
    CHECK_EQ(flag, 1);
    CHECK_MPI(MPI_Waitall(N, sends, MPI_STATUSES_IGNORE));
}

static void begin(int round, int n)
{
    begin_receives(round, n);
    begin_sends(round, n);
}

/* How many calls of some rounds the fast path leaves to the rest of the library. No message comes ahead of
 * its receive, and none of another round is on its way. */
static unsigned long long left_alone(void)
{
    unsigned long long refusals = 0, before;
    for (int round = 0; round < ROUNDS; round++) {
        before = refused();
        begin_receives(round, N);
        refusals += refused() - before;
        CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
        before = refused();
        begin_sends(round, N);
        refusals += refused() - before;
        complete(round, N);
    }
    return refusals;
}

/* A wait may go on in the rest of the library, where a rank has no processor of its own. The next round is
 * the fast path's again. A thread of the library, such as the one that answers the launcher, may be in MPI
 * for a moment, so that a call is left to the rest; but not each time. */
static void plain(const char *which)
{
    enum { TRIES = 4 };
    unsigned long long refusals = 0, least = ~0ull;
    begin(0, N);
    complete(0, N);
    for (int i = 0; i < TRIES; i++) {
        refusals = left_alone();
        least = refusals < least ? refusals : least;
    }
    if (!mixed && np > 1)
        CHECK_MSG(least == 0, "%s: at least %llu calls are not plain", which, least);
    for (int round = 0; round < ROUNDS; round++) {
        begin(round, 1 + round % N);
        complete(round, 1 + round % N);
    }
}

/* More messages than the ring has room for, while the receiver is somewhere else. */
static void full(void)
{
    enum { MANY = 300 };
    static MPI_Request r[2 * MANY];
    static int a[MANY], b[MANY];
    for (int i = 0; i < MANY; i++) {
        CHECK_MPI(MPI_Send_init(&a[i], 1, MPI_INT, to, 7, MPI_COMM_WORLD, &r[i]));
        CHECK_MPI(MPI_Recv_init(&b[i], 1, MPI_INT, from, 7, MPI_COMM_WORLD, &r[MANY + i]));
    }
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < MANY; i++) {
            a[i] = 1000 * round + i;
            b[i] = -1;
        }
        CHECK_MPI(MPI_Startall(MANY, r));
        CHECK_MPI(MPI_Startall(MANY, r + MANY));
        CHECK_MPI(MPI_Waitall(2 * MANY, r, MPI_STATUSES_IGNORE));
        for (int i = 0; i < MANY; i++)
            if (b[i] != a[i])
                CHECK_EQ(b[i], a[i]);
        CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
    }
    for (int i = 0; i < 2 * MANY; i++)
        CHECK_MPI(MPI_Request_free(&r[i]));
}

/* Rounds of one receive that are not plain. */
static void odd(void)
{
    static char data[LARGE], got[LARGE];
    MPI_Request r, null = MPI_REQUEST_NULL;
    MPI_Status s;
    int flag, count;
    CHECK_MPI(MPI_Recv_init(got, LARGE, MPI_CHAR, from, 3, MPI_COMM_WORLD, &r));
    for (int round = 0; round < 6; round++) {
        int size = round % 2 ? LARGE : 10;
        MPI_Request other;
        data[size - 1] = (char)(round + 1);
        CHECK_MPI(MPI_Start(&r));
        CHECK_MPI(MPI_Isend(data, size, MPI_CHAR, to, 3, MPI_COMM_WORLD, &other));
        CHECK_MPI(MPI_Wait(&r, &s));
        MPI_Get_count(&s, MPI_CHAR, &count);
        CHECK_EQ(count, size);
        CHECK_EQ(got[size - 1], round + 1);
        CHECK_MPI(MPI_Wait(&other, MPI_STATUS_IGNORE));
        CHECK_MPI(MPI_Start(&r)); /* and one that is cancelled */
        CHECK_MPI(MPI_Cancel(&r));
        CHECK_MPI(MPI_Wait(&r, &s));
        CHECK_MPI(MPI_Test_cancelled(&s, &flag));
        CHECK_EQ(flag, 1);
        CHECK(r != MPI_REQUEST_NULL);
        CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
    }
    CHECK_MPI(MPI_Start(&r));
    CHECK_CLASS(MPI_Start(&r), MPI_ERR_REQUEST); /* it is active */
    CHECK_CLASS(MPI_Start(&null), MPI_ERR_REQUEST);
    CHECK_MPI(MPI_Send(data, 1, MPI_CHAR, to, 3, MPI_COMM_WORLD));
    CHECK_MPI(MPI_Wait(&r, &s));
    CHECK_MPI(MPI_Start(&r));
    CHECK_MPI(MPI_Request_free(&r)); /* the round ends as usual */
    CHECK_MPI(MPI_Send(data, 2, MPI_CHAR, to, 3, MPI_COMM_WORLD));
    CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));

    CHECK_MPI(MPI_Recv_init(got, 4, MPI_CHAR, from, 4, MPI_COMM_WORLD, &r));
    for (int round = 0; round < 4; round++) {
        int size = round % 2 ? 4 : 5;
        CHECK_MPI(MPI_Start(&r));
        CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
        CHECK_MPI(MPI_Send(data, size, MPI_CHAR, to, 4, MPI_COMM_WORLD));
        CHECK_CLASS(MPI_Wait(&r, &s), size > 4 ? MPI_ERR_TRUNCATE : MPI_SUCCESS);
        CHECK(r != MPI_REQUEST_NULL);
    }
    CHECK_MPI(MPI_Request_free(&r));
    CHECK_CLASS(MPI_Start(&r), MPI_ERR_REQUEST);
}

int main(int argc, char **argv)
{
    ring_begin(argc, argv);
    prepare(from);
    plain("from one rank");
    odd();
    full();
    plain("from one rank, once more");
    release();
    prepare(MPI_ANY_SOURCE);
    plain("from anybody");
    release();
    return refusals_finish();
}
