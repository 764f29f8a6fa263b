/*
 * Hundreds of nonblocking collective operations under way at once on several communicators, short ones and
 * long ones, with blocking ones of the same communicators between, completed in an order that each rank makes
 * up; some of the communicators are freed meanwhile, so that later ones take their place.
 */
#include "check.h"

enum { ROUNDS = 6, FLIGHTS = 250, COMMS = 4, LONG = 5000, HUGE_ONE = 90000, SHORT = 9, MOST = 8 };

enum kind {
    BCAST,
    ALLREDUCE,
    REDUCE,
    SCAN,
    EXSCAN,
    GATHERV,
    SCATTER,
    ALLGATHER,
    ALLTOALL,
    ALLTOALLV,
    REDUCE_SCATTER,
    BARRIER,
    KINDS
};

static struct flight {
    enum kind kind;
    MPI_Comm comm;
    int rank, size, root, n, id; /* n: elements of a block */
    int *out, *in, counts[MOST], places[MOST], out_counts[MOST], out_places[MOST];
} flights[FLIGHTS];

static uint32_t same_seed, own_seed;

static uint32_t next(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

/* Element i of what one rank has for another. */
static int value(const struct flight *f, int from, int to, int i)
{
    return (f->id * 31 + from * 7 + to * 3 + i) % 100000;
}

/* Elements that rank `from` sends to rank `to` where sizes differ. */
static int uneven(const struct flight *f, int from, int to)
{
    return (f->id + from + 2 * to) % 5 == 0 ? f->n : (from + to + f->id) % (f->n < 4 ? f->n + 1 : 4);
}

static void start(struct flight *f, MPI_Request *r)
{
    int total = 0, most = f->n * f->size;

    f->out = malloc(sizeof(int) * (size_t)(most + 1));
    f->in = malloc(sizeof(int) * (size_t)(most + 1));
    for (int i = 0; i <= most; i++)
        f->in[i] = -1;
    for (int to = 0; to < f->size; to++)
        for (int i = 0; i < f->n; i++)
            f->out[to * f->n + i] = value(f, f->rank, to, i);
    switch (f->kind) {
    case BCAST:
        if (f->rank == f->root)
            memcpy(f->in, f->out, sizeof(int) * (size_t)f->n);
        CHECK_MPI(MPI_Ibcast(f->in, f->n, MPI_INT, f->root, f->comm, r));
        break;
    case ALLREDUCE: CHECK_MPI(MPI_Iallreduce(f->out, f->in, f->n, MPI_INT, MPI_SUM, f->comm, r)); break;
    case REDUCE: CHECK_MPI(MPI_Ireduce(f->out, f->in, f->n, MPI_INT, MPI_SUM, f->root, f->comm, r)); break;
    case SCAN: CHECK_MPI(MPI_Iscan(f->out, f->in, f->n, MPI_INT, MPI_SUM, f->comm, r)); break;
    case EXSCAN: CHECK_MPI(MPI_Iexscan(f->out, f->in, f->n, MPI_INT, MPI_SUM, f->comm, r)); break;
    case GATHERV:
        for (int p = 0; p < f->size; p++) {
            f->counts[p] = uneven(f, p, f->root);
            f->places[p] = total;
            total += f->counts[p];
        }
        for (int i = 0; i < f->counts[f->rank]; i++)
            f->out[i] = value(f, f->rank, f->root, i);
        CHECK_MPI(MPI_Igatherv(f->out, f->counts[f->rank], MPI_INT, f->in, f->counts, f->places, MPI_INT,
                               f->root, f->comm, r));
        break;
    case SCATTER:
        CHECK_MPI(MPI_Iscatter(f->out, f->n, MPI_INT, f->in, f->n, MPI_INT, f->root, f->comm, r));
        break;
    case ALLGATHER: CHECK_MPI(MPI_Iallgather(f->out, f->n, MPI_INT, f->in, f->n, MPI_INT, f->comm, r)); break;
    case ALLTOALL: CHECK_MPI(MPI_Ialltoall(f->out, f->n, MPI_INT, f->in, f->n, MPI_INT, f->comm, r)); break;
    case ALLTOALLV:
        for (int p = 0; p < f->size; p++) {
            f->out_counts[p] = uneven(f, f->rank, p);
            f->out_places[p] = p * f->n;
            f->counts[p] = uneven(f, p, f->rank);
            f->places[p] = total;
            total += f->counts[p];
        }
        CHECK_MPI(MPI_Ialltoallv(f->out, f->out_counts, f->out_places, MPI_INT, f->in, f->counts, f->places,
                                 MPI_INT, f->comm, r));
        break;
    case REDUCE_SCATTER:
        CHECK_MPI(MPI_Ireduce_scatter_block(f->out, f->in, f->n, MPI_INT, MPI_SUM, f->comm, r));
        break;
    default: CHECK_MPI(MPI_Ibarrier(f->comm, r));
    }
}

static int sum(const struct flight *f, int first, int end, int to, int i)
{
    int s = 0;
    for (int p = first; p < end; p++)
        s += value(f, p, to, i);
    return s;
}

static void verify(struct flight *f)
{
    for (int i = 0; i < f->n; i++) {
        int want = -1, at = i;
        switch (f->kind) {
        case BCAST: want = value(f, f->root, i / f->n, i); break;
        case ALLREDUCE: want = sum(f, 0, f->size, 0, i); break;
        case REDUCE: want = f->rank == f->root ? sum(f, 0, f->size, 0, i) : -1; break;
        case SCAN: want = sum(f, 0, f->rank + 1, 0, i); break;
        case EXSCAN: want = f->rank > 0 ? sum(f, 0, f->rank, 0, i) : -1; break;
        case SCATTER: want = value(f, f->root, f->rank, i); break;
        case REDUCE_SCATTER: want = sum(f, 0, f->size, f->rank, i); break;
        default: at = -1;
        }
        if (at >= 0)
            CHECK_MSG(f->in[at] == want, "operation %d of kind %d: element %d is %d, want %d", f->id, f->kind, i, f->in[at], want);
    }
    for (int p = 0; p < f->size; p++) {
        int n = f->n, at = p * f->n, to = f->kind == ALLGATHER ? 0 : f->rank;
        if (f->kind == GATHERV || f->kind == ALLTOALLV)
            n = f->counts[p], at = f->places[p];
        else if (f->kind != ALLGATHER && f->kind != ALLTOALL)
            continue;
        for (int i = 0; i < n && (f->kind != GATHERV || f->rank == f->root); i++)
            CHECK_MSG(f->in[at + i] == value(f, p, to, i), "operation %d of kind %d: element %d from rank %d is %d, want %d", f->id, f->kind, i, p,
                f->in[at + i], value(f, p, to, i));
    }
    free(f->out);
    free(f->in);
}

int main(int argc, char **argv)
{
    static MPI_Request requests[FLIGHTS];

    check_init(&argc, &argv);
    for (int round = 0; round < ROUNDS; round++) {
        MPI_Comm comms[COMMS] = {MPI_COMM_WORLD};
        same_seed = (uint32_t)round * 77u + 5u;
        own_seed = same_seed + (uint32_t)me * 999u;
        CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &comms[1]));
        CHECK_MPI(MPI_Comm_split(MPI_COMM_WORLD, 0, -me, &comms[2]));
        CHECK_MPI(MPI_Comm_split(MPI_COMM_WORLD, me % 2, me, &comms[3]));
        for (int k = 0; k < FLIGHTS; k++) {
            struct flight *f = &flights[k];
            f->id = round * FLIGHTS + k;
            f->kind = (enum kind)(next(&same_seed) % KINDS);
            f->comm = comms[next(&same_seed) % COMMS];
            f->n = next(&same_seed) % 12 == 0 ? LONG : 1 + (int)(next(&same_seed) % SHORT);
            if (next(&same_seed) % 60 == 0)
                f->n = HUGE_ONE; /* more than all slots together */
            MPI_Comm_rank(f->comm, &f->rank);
            MPI_Comm_size(f->comm, &f->size);
            f->root = (int)(next(&same_seed) % 1000) % f->size;
            start(f, &requests[k]);
            if (next(&same_seed) % 40 == 0) {
                int one = 1, all = 0;
                CHECK_MPI(MPI_Allreduce(&one, &all, 1, MPI_INT, MPI_SUM, f->comm));
                CHECK_EQ(all, f->size);
            }
        }
        for (int c = 1; c < COMMS; c++)
            CHECK_MPI(MPI_Comm_free(&comms[c]));
        for (int left = FLIGHTS; left > 0;) { /* what is done already, one at a time, and then the rest */
            int which, flag = 1, k = (int)(next(&own_seed) % FLIGHTS);
            if (next(&own_seed) % 3 == 0) {
                CHECK_MPI(MPI_Waitany(FLIGHTS, requests, &which, MPI_STATUS_IGNORE));
                left = which == MPI_UNDEFINED ? 0 : left - 1;
            } else if (requests[k] != MPI_REQUEST_NULL) {
                if (next(&own_seed) % 2 == 0)
                    CHECK_MPI(MPI_Test(&requests[k], &flag, MPI_STATUS_IGNORE));
                else
                    CHECK_MPI(MPI_Wait(&requests[k], MPI_STATUS_IGNORE));
                left -= flag != 0;
            }
        }
        for (int k = 0; k < FLIGHTS; k++) {
            CHECK(requests[k] == MPI_REQUEST_NULL);
            verify(&flights[k]);
        }
    }
    return check_finish();
}
