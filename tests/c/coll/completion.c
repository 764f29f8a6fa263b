/*
 * Small nonblocking collectives of all kinds, many under way at once on several communicators, ended by each
 * of the calls that end requests, in an order that each rank makes up: one, any, some or all, waited for or
 * asked for, with messages, blocking collectives among them. Some outlive their communicators. "threads" has
 * two threads of each rank do so on communicators of their own (MPI_THREAD_MULTIPLE); with "freed" some are
 * given up by MPI_Request_free and have to end all the same, which goes beyond the standard.
 */
#include "check.h"
#include <pthread.h>

enum { ROUNDS = 40, UNDER_WAY = 24, COMMS = 3, MOST = 8, N = 3 };
enum {
    BARRIER,
    BCAST,
    GATHER,
    GATHERV,
    SCATTER,
    SCATTERV,
    ALLGATHER,
    ALLGATHERV,
    ALLTOALL,
    ALLTOALLV,
    ALLTOALLW,
    REDUCE,
    ALLREDUCE,
    SCAN,
    EXSCAN,
    SHARES,
    BLOCK,
    KINDS
};

/* An operation. All ranks have buffers of N numbers for each rank. */
struct flight {
    int kind, root, id, rank, size;
    int64_t out[N * MOST], in[N * MOST];
    int counts[MOST], places[MOST], byte_places[MOST];
    MPI_Datatype types[MOST];
};

struct state {
    MPI_Comm all;
    uint64_t same, own;
    struct flight *flights;
    int freed;
    int64_t given_up[ROUNDS];
};

static int64_t value(const struct flight *f, int from, int to, int i)
{
    return f->id * 1000 + from * 100 + to * 10 + i;
}

static void start(struct flight *f, MPI_Comm comm, uint64_t *seed, int id, MPI_Request *r)
{
    CHECK_MPI(MPI_Comm_rank(comm, &f->rank));
    CHECK_MPI(MPI_Comm_size(comm, &f->size));
    f->kind = (int)check_below(seed, KINDS);
    f->root = (int)check_below(seed, (uint64_t)f->size);
    f->id = id;
    for (int p = 0; p < f->size; p++) {
        f->counts[p] = N;
        f->places[p] = p * N;
        f->byte_places[p] = p * N * 8;
        f->types[p] = MPI_INT64_T;
        for (int i = 0; i < N; i++) {
            f->out[p * N + i] = value(
                f, f->rank,
                f->kind == GATHER || f->kind == GATHERV || f->kind == ALLGATHER || f->kind == ALLGATHERV ? 0
                                                                                                         : p,
                i);
            f->in[p * N + i] = -1;
        }
    }
    if (f->kind == BCAST && f->rank == f->root)
        memcpy(f->in, f->out, sizeof f->in);
    switch (f->kind) {
    case BARRIER: CHECK_MPI(MPI_Ibarrier(comm, r)); break;
    case BCAST: CHECK_MPI(MPI_Ibcast(f->in, N, MPI_INT64_T, f->root, comm, r)); break;
    case GATHER:
        CHECK_MPI(MPI_Igather(f->out, N, MPI_INT64_T, f->in, N, MPI_INT64_T, f->root, comm, r));
        break;
    case GATHERV:
        CHECK_MPI(
            MPI_Igatherv(f->out, N, MPI_INT64_T, f->in, f->counts, f->places, MPI_INT64_T, f->root, comm, r));
        break;
    case SCATTER:
        CHECK_MPI(MPI_Iscatter(f->out, N, MPI_INT64_T, f->in, N, MPI_INT64_T, f->root, comm, r));
        break;
    case SCATTERV:
        CHECK_MPI(MPI_Iscatterv(f->out, f->counts, f->places, MPI_INT64_T, f->in, N, MPI_INT64_T, f->root,
                                comm, r));
        break;
    case ALLGATHER: CHECK_MPI(MPI_Iallgather(f->out, N, MPI_INT64_T, f->in, N, MPI_INT64_T, comm, r)); break;
    case ALLGATHERV:
        CHECK_MPI(MPI_Iallgatherv(f->out, N, MPI_INT64_T, f->in, f->counts, f->places, MPI_INT64_T, comm, r));
        break;
    case ALLTOALL: CHECK_MPI(MPI_Ialltoall(f->out, N, MPI_INT64_T, f->in, N, MPI_INT64_T, comm, r)); break;
    case ALLTOALLV:
        CHECK_MPI(MPI_Ialltoallv(f->out, f->counts, f->places, MPI_INT64_T, f->in, f->counts, f->places,
                                 MPI_INT64_T, comm, r));
        break;
    case ALLTOALLW:
        CHECK_MPI(MPI_Ialltoallw(f->out, f->counts, f->byte_places, f->types, f->in, f->counts,
                                 f->byte_places, f->types, comm, r));
        break;
    case REDUCE: CHECK_MPI(MPI_Ireduce(f->out, f->in, N, MPI_INT64_T, MPI_SUM, f->root, comm, r)); break;
    case ALLREDUCE: CHECK_MPI(MPI_Iallreduce(f->out, f->in, N, MPI_INT64_T, MPI_SUM, comm, r)); break;
    case SCAN: CHECK_MPI(MPI_Iscan(f->out, f->in, N, MPI_INT64_T, MPI_SUM, comm, r)); break;
    case EXSCAN: CHECK_MPI(MPI_Iexscan(f->out, f->in, N, MPI_INT64_T, MPI_SUM, comm, r)); break;
    case SHARES:
        CHECK_MPI(MPI_Ireduce_scatter(f->out, f->in, f->counts, MPI_INT64_T, MPI_SUM, comm, r));
        break;
    case BLOCK: CHECK_MPI(MPI_Ireduce_scatter_block(f->out, f->in, N, MPI_INT64_T, MPI_SUM, comm, r)); break;
    }
}

