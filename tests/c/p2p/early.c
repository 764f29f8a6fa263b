/*
 * Messages that come before their receives are kept, probed and received by the fast path, with and without
 * wildcards, and so are synchronous sends and matched probes. Those that it leaves to the rest of the library
 * - one that is too long, one that is cancelled - keep their place in the order. With an argument, calls may
 * be refused at random.
 */
#include "ring.h"

enum { N = 12, MOST = 3000 }; /* a ring has room for all of them */

static char in[MOST], out[N][MOST];

static int size_of(int i) { return i % 3 == 0 ? 1 + i : i % 3 == 1 ? 30 * i : MOST; }

static void fill(int round)
{
    for (int i = 0; i < N; i++)
        memset(out[i], 1 + (round + i) % 100, MOST);
}

static void check(int round, int i, const MPI_Status *s)
{
    int count;
    MPI_Get_count(s, MPI_CHAR, &count);
    if (s->MPI_SOURCE != from || s->MPI_TAG != i || count != size_of(i) || in[0] != 1 + (round + i) % 100 ||
        in[count - 1] != in[0])
        CHECK_MSG(0, "round %d, message %d: %d bytes of %d from %d with tag %d", round, i, count, in[0],
                  s->MPI_SOURCE, s->MPI_TAG);
}

/* Takes the messages that have come, by a receive of each kind, and counts the calls that were refused. */
static unsigned long long take(int round, int source)
{
    const int any = round % 2;
    const unsigned long long before = refused();
    for (int k = 0; k < N; k++) {
        const int i = any ? k : N - 1 - k; /* with any tag they come in their order */
        MPI_Status s, probed;
        MPI_Request r;
        MPI_Message m = MPI_MESSAGE_NULL;
        int flag = -1;
        switch (i % 4) {
        case 0:
            CHECK_MPI(MPI_Recv(in, MOST, MPI_CHAR, source, any ? MPI_ANY_TAG : i, MPI_COMM_WORLD, &s));
            break;
        case 1:
            CHECK_MPI(MPI_Irecv(in, MOST, MPI_CHAR, source, any ? MPI_ANY_TAG : i, MPI_COMM_WORLD, &r));
            CHECK_MPI(MPI_Wait(&r, &s));
            break;
        case 2:
            CHECK_MPI(MPI_Mprobe(source, any ? MPI_ANY_TAG : i, MPI_COMM_WORLD, &m, &probed));
            CHECK(m != MPI_MESSAGE_NULL && probed.MPI_TAG == i);
            CHECK_MPI(MPI_Mrecv(in, MOST, MPI_CHAR, &m, &s));
            CHECK(m == MPI_MESSAGE_NULL);
            break;
        default:
            do /* between nodes a message may come after a barrier */
                CHECK_MPI(MPI_Improbe(source, any ? MPI_ANY_TAG : i, MPI_COMM_WORLD, &flag, &m, &probed));
            while (flag == 0 && mixed);
            CHECK(flag == 1 && probed.MPI_SOURCE == from);
            CHECK_MPI(MPI_Imrecv(in, MOST, MPI_CHAR, &m, &r));
            CHECK_MPI(MPI_Wait(&r, &s));
        }
        check(round, i, &s);
    }
    return refused() - before;
}

/* The first look with wildcards of a kind is refused. */
static void early(int source)
{
    unsigned long long refusals = 0;
    for (int round = 0; round < 20; round++) {
        MPI_Request r[N];
        fill(round);
        for (int i = 0; i < N; i++) {
            if ((round + i) % 3 == 0)
                CHECK_MPI(MPI_Issend(out[i], size_of(i), MPI_CHAR, to, i, MPI_COMM_WORLD, &r[i]));
            else
                CHECK_MPI(MPI_Isend(out[i], size_of(i), MPI_CHAR, to, i, MPI_COMM_WORLD, &r[i]));
        }
        CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD)); /* what was sent before has come */
        const unsigned long long n = take(round, source);
        if (round >= 2)
            refusals += n;
        CHECK_MPI(MPI_Waitall(N, r, MPI_STATUSES_IGNORE));
        CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
    }
    if (!mixed && np > 1)
        CHECK_MSG(refusals == 0, "%llu calls are not plain", refusals);
}

