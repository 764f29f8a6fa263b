/*
 * Receives of every kind, posted and blocking, with names and with wildcards, for messages of every size:
 * which message goes to which receive depends on the order of both alone, not on when they meet
 * (MPI 5.0, 3.5). The rounds are random and the same for both ranks of a pair; what each receive gets is
 * worked out beforehand by going through the messages in order. In the last rounds many receives are posted
 * at once.
 */
#include "check.h"

enum { MOST = 900, ROOM = 100000, ROUNDS = 40, ANY = -1 };

struct receive {
    int source, tag; /* ANY for the wildcards */
    int gets;        /* the message */
    int blocking;
};

static int tags[MOST], sizes[MOST], messages;
static struct receive receives[MOST];
static unsigned char *in[MOST], *out[MOST];
static MPI_Request request[MOST];
static MPI_Comm comm, other;

static int pick(uint64_t *seed, int below)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (int)((*seed >> 33) % (uint64_t)below);
}

static int fits(const struct receive *r, int m) { return r->tag == ANY || r->tag == tags[m]; }

static void size_of_next(uint64_t *seed)
{
    static const int some[] = {0, 1, 4, 8, 40, 41, 200, 3000, 20000};
    int s = some[pick(seed, 9)];
    sizes[messages] = pick(seed, 60) == 0 ? ROOM : s;
}

/* Makes as many receives as messages, so that each gets one. */
static void plan(uint64_t seed, int n, int most_tags, int source)
{
    int count = 0, taken[MOST] = {0};

    messages = 0;
    while (messages < n) {
        tags[messages] = pick(&seed, most_tags);
        size_of_next(&seed);
        messages++;
    }
    for (int i = 0; i < n; i++) {
        struct receive *r = &receives[count++];
        r->source = pick(&seed, 3) == 0 ? ANY : source;
        r->tag = pick(&seed, 8) == 0 ? ANY : pick(&seed, most_tags);
        r->blocking = pick(&seed, 10) == 0;
        r->gets = -1;
    }
    /* The oldest message goes to the oldest receive that it matches; what is left over gets a partner at the
     * end. */
    for (int m = 0; m < messages; m++)
        for (int i = 0; i < count && !taken[m]; i++)
            if (receives[i].gets < 0 && fits(&receives[i], m)) {
                receives[i].gets = m;
                taken[m] = 1;
            }
    for (int i = 0; i < n; i++)
        if (receives[i].gets < 0) {
            tags[messages] = receives[i].tag == ANY ? 0 : receives[i].tag;
            size_of_next(&seed);
            receives[i].gets = messages++;
        }
    for (int m = 0; m < n; m++)
        if (!taken[m]) {
            struct receive r = {source, tags[m], m, 0};
            receives[count++] = r;
        }
    CHECK_EQ(count, messages);
}

static void send_all(int to, uint64_t seed)
{
    for (int m = 0; m < messages; m++) {
        out[m] = check_alloc((size_t)sizes[m]);
        check_fill(out[m], (size_t)sizes[m], (uint64_t)m);
        if (pick(&seed, 6) == 0)
            CHECK_MPI(MPI_Issend(out[m], sizes[m], MPI_BYTE, to, tags[m], comm, &request[m]));
        else
            CHECK_MPI(MPI_Isend(out[m], sizes[m], MPI_BYTE, to, tags[m], comm, &request[m]));
    }
    CHECK_MPI(MPI_Waitall(messages, request, MPI_STATUSES_IGNORE));
    for (int m = 0; m < messages; m++)
        check_free(out[m]);
}

static void check_one(int i, const MPI_Status *st, int source)
{
    int m = receives[i].gets, n = -1;
    CHECK_MPI(MPI_Get_count(st, MPI_BYTE, &n));
    CHECK_EQ(n, sizes[m]);
    CHECK_EQ(st->MPI_TAG, tags[m]);
    CHECK_EQ(st->MPI_SOURCE, source);
    CHECK_DATA(in[i], (size_t)sizes[m], (uint64_t)m);
}

static void receive_all(int from, uint64_t seed)
{
    static MPI_Status st[MOST];
    int done = 0, indices[MOST];

    for (int i = 0; i < messages; i++) {
        const struct receive *r = &receives[i];
        int source = r->source == ANY ? MPI_ANY_SOURCE : from, tag = r->tag == ANY ? MPI_ANY_TAG : r->tag,
            flag;
        in[i] = check_alloc((size_t)sizes[r->gets]);
        request[i] = MPI_REQUEST_NULL;
        if (r->blocking) {
            CHECK_MPI(MPI_Recv(in[i], sizes[r->gets], MPI_BYTE, source, tag, comm, &st[i]));
            check_one(i, &st[i], from);
            done++;
        } else {
            CHECK_MPI(MPI_Irecv(in[i], sizes[r->gets], MPI_BYTE, source, tag, comm, &request[i]));
        }
        if (pick(&seed, 30) == 0) /* takes messages in, some ahead of their receives */
            CHECK_MPI(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, other, &flag, MPI_STATUS_IGNORE));
        if (pick(&seed, 30) == 0 && request[i] != MPI_REQUEST_NULL)
            CHECK_MPI(MPI_Request_get_status(request[i], &flag,
                                             MPI_STATUS_IGNORE)); /* the core looks after it from now on */
    }
    while (done < messages) {
        int n;
        CHECK_MPI(MPI_Waitsome(messages, request, &n, indices, st));
        for (int k = 0; k < n; k++)
            check_one(indices[k], &st[k], from);
        done += n;
    }
    for (int i = 0; i < messages; i++)
        check_free(in[i]);
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &other));
    int partner = me ^ 1;
    for (int round = 0; round < ROUNDS; round++) {
        int n = round < ROUNDS - 6 ? 1 + round * 3 : 440, most_tags = 1 + round % 7 * 4;
        if (partner < np) {
            int sender = (me & 1) == (round & 1);
            plan((uint64_t)round * 977 + 5, n, most_tags, 1);
            CHECK_MPI(MPI_Sendrecv(NULL, 0, MPI_INT, partner, 0, NULL, 0, MPI_INT, partner, 0, other,
                                   MPI_STATUS_IGNORE));
            if (sender)
                send_all(partner, (uint64_t)round + 1);
            else
                receive_all(partner, (uint64_t)round + 2);
        }
    }
    CHECK_MPI(MPI_Comm_free(&comm));
    CHECK_MPI(MPI_Comm_free(&other));
    return check_finish();
}