/* The sum of what the ranks below end have for one. */
static int64_t sum(const struct flight *f, int end, int to, int i)
{
    int64_t s = 0;
    for (int from = 0; from < end; from++)
        s += value(f, from, to, i);
    return s;
}

/* What element i of block p of `in` has to be. */
static int64_t wanted(const struct flight *f, int p, int i)
{
    int root = f->rank == f->root, first = p == 0;
    switch (f->kind) {
    case BCAST: return root ? f->out[p * N + i] : first ? value(f, f->root, 0, i) : -1;
    case GATHER:
    case GATHERV: return root ? value(f, p, 0, i) : -1;
    case SCATTER:
    case SCATTERV: return first ? value(f, f->root, f->rank, i) : -1;
    case ALLGATHER:
    case ALLGATHERV: return value(f, p, 0, i);
    case ALLTOALL:
    case ALLTOALLV:
    case ALLTOALLW: return value(f, p, f->rank, i);
    case REDUCE: return root && first ? sum(f, f->size, 0, i) : -1;
    case ALLREDUCE: return first ? sum(f, f->size, 0, i) : -1;
    case SCAN: return first ? sum(f, f->rank + 1, 0, i) : -1;
    case EXSCAN: return first && f->rank > 0 ? sum(f, f->rank, 0, i) : -1;
    case SHARES:
    case BLOCK: return first ? sum(f, f->size, f->rank, i) : -1;
    }
    return -1;
}

static void verify(const struct flight *f)
{
    check_count();
    for (int p = 0; p < f->size; p++)
        for (int i = 0; i < N; i++)
            if (f->in[p * N + i] != wanted(f, p, i)) {
                check_fail(__FILE__, __LINE__, "operation %d of kind %d with root %d among %d: element %d of block %d is %lld, want %lld", f->id, f->kind, f->root,
                           f->size, i, p, (long long)f->in[p * N + i], (long long)wanted(f, p, i));
                return;
            }
}

static void is_empty(const MPI_Status *st, MPI_Request r)
{
    int n = -1;
    CHECK(r == MPI_REQUEST_NULL);
    CHECK_MPI(MPI_Get_count(st, MPI_BYTE, &n));
    CHECK(st->MPI_SOURCE == MPI_ANY_SOURCE);
    CHECK(st->MPI_TAG == MPI_ANY_TAG);
    CHECK(n == 0);
}

/* Ends some of n requests by a call that this rank draws. */
static void end_some(struct flight *f, MPI_Request *rs, int n, uint64_t *own)
{
    MPI_Status st, sts[UNDER_WAY];
    int i, k = 0, flag = 0, which[UNDER_WAY];

    switch (check_below(own, 8)) {
    case 0: /* the first that is left, or one of them */
        i = (int)check_below(own, (uint64_t)n);
        if (rs[i] == MPI_REQUEST_NULL)
            return;
        CHECK_MPI(MPI_Wait(&rs[i], &st));
        is_empty(&st, rs[i]);
        verify(&f[i]);
        return;
    case 1:
        i = (int)check_below(own, (uint64_t)n);
        if (rs[i] == MPI_REQUEST_NULL)
            return;
        for (int tries = (int)check_below(own, 200); !flag && tries >= 0; tries--)
            CHECK_MPI(MPI_Test(&rs[i], &flag, &st));
        if (flag) {
            is_empty(&st, rs[i]);
            verify(&f[i]);
        }
        return;
    case 2:
        CHECK_MPI(MPI_Waitany(n, rs, &i, &st));
        if (i != MPI_UNDEFINED) {
            is_empty(&st, rs[i]);
            verify(&f[i]);
        }
        return;
    case 3:
        CHECK_MPI(MPI_Testany(n, rs, &i, &flag, &st));
        if (flag && i != MPI_UNDEFINED) {
            is_empty(&st, rs[i]);
            verify(&f[i]);
        }
        return;
    case 4:
    case 5:
        CHECK_MPI(check_below(own, 2) ? MPI_Waitsome(n, rs, &k, which, sts)
                                      : MPI_Testsome(n, rs, &k, which, sts));
        for (i = 0; k != MPI_UNDEFINED && i < k; i++) {
            is_empty(&sts[i], rs[which[i]]);
            verify(&f[which[i]]);
        }
        return;
    case 6:
        i = (int)check_below(own, (uint64_t)n);
        if (rs[i] == MPI_REQUEST_NULL)
            return;
        CHECK_MPI(MPI_Request_get_status(rs[i], &flag, &st));
        if (flag)
            verify(&f[i]);
        CHECK(rs[i] != MPI_REQUEST_NULL);
        return;
    }
    if (check_below(own, 4))
        CHECK_MPI(MPI_Testall(n, rs, &flag, sts));
    else {
        CHECK_MPI(MPI_Waitall(n, rs, sts));
        flag = 1;
    }
    for (i = 0; flag && i < n; i++) {
        is_empty(&sts[i], rs[i]);
        verify(&f[i]);
    }
}