/* A synchronous send is done once its receive has been found, and not before. */
static void synchronous(void)
{
    MPI_Request r, all[2];
    MPI_Status s;
    int flag, a = me, b = -1;
    for (int round = 0; round < 50; round++) {
        CHECK_MPI(MPI_Issend(&a, 1, MPI_INT, to, 1, MPI_COMM_WORLD, &r));
        CHECK_MPI(MPI_Test(&r, &flag, MPI_STATUS_IGNORE));
        CHECK_EQ(flag, 0);
        CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
        CHECK_MPI(MPI_Request_get_status(r, &flag, &s));
        CHECK_EQ(flag, 0);
        CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
        CHECK_MPI(MPI_Recv(&b, 1, MPI_INT, from, 1, MPI_COMM_WORLD, &s));
        CHECK_EQ(b, from);
        CHECK_MPI(MPI_Wait(&r, &s));
        CHECK_EQ(s.MPI_TAG, MPI_ANY_TAG);
        if (np > 1 && me % 2 == 0 && (me + 1 < np || np % 2 == 0))
            CHECK_MPI(MPI_Ssend(&a, 1, MPI_INT, to, 2, MPI_COMM_WORLD));
        if (me % 2 == 1)
            CHECK_MPI(MPI_Recv(&b, 1, MPI_INT, from, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        CHECK_MPI(MPI_Issend(&a, 1, MPI_INT, to, 3, MPI_COMM_WORLD, &r)); /* taken back */
        CHECK_MPI(MPI_Cancel(&r));
        CHECK_MPI(MPI_Wait(&r, &s));
        CHECK_MPI(MPI_Test_cancelled(&s, &flag));
        CHECK_EQ(flag, 1);
    }
    CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
    CHECK_MPI(MPI_Iprobe(from, 3, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE));
    CHECK_EQ(flag, 0);
    CHECK_MPI(MPI_Ssend_init(&a, 1, MPI_INT, to, 4, MPI_COMM_WORLD, &all[0]));
    CHECK_MPI(MPI_Recv_init(&b, 1, MPI_INT, from, 4, MPI_COMM_WORLD, &all[1]));
    for (int round = 0; round < 50; round++) {
        a = 1000 * round + me;
        CHECK_MPI(MPI_Start(&all[0]));
        CHECK_MPI(MPI_Test(&all[0], &flag, &s));
        CHECK_EQ(flag, 0);
        CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
        CHECK_MPI(MPI_Start(&all[1]));
        CHECK_MPI(MPI_Waitall(2, all, MPI_STATUSES_IGNORE));
        CHECK_EQ(b, 1000 * round + from);
    }
    CHECK_MPI(MPI_Request_free(&all[0]));
    CHECK_MPI(MPI_Request_free(&all[1]));
}

/* A small message to oneself leaves its send as soon as somebody waits for that, probed or not. */
static void own(void)
{
    MPI_Comm comm;
    MPI_Request r;
    MPI_Message m;
    MPI_Status s;
    CHECK_MPI(MPI_Comm_dup(MPI_COMM_SELF, &comm));
    for (int round = 0; round < 20; round++) {
        int a = round, b = -1;
        CHECK_MPI(MPI_Isend(&a, 1, MPI_INT, 0, 1, comm, &r));
        if (round % 3 == 0)
            CHECK_MPI(MPI_Mprobe(0, MPI_ANY_TAG, comm, &m, &s));
        else if (round % 3 == 1)
            CHECK_MPI(MPI_Probe(0, 1, comm, &s));
        CHECK_MPI(MPI_Wait(&r, MPI_STATUS_IGNORE));
        a = -2;
        if (round % 3 == 0)
            CHECK_MPI(MPI_Mrecv(&b, 1, MPI_INT, &m, &s));
        else
            CHECK_MPI(MPI_Recv(&b, 1, MPI_INT, 0, 1, comm, &s));
        CHECK_EQ(b, round);
    }
    CHECK_MPI(MPI_Comm_free(&comm));
}

/* Messages that are not plain stand between others. */
static void odd(void)
{
    static char large[100000], got[100000];
    MPI_Request r[4];
    MPI_Status s;
    MPI_Message m;
    fill(0);
    memset(large, 7, sizeof large);
    for (int round = 0; round < 10; round++) {
        CHECK_MPI(MPI_Isend(out[0], 10, MPI_CHAR, to, 5, MPI_COMM_WORLD, &r[0]));
        CHECK_MPI(MPI_Isend(large, sizeof large, MPI_CHAR, to, 5, MPI_COMM_WORLD, &r[1]));
        CHECK_MPI(MPI_Isend(out[1], 20, MPI_CHAR, to, 5, MPI_COMM_WORLD, &r[2]));
        CHECK_MPI(MPI_Isend(out[2], 30, MPI_CHAR, to, 5, MPI_COMM_WORLD, &r[3]));
        CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
        CHECK_MPI(MPI_Recv(got, sizeof got, MPI_CHAR, from, 5, MPI_COMM_WORLD, &s));
        CHECK_COUNT(s, MPI_CHAR, 10);
        CHECK_MPI(MPI_Mprobe(from, 5, MPI_COMM_WORLD, &m, &s));
        CHECK_COUNT(s, MPI_CHAR, (int)sizeof large);
        CHECK_CLASS(MPI_Recv(got, 19, MPI_CHAR, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &s), MPI_ERR_TRUNCATE);
        CHECK_MPI(MPI_Mrecv(got, sizeof got, MPI_CHAR, &m, &s));
        CHECK(got[sizeof got - 1] == 7 && m == MPI_MESSAGE_NULL);
        CHECK_MPI(MPI_Mprobe(from, MPI_ANY_TAG, MPI_COMM_WORLD, &m, &s));
        CHECK_CLASS(MPI_Mrecv(got, 29, MPI_CHAR, &m, &s), MPI_ERR_TRUNCATE);
        CHECK(m == MPI_MESSAGE_NULL);
        CHECK_CLASS(MPI_Mrecv(got, 29, MPI_CHAR, &m, &s), MPI_ERR_REQUEST);
        CHECK_MPI(MPI_Waitall(4, r, MPI_STATUSES_IGNORE));
    }
}

int main(int argc, char **argv)
{
    ring_begin(argc, argv);
    early(from);
    early(MPI_ANY_SOURCE);
    synchronous();
    own();
    odd();
    early(from);
    return refusals_finish();
}
