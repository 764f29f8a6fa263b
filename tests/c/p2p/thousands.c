/*
 * Thousands of requests at a time, more than the library has made room for at first: receives with and
 * without wildcards, of which some are cancelled, meet messages in the order of the standard (MPI 5.0, 3.5),
 * whichever call completes them. Those of the fast path stay there, however many there are. With an
 * argument, calls may be refused at random.
 */
#include "refusals.h"

enum { PAIRS = 6000, TAGS = 50 };

static int in[PAIRS], out[PAIRS], from, to;
static MPI_Request receives[PAIRS], sends[PAIRS];

/* What a receive asks for. Message i has tag i % TAGS, and goes to the oldest receive that asks for it. */
static void post(int i, uint64_t *seed)
{
    int source = check_below(seed, 4) == 0 ? MPI_ANY_SOURCE : from;
    in[i] = -1;
    CHECK_MPI(MPI_Irecv(&in[i], 1, MPI_INT, source, i % TAGS, MPI_COMM_WORLD, &receives[i]));
}

static void send(int i)
{
    out[i] = i;
    CHECK_MPI(MPI_Isend(&out[i], 1, MPI_INT, to, i % TAGS, MPI_COMM_WORLD, &sends[i]));
}

static void check(int i)
{
    if (in[i] != i)
        CHECK_EQ(in[i], i);
}

/* Completes the receives by several calls. */
static void complete(uint64_t *seed)
{
    static int indices[PAIRS], done[PAIRS];
    int n, left = PAIRS;
    for (int i = 0; i < PAIRS; i++)
        done[i] = 0;
    for (int i = 0; i < 100; i++) {
        CHECK_MPI(MPI_Waitany(PAIRS, receives, &n, MPI_STATUS_IGNORE));
        done[n]++, left--;
    }
    for (int i = 0; i < 100; i++) {
        int k = (int)check_below(seed, PAIRS);
        if (receives[k] != MPI_REQUEST_NULL) {
            CHECK_MPI(MPI_Wait(&receives[k], MPI_STATUS_IGNORE));
            done[k]++, left--;
        }
    }
    while (left > 1000) {
        CHECK_MPI(MPI_Waitsome(PAIRS, receives, &n, indices, MPI_STATUSES_IGNORE));
        for (int i = 0; i < n; i++)
            done[indices[i]]++, left--;
    }
    for (int i = 0; i < PAIRS; i++)
        if (receives[i] != MPI_REQUEST_NULL)
            done[i]++;
    CHECK_MPI(MPI_Waitall(PAIRS, receives, MPI_STATUSES_IGNORE));
    for (int i = 0; i < PAIRS; i++) {
        check(i);
        if (done[i] != 1)
            CHECK_EQ(done[i], 1);
    }
}

/* Receives are posted first, or with their messages. */
static void rounds(uint64_t *seed)
{
    for (int round = 0; round < 4; round++) {
        for (int i = 0; i < PAIRS; i++) {
            post(i, seed);
            if (round % 2)
                send(i);
        }
        CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
        for (int i = 0; i < PAIRS && round % 2 == 0; i++)
            send(i);
        complete(seed);
        CHECK_MPI(MPI_Waitall(PAIRS, sends, MPI_STATUSES_IGNORE));
    }
}

/* Every third receive is cancelled before a message comes, so each message goes to the next one. */
static void cancel(uint64_t *seed)
{
    int next[TAGS] = {0}, flag;
    MPI_Status s;
    for (int i = 0; i < PAIRS; i++)
        post(i, seed);
    for (int i = PAIRS - 1; i >= 0; i--)
        if (i / TAGS % 3 == 1) {
            CHECK_MPI(MPI_Cancel(&receives[i]));
            CHECK_MPI(MPI_Wait(&receives[i], &s));
            CHECK_MPI(MPI_Test_cancelled(&s, &flag));
            CHECK_EQ(flag, 1);
        }
    CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
    for (int i = 0; i < PAIRS; i++)
        if (i / TAGS % 3 != 1)
            send(i);
        else
            sends[i] = MPI_REQUEST_NULL;
    CHECK_MPI(MPI_Waitall(PAIRS, receives, MPI_STATUSES_IGNORE));
    CHECK_MPI(MPI_Waitall(PAIRS, sends, MPI_STATUSES_IGNORE));
    for (int i = 0; i < PAIRS; i++)
        if (i / TAGS % 3 != 1)
            check(i), next[i % TAGS]++;
    for (int t = 0; t < TAGS; t++)
        CHECK_EQ(next[t], PAIRS / TAGS * 2 / 3);
}

int main(int argc, char **argv)
{
    uint64_t seed = 5;
    refusals_begin(&argc, &argv);
    from = (me + np - 1) % np;
    to = (me + 1) % np;
    rounds(&seed);
    cancel(&seed);
    for (int i = 0; i < PAIRS; i++)
        post(i, &seed);
    CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
    unsigned long long before = refused();
    for (int i = 0; i < PAIRS; i++) { /* one by one, so that no ring is full */
        send(i);
        CHECK_MPI(MPI_Wait(&receives[i], MPI_STATUS_IGNORE));
        CHECK_MPI(MPI_Wait(&sends[i], MPI_STATUS_IGNORE));
        check(i);
    }
    unsigned long long n = refused() - before;
    if (argc < 2)
        CHECK_MSG(n < PAIRS / 10, "of %d exchanges %llu calls are not plain", PAIRS, n);
    return refusals_finish();
}
