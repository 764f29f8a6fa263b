/*
 * Random traffic for a given time (arguments: seconds, seed). Two threads of every rank work on communicators
 * of their own, round after round. All ranks derive the round's messages from the seed: who sends how much to
 * whom, with which tag, in which mode, with which datatype. Receives are exact or have wildcards, are posted,
 * blocking, or preceded by a probe. Every byte that comes is checked, and every byte around it. The seed is
 * printed, and that of the round when something is wrong.
 */
#include "../threads/threads.h"

enum { THREADS = 2, MOST = 60, TAGS = 3, RANKS = 16, NEVER = 99 };

/* Elements of `block` bytes of data that begin every `stride` bytes; lengths are multiples of all blocks. */
static const struct { int block, stride; } shapes[] = {{1, 1}, {3, 5}, {8, 12}, {64, 72}};
enum { SHAPES = 4, UNIT = 192 };
static MPI_Datatype types[SHAPES];

enum { ISEND, ISSEND, IBSEND, SEND_INIT, PSEND, MODES };
enum { EXACT, ANY_SOURCE, ANY_TAG, ANY, DISCIPLINES };

struct message {
    int from, to, tag, length, mode, shape, parts;
    uint64_t seed;
    char taken;
};

struct traffic { /* of one thread */
    MPI_Comm comm;
    uint64_t seed, own; /* of the round, the same everywhere; of this rank */
    int n, largest;
    struct message plan[MOST];
};

static double deadline;
static uint64_t seed;
static uint64_t messages, bytes; /* that have come */

struct buffer {
    unsigned char *memory;
    int shape, length; /* bytes of data that there is room for */
};

static size_t extent(int shape, int length)
{
    return (size_t)(length / shapes[shape].block) * shapes[shape].stride;
}

static struct buffer new_buffer(int shape, int length)
{
    struct buffer b = {check_alloc(extent(shape, length)), shape, length};
    return b;
}

static int count(const struct buffer *b) { return b->length / shapes[b->shape].block; }

static void put(struct buffer *b, uint64_t content)
{
    int block = shapes[b->shape].block, stride = shapes[b->shape].stride;
    if (block == stride) {
        check_fill(b->memory, b->length, content);
        return;
    }
    for (int i = 0; i < b->length; i++)
        b->memory[(size_t)(i / block) * stride + i % block] = check_byte(content, i);
}

/* The first length bytes of data are those of the message, all others are as they were. */
static void verify(const struct traffic *t, const struct buffer *b, const struct message *m)
{
    int block = shapes[b->shape].block, stride = shapes[b->shape].stride;
    size_t end = extent(b->shape, b->length);
    check_count();
    for (size_t at = 0; at < end; at++) {
        size_t i = at / stride * block + at % stride;
        int data = (int)(at % stride) < block && i < (size_t)m->length;
        unsigned char want = data ? check_byte(m->seed, i) : CHECK_FRESH_BYTE;
        if (b->memory[at] != want) {
            check_fail(__FILE__, __LINE__, "seed %" PRIu64 " (round %" PRIu64 "): byte %zu of %d from %d with tag %d is %#x, want %#x", seed, t->seed, at,
                       m->length, m->from, m->tag, b->memory[at], want);
            return;
        }
    }
}

static void make_plan(struct traffic *t, int rounds_kind)
{
    uint64_t s = t->seed;
    t->n = 1 + (int)check_below(&s, MOST);
    t->largest = 0;
    for (int i = 0; i < t->n; i++) {
        struct message *m = &t->plan[i];
        uint64_t kind = check_below(&s, 100);
        m->from = (int)check_below(&s, np);
        m->to = (int)check_below(&s, np);
        m->tag = (int)check_below(&s, TAGS);
        m->length = UNIT * (int)check_below(&s, kind < 40 ? 3 : kind < 80 ? 60 : kind < 97 ? 600 : 5000);
        m->mode = (int)check_below(&s, rounds_kind == 0 ? PSEND : MODES);
        m->shape = (int)check_below(&s, SHAPES);
        m->parts = 1 << check_below(&s, 4);
        m->seed = t->seed * 1000 + i;
        m->taken = 0;
        if (m->length > t->largest)
            t->largest = m->length;
    }
}

