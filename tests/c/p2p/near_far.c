/*
 * Ranks of several nodes, neighbours of both kinds. Messages between two ranks of a node are carried out by
 * the fast path, on MPI_COMM_WORLD as on a communicator of the node. Receives from the node, from afar and
 * from anybody with one tag keep their order. A rank whose calls all need the node alone goes on with a large
 * message to another node all the same. Run with --pretend-nodes N: nodes of N ranks, one behind the other;
 * the argument is N.
 */
#include "refusals.h"

enum { ROUNDS = 400, TAG = 5, LARGE = 4 << 20 };

static int node_size, first, neighbour;

static void exchange(MPI_Comm comm, int to, int i)
{
    int out = 1000 * me + i, in = -1;
    MPI_Request r[2];
    MPI_Status s;
    CHECK_MPI(MPI_Sendrecv(&out, 1, MPI_INT, to, TAG, &in, 1, MPI_INT, to, TAG, comm, &s));
    CHECK_STATUS(s, to, TAG);
    CHECK_EQ(in, 1000 * neighbour + i);
    in = -1;
    CHECK_MPI(MPI_Irecv(&in, 1, MPI_INT, to, TAG, comm, &r[0]));
    CHECK_MPI(MPI_Isend(&out, 1, MPI_INT, to, TAG, comm, &r[1]));
    CHECK_MPI(MPI_Waitall(2, r, MPI_STATUSES_IGNORE));
    CHECK_EQ(in, 1000 * neighbour + i);
    in = -1;
    CHECK_MPI(MPI_Irecv(&in, 1, MPI_INT, MPI_ANY_SOURCE, TAG, comm, &r[0]));
    CHECK_MPI(MPI_Isend(&out, 1, MPI_INT, to, TAG, comm, &r[1]));
    CHECK_MPI(MPI_Waitall(2, r, MPI_STATUSES_IGNORE));
    CHECK_EQ(in, 1000 * neighbour + i);
    in = -1;
    CHECK_MPI(MPI_Send(&out, 1, MPI_INT, to, TAG, comm));
    CHECK_MPI(MPI_Recv(&in, 1, MPI_INT, MPI_ANY_SOURCE, TAG, comm, &s));
    CHECK_STATUS(s, to, TAG);
    CHECK_EQ(in, 1000 * neighbour + i);
    in = -1;
    CHECK_MPI(MPI_Send(&out, 1, MPI_INT, to, TAG, comm));
    CHECK_MPI(MPI_Probe(to, TAG, comm, &s));
    CHECK_MPI(MPI_Recv(&in, 1, MPI_INT, to, TAG, comm, &s));
    CHECK_EQ(in, 1000 * neighbour + i);
}

/* Of the calls of each round but those that wait for requests which have been taken over meanwhile none is
 * not plain. */
static void stays(MPI_Comm comm, int to, const char *which)
{
    exchange(comm, to, 0);
    unsigned long long before = refused(), n;
    for (int i = 0; i < ROUNDS; i++)
        exchange(comm, to, i);
    n = refused() - before;
    CHECK_MSG(n <= ROUNDS, "%s: %llu calls are not plain", which, n);
}

/* Each rank sends each other one a numbered row of messages with one tag, and receives them by receives from
 * each, or by those and then by receives from anybody, posted before or after the messages come. */