static void round_of(struct state *s, int round)
{
    MPI_Comm comms[COMMS] = {s->all, MPI_COMM_NULL, MPI_COMM_NULL};
    MPI_Request rs[UNDER_WAY], messages[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    int rank, size, n = 1 + (int)check_below(&s->same, UNDER_WAY), sent = round, got = -1, left = 1;

    CHECK_MPI(MPI_Comm_rank(s->all, &rank));
    CHECK_MPI(MPI_Comm_size(s->all, &size));
    CHECK_MPI(MPI_Comm_dup(s->all, &comms[1]));
    CHECK_MPI(MPI_Comm_split(s->all, rank % 2, -rank, &comms[2]));
    CHECK_MPI(MPI_Irecv(&got, 1, MPI_INT, (rank + size - 1) % size, 5, s->all, &messages[0]));
    for (int i = 0; i < n; i++) {
        start(&s->flights[i], comms[check_below(&s->same, COMMS)], &s->same, round * UNDER_WAY + i, &rs[i]);
        if (i == n / 2)
            CHECK_MPI(MPI_Isend(&sent, 1, MPI_INT, (rank + 1) % size, 5, s->all, &messages[1]));
        if (check_below(&s->same, 9) == 0) {
            int one = rank, most = -1;
            CHECK_MPI(MPI_Allreduce(&one, &most, 1, MPI_INT, MPI_MAX, s->all));
            CHECK(most == size - 1);
        }
        if (s->freed && i == n / 3) {
            MPI_Request r;
            s->given_up[round] = rank == round % size ? 77 + round : -1;
            CHECK_MPI(MPI_Ibcast(&s->given_up[round], 1, MPI_INT64_T, round % size, s->all, &r));
            CHECK_MPI(MPI_Request_free(&r));
        }
        if (check_below(&s->own, 4) == 0)
            end_some(s->flights, rs, i + 1, &s->own);
    }
    int early = (int)check_below(&s->same, 2); /* the communicators go first */
    if (early)
        for (int c = 1; c < COMMS; c++)
            CHECK_MPI(MPI_Comm_free(&comms[c]));
    if (check_below(&s->own, 2))
        CHECK_MPI(MPI_Waitall(2, messages, MPI_STATUSES_IGNORE));
    for (int tries = 0; left; tries++) {
        left = 0;
        for (int i = 0; i < n; i++)
            left += rs[i] != MPI_REQUEST_NULL;
        if (left && tries < 100)
            end_some(s->flights, rs, n, &s->own);
        else
            break;
    }
    CHECK_MPI(MPI_Waitall(2, messages, MPI_STATUSES_IGNORE));
    CHECK(got == round);
    CHECK_MPI(MPI_Waitall(n, rs, MPI_STATUSES_IGNORE));
    for (int i = 0; i < n; i++)
        verify(&s->flights[i]);
    for (int c = 1; c < COMMS && !early; c++)
        CHECK_MPI(MPI_Comm_free(&comms[c]));
}

static void *rounds(void *of)
{
    for (int round = 0; round < ROUNDS; round++)
        round_of(of, round);
    return NULL;
}

int main(int argc, char **argv)
{
    static struct state states[2];
    pthread_t thread;
    int level, threads = argc > 1 && strcmp(argv[1], "threads") == 0, freed = argc > 1 && strcmp(argv[1], "freed") == 0;

    CHECK_MPI(MPI_Init_thread(&argc, &argv, threads ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &level));
    check_know_world();
    for (int t = 0; t <= threads; t++) {
        states[t].same = (uint64_t)t + 11;
        states[t].own = (uint64_t)(me * 2 + t) * 7919 + 3;
        states[t].flights = malloc(UNDER_WAY * sizeof *states[t].flights);
        states[t].freed = freed;
        CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &states[t].all));
    }
    if (threads)
        CHECK(pthread_create(&thread, NULL, rounds, &states[1]) == 0);
    rounds(&states[0]);
    if (threads)
        CHECK(pthread_join(thread, NULL) == 0);
    for (int t = 0; t <= threads; t++) {
        CHECK_MPI(MPI_Comm_disconnect(&states[t].all)); /* what has been given up has ended then */
        for (int round = 0; freed && round < ROUNDS; round++)
            CHECK(states[t].given_up[round] == 77 + round);
        free(states[t].flights);
    }
    return check_finish();
}