/* The oldest message of a stream that no receive has taken yet. */
static struct message *next(struct traffic *t, int from, int tag)
{
    for (int i = 0; i < t->n; i++) {
        struct message *m = &t->plan[i];
        if (m->to == me && m->from == from && m->tag == tag && !m->taken) {
            m->taken = 1;
            return m;
        }
    }
    return NULL;
}

static void received(struct traffic *t, struct buffer *b, const MPI_Status *st)
{
    struct message *m = next(t, st->MPI_SOURCE, st->MPI_TAG);
    MPI_Count n = -1;
    CHECK_MSG(m != NULL, "seed %" PRIu64 " (round %" PRIu64 "): a message from %d with tag %d that was not sent", seed, t->seed, st->MPI_SOURCE, st->MPI_TAG);
    if (m != NULL) {
        CHECK_MPI(MPI_Get_count_c(st, MPI_BYTE, &n));
        CHECK_EQ(n, m->length);
        verify(t, b, m);
        __atomic_add_fetch(&messages, 1, __ATOMIC_RELAXED);
        __atomic_add_fetch(&bytes, (uint64_t)m->length, __ATOMIC_RELAXED);
    }
    check_free(b->memory);
}

static void start_send(struct traffic *t, struct message *m, struct buffer *b, MPI_Request *r)
{
    *b = new_buffer(m->shape, m->length);
    put(b, m->seed);
    int n = count(b);
    MPI_Datatype type = types[m->shape];
    switch (m->mode) {
    case ISSEND: CHECK_MPI(MPI_Issend(b->memory, n, type, m->to, m->tag, t->comm, r)); break;
    case IBSEND: CHECK_MPI(MPI_Ibsend(b->memory, n, type, m->to, m->tag, t->comm, r)); break;
    case SEND_INIT:
        CHECK_MPI(MPI_Send_init(b->memory, n, type, m->to, m->tag, t->comm, r));
        CHECK_MPI(MPI_Start(r));
        break;
    default: CHECK_MPI(MPI_Isend(b->memory, n, type, m->to, m->tag, t->comm, r));
    }
}

static void finish_send(struct message *m, struct buffer *b, MPI_Request *r)
{
    if (m->mode == SEND_INIT)
        CHECK_MPI(MPI_Request_free(r));
    CHECK(*r == MPI_REQUEST_NULL);
    check_free(b->memory);
}