static void mix(uint64_t seed)
{
    enum { EACH = 12, MOST = 16 };
    static int in[EACH * MOST], out[MOST][EACH], got[MOST];
    MPI_Request receives[EACH * MOST], sends[EACH * MOST];
    MPI_Status statuses[EACH * MOST];
    uint64_t any = 4242 + seed, own = 77 + 13 * seed + (uint64_t)me;
    int wild = check_below(&any, 2) != 0, posted = 0, sent = 0, next = 0;
    for (int p = 0; p < np; p++)
        got[p] = 0;
    for (int k = 0; k < EACH; k++) {
        for (int d = 1; d < np; d++) { /* from each as many as it sends */
            int from = wild && k >= EACH / 2 ? MPI_ANY_SOURCE : (me + d) % np;
            in[posted] = -1;
            CHECK_MPI(MPI_Irecv(&in[posted], 1, MPI_INT, from, 9, MPI_COMM_WORLD, &receives[posted]));
            posted++;
        }
        for (int d = 1; d < np; d++) {
            int to = (me + d) % np;
            out[to][k] = 100 * me + k;
            CHECK_MPI(MPI_Isend(&out[to][k], 1, MPI_INT, to, 9, MPI_COMM_WORLD, &sends[sent++]));
        }
        if (check_below(&own, 3) == 0) { /* what has come is waited for one by one */
            while (next < posted && check_below(&own, 4)) {
                CHECK_MPI(MPI_Wait(&receives[next], &statuses[next]));
                next++;
            }
        }
    }
    for (; next < posted; next++)
        CHECK_MPI(MPI_Wait(&receives[next], &statuses[next]));
    CHECK_MPI(MPI_Waitall(sent, sends, MPI_STATUSES_IGNORE));
    for (int i = 0; i < posted; i++) {
        int from = statuses[i].MPI_SOURCE;
        CHECK_MSG(in[i] == 100 * from + got[from], "receive %d has %d, want %d from %d", i, in[i],
                  100 * from + got[from], from);
        got[from]++;
    }
    CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
}

/* The first two ranks of the first node know nothing of the others but that one sends a large message to the
 * last rank, which is asked for when its receive is posted; the other one hears of its end. */
static void carry_on(void)
{
    static char data[LARGE];
    int last = np - 1, token = 0, over = 0, one = 1;
    MPI_Request r;
    CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
    if (me == last) {
        CHECK_MPI(MPI_Recv(data, LARGE, MPI_CHAR, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        CHECK_EQ(data[LARGE - 1], 7);
        CHECK_MPI(MPI_Send(&one, 1, MPI_INT, 1, 2, MPI_COMM_WORLD));
    } else if (me == 0) {
        data[LARGE - 1] = 7;
        CHECK_MPI(MPI_Isend(data, LARGE, MPI_CHAR, last, 1, MPI_COMM_WORLD, &r));
        while (token == 0) {
            CHECK_MPI(MPI_Send(&one, 1, MPI_INT, 1, 3, MPI_COMM_WORLD));
            CHECK_MPI(MPI_Recv(&token, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        }
        CHECK_MPI(MPI_Wait(&r, MPI_STATUS_IGNORE));
    } else if (me == 1) {
        while (over == 0) {
            CHECK_MPI(MPI_Recv(&token, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
            CHECK_MPI(MPI_Iprobe(last, 2, MPI_COMM_WORLD, &over, MPI_STATUS_IGNORE));
            CHECK_MPI(MPI_Send(&over, 1, MPI_INT, 0, 3, MPI_COMM_WORLD));
        }
        CHECK_MPI(MPI_Recv(&token, 1, MPI_INT, last, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    }
    CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
}

int main(int argc, char **argv)
{
    refusals_begin(&argc, &argv);
    node_size = argc > 1 ? atoi(argv[1]) : np;
    first = me / node_size * node_size;
    neighbour = first + (me - first + 1) % node_size;
    if (node_size == 2 && neighbour < np) {
        MPI_Comm node;
        stays(MPI_COMM_WORLD, neighbour, "MPI_COMM_WORLD");
        CHECK_MPI(MPI_Comm_split(MPI_COMM_WORLD, first, -me, &node));
        int rank;
        CHECK_MPI(MPI_Comm_rank(node, &rank));
        stays(node, 1 - rank, "the node's communicator");
        CHECK_MPI(MPI_Comm_free(&node));
    }
    for (uint64_t seed = 1; seed <= 20; seed++)
        mix(seed);
    if (np > node_size)
        carry_on();
    return refusals_finish();
}