/* Everything at once; only after all sends have begun does a rank block. */
static void storm(struct traffic *t)
{
    struct buffer out[MOST], in[MOST];
    MPI_Request r[2 * MOST + 1];
    MPI_Status st[2 * MOST + 1];
    int posted = 0, sends = 0, discipline = (int)check_below(&t->own, DISCIPLINES), index[MOST], never;
    for (int i = 0; i < t->n; i++)
        if (t->plan[i].from == me)
            index[sends++] = i;
    /* Every receive has room for the largest; those that block come after the last send. Receives take in the
     * order of the plan where they are exact, so that each pattern is asked for as often as there are
     * messages for it. */
    int sent = 0, at = 0;
    char blocking[MOST] = {0};
    CHECK_MPI(MPI_Irecv(&never, 1, MPI_INT, MPI_ANY_SOURCE, NEVER, t->comm, &r[2 * MOST]));
    while (sent < sends || at < t->n) {
        if (sent < sends && (at == t->n || check_below(&t->own, 2))) {
            start_send(t, &t->plan[index[sent]], &out[sent], &r[MOST + sent]);
            sent++;
            continue;
        }
        const struct message *m = &t->plan[at++];
        if (m->to != me)
            continue;
        int from = discipline == EXACT || discipline == ANY_TAG ? m->from : MPI_ANY_SOURCE;
        int tag = discipline == EXACT || discipline == ANY_SOURCE ? m->tag : MPI_ANY_TAG;
        int how = sent == sends ? (int)check_below(&t->own, 8) : 0, k = posted++, flag = 0;
        MPI_Message matched = MPI_MESSAGE_NULL;
        in[k] = new_buffer((int)check_below(&t->own, SHAPES), t->largest);
        MPI_Datatype type = types[in[k].shape];
        r[k] = MPI_REQUEST_NULL;
        blocking[k] = how >= 5;
        switch (how) {
        case 4:
            CHECK_MPI(MPI_Improbe(from, tag, t->comm, &flag, &matched, &st[k]));
            if (flag)
                CHECK_MPI(MPI_Imrecv(in[k].memory, count(&in[k]), type, &matched, &r[k]));
            else
                CHECK_MPI(MPI_Irecv(in[k].memory, count(&in[k]), type, from, tag, t->comm, &r[k]));
            break;
        case 5:
            CHECK_MPI(MPI_Mprobe(from, tag, t->comm, &matched, &st[k]));
            CHECK_MPI(MPI_Mrecv(in[k].memory, count(&in[k]), type, &matched, &st[k]));
            break;
        case 6:
            CHECK_MPI(MPI_Probe(from, tag, t->comm, &st[k]));
            from = st[k].MPI_SOURCE;
            tag = st[k].MPI_TAG; /* fall through */
        case 7: CHECK_MPI(MPI_Recv(in[k].memory, count(&in[k]), type, from, tag, t->comm, &st[k])); break;
        default: CHECK_MPI(MPI_Irecv(in[k].memory, count(&in[k]), type, from, tag, t->comm, &r[k]));
        }
    }
    if (check_below(&t->own, 2)) {
        for (int left = posted; left > 0;) {
            int some[MOST], k = 0;
            MPI_Status found[MOST];
            CHECK_MPI(MPI_Waitsome(posted, r, &k, some, found));
            if (k == MPI_UNDEFINED)
                break;
            for (int i = 0; i < k; i++)
                st[some[i]] = found[i];
            left -= k;
        }
    } else {
        MPI_Status all[MOST];
        CHECK_MPI(MPI_Waitall(posted, r, all));
        for (int k = 0; k < posted; k++)
            if (!blocking[k])
                st[k] = all[k];
    }
    for (int k = 0; k < posted; k++)
        received(t, &in[k], &st[k]);
    CHECK_MPI(MPI_Waitall(sends, r + MOST, MPI_STATUSES_IGNORE));
    for (int i = 0; i < sends; i++)
        finish_send(&t->plan[index[i]], &out[i], &r[MOST + i]);
    int cancelled = 0;
    CHECK_MPI(MPI_Cancel(&r[2 * MOST]));
    CHECK_MPI(MPI_Wait(&r[2 * MOST], &st[0]));
    CHECK_MPI(MPI_Test_cancelled(&st[0], &cancelled));
    CHECK(cancelled);
}

/* One message after the other, in the order of the plan, by calls that block, and in partitions. */
static void in_turn(struct traffic *t)
{
    for (int i = 0; i < t->n; i++) {
        struct message *m = &t->plan[i];
        struct buffer out = {0}, in = {0};
        MPI_Datatype type = types[m->shape], to_type = types[(m->shape + i) % SHAPES];
        MPI_Request r[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
        MPI_Status st[2];
        if (m->from == me) {
            out = new_buffer(m->shape, m->length);
            put(&out, m->seed);
        }
        if (m->to == me)
            in = new_buffer((m->shape + i) % SHAPES, m->length);
        if (m->mode == PSEND) {
            int n = count(&out) % m->parts ? 1 : m->parts, k = count(&in) % 2 ? 1 : 2;
            if (m->to == me)
                CHECK_MPI(MPI_Precv_init(in.memory, k, count(&in) / k, to_type, m->from, m->tag, t->comm,
                                         MPI_INFO_NULL, &r[1]));
            if (m->from == me)
                CHECK_MPI(MPI_Psend_init(out.memory, n, count(&out) / n, type, m->to, m->tag, t->comm,
                                         MPI_INFO_NULL, &r[0]));
            for (int j = 0; j < 2; j++)
                if (r[j] != MPI_REQUEST_NULL)
                    CHECK_MPI(MPI_Start(&r[j]));
            for (int j = n - 1; j >= 0 && m->from == me; j--)
                CHECK_MPI(MPI_Pready(j, r[0]));
            CHECK_MPI(MPI_Waitall(2, r, st));
            for (int j = 0; j < 2; j++)
                if (r[j] != MPI_REQUEST_NULL)
                    CHECK_MPI(MPI_Request_free(&r[j]));
        } else if (m->from == me && m->to == me) {
            CHECK_MPI(MPI_Sendrecv(out.memory, count(&out), type, me, m->tag, in.memory, count(&in), to_type,
                                   me, m->tag, t->comm, &st[1]));
        } else if (m->from == me) {
            switch (m->mode) {
            case ISSEND: CHECK_MPI(MPI_Ssend(out.memory, count(&out), type, m->to, m->tag, t->comm)); break;
            case IBSEND: CHECK_MPI(MPI_Bsend(out.memory, count(&out), type, m->to, m->tag, t->comm)); break;
            default: CHECK_MPI(MPI_Send(out.memory, count(&out), type, m->to, m->tag, t->comm));
            }
        } else if (m->to == me) {
            CHECK_MPI(MPI_Recv(in.memory, count(&in), to_type, m->from, m->tag, t->comm, &st[1]));
        }
        if (m->to == me)
            received(t, &in, &st[1]);
        if (m->from == me)
            check_free(out.memory);
    }
}

static struct traffic all[THREADS];

static void work(int thread)
{
    struct traffic *t = &all[thread];
    uint64_t chain = seed * 2 + thread;
    for (int go = 1; go;) {
        t->seed = check_random(&chain) >> 16;
        t->own = t->seed * RANKS + me;
        int kind = (int)(t->seed % 3 == 0);
        make_plan(t, kind);
        if (kind == 0)
            storm(t);
        else
            in_turn(t);
        int more = MPI_Wtime() < deadline;
        CHECK_MPI(MPI_Allreduce(&more, &go, 1, MPI_INT, MPI_LAND,
                                t->comm)); /* no message may meet a receive of the last round */
    }
}

int main(int argc, char **argv)
{
    threads_init(&argc, &argv);
    double seconds = argc > 1 ? atof(argv[1]) : 10;
    seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    if (me == 0) {
        printf("%g seconds of random traffic among %d ranks, seed %" PRIu64 "\n", seconds, np, seed);
        fflush(stdout);
    }
    for (int i = 0; i < SHAPES; i++) {
        MPI_Datatype block;
        CHECK_MPI(MPI_Type_contiguous(shapes[i].block, MPI_BYTE, &block));
        CHECK_MPI(MPI_Type_create_resized(block, 0, shapes[i].stride, &types[i]));
        CHECK_MPI(MPI_Type_commit(&types[i]));
        CHECK_MPI(MPI_Type_free(&block));
    }
    for (int i = 0; i < THREADS; i++)
        CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &all[i].comm));
    CHECK_MPI(MPI_Buffer_attach(MPI_BUFFER_AUTOMATIC, 0));
    deadline = MPI_Wtime() + seconds;
    threads_run(THREADS, work);
    uint64_t own[2] = {messages, bytes}, sum[2];
    CHECK_MPI(MPI_Reduce(own, sum, 2, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD));
    if (me == 0)
        printf("%" PRIu64 " messages of %" PRIu64 " bytes\n", sum[0], sum[1]);
    for (int i = 0; i < THREADS; i++)
        CHECK_MPI(MPI_Comm_free(&all[i].comm));
    for (int i = 0; i < SHAPES; i++)
        CHECK_MPI(MPI_Type_free(&types[i]));
    void *a;
    int n;
    CHECK_MPI(MPI_Buffer_detach(&a, &n));
    return check_finish();
}
