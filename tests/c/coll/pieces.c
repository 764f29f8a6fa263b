/* Nonblocking operations on data that goes in pieces where ranks share a node, many under way at once on two
 * communicators, completed in another order than they were started, and each rank late in turn. Argument 1,
 * "limited": with a limit of addresses, so that pieces have little room. */
#include "check.h"

#include <sys/resource.h>
#include <unistd.h>

enum { TIMES = 3, MOST = 60000 };
enum { ALLGATHER, ALLREDUCE, ALLREDUCE_IN_PLACE, REDUCE_IN_PLACE, REDUCE, BCAST, GATHER, KINDS };
enum { ALL = KINDS * TIMES };

struct under_way {
    int kind, root, n, turn;
    long *in, *out;
};

static long value(int rank, int turn, int i) { return rank * 1000003L + turn * 257L + i; }

/* Not MPI_SUM, so that elements are combined by a function of the program. */
static void add(void *in, void *inout, int *n, MPI_Datatype *type)
{
    long *a = in, *b = inout;
    for (int i = 0; i < *n; i++)
        b[i] = a[i] * 3 + b[i] - a[i] * 2;
    (void)type;
}

static void begin(struct under_way *u, MPI_Comm comm, MPI_Op op, MPI_Request *r)
{
    int rank, size, n = u->n;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    for (int i = 0; i < n; i++)
        u->in[i] = value(rank, u->turn, i);
    memset(u->out, -1, (size_t)n * (size_t)size * sizeof(long));
    switch (u->kind) {
    case ALLGATHER: CHECK_MPI(MPI_Iallgather(u->in, n, MPI_LONG, u->out, n, MPI_LONG, comm, r)); break;
    case ALLREDUCE: CHECK_MPI(MPI_Iallreduce(u->in, u->out, n, MPI_LONG, op, comm, r)); break;
    case ALLREDUCE_IN_PLACE:
        memcpy(u->out, u->in, (size_t)n * sizeof(long));
        CHECK_MPI(MPI_Iallreduce(MPI_IN_PLACE, u->out, n, MPI_LONG, op, comm, r));
        break;
    case REDUCE_IN_PLACE:
        memcpy(u->out, u->in, (size_t)n * sizeof(long));
        CHECK_MPI(MPI_Ireduce(rank == u->root ? MPI_IN_PLACE : u->in, u->out, n, MPI_LONG, op, u->root, comm,
                              r));
        break;
    case REDUCE: CHECK_MPI(MPI_Ireduce(u->in, u->out, n, MPI_LONG, op, u->root, comm, r)); break;
    case BCAST:
        if (rank == u->root)
            memcpy(u->out, u->in, (size_t)n * sizeof(long));
        CHECK_MPI(MPI_Ibcast(u->out, n, MPI_LONG, u->root, comm, r));
        break;
    default: CHECK_MPI(MPI_Igather(u->in, n, MPI_LONG, u->out, n, MPI_LONG, u->root, comm, r)); break;
    }
}

static int combines(int kind) { return kind >= ALLREDUCE && kind <= REDUCE; }

static void verify(struct under_way *u, MPI_Comm comm)
{
    int rank, size, n = u->n, wrong = 0;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    if (rank != u->root && (u->kind == REDUCE_IN_PLACE || u->kind == REDUCE || u->kind == GATHER))
        return;
    for (int i = 0; i < n; i++) {
        long sum = 0;
        for (int r = 0; r < size; r++) {
            sum += value(r, u->turn, i);
            if (u->kind == ALLGATHER || u->kind == GATHER)
                wrong += u->out[(size_t)r * (size_t)n + (size_t)i] != value(r, u->turn, i);
        }
        wrong += combines(u->kind) && u->out[i] != sum;
        wrong += u->kind == BCAST && u->out[i] != value(u->root, u->turn, i);
    }
    CHECK_MSG(wrong == 0, "operation %d of kind %d with %d elements: %d are wrong", u->turn, u->kind, n,
              wrong);
}

int main(int argc, char **argv)
{
    struct rlimit limit = {(rlim_t)16 << 30, (rlim_t)16 << 30};
    if (argc > 1 && strcmp(argv[1], "limited") == 0 && setrlimit(RLIMIT_AS, &limit) != 0)
        return 1;
    check_init(&argc, &argv);
    MPI_Comm comms[2] = {MPI_COMM_WORLD, MPI_COMM_NULL};
    MPI_Op own;
    CHECK_MPI(MPI_Comm_split(MPI_COMM_WORLD, 0, -me, &comms[1]));
    CHECK_MPI(MPI_Op_create(add, 1, &own));
    struct under_way all[ALL];
    MPI_Request requests[ALL];
    for (int k = 0; k < ALL; k++) {
        all[k].in = check_alloc(MOST * sizeof(long));
        all[k].out = check_alloc(MOST * sizeof(long) * (size_t)np);
    }
    for (int round = 0; round < 6; round++) {
        if (me == round % np)
            usleep(20000);
        for (int k = 0; k < ALL; k++) {
            struct under_way *u = &all[k];
            u->turn = round * ALL + k;
            u->kind = k % KINDS;
            u->root = u->turn % np;
            int shorter = combines(u->kind) && u->turn % 5 != 0;
            u->n = 2100 + (shorter ? u->turn * 977 % 14000 : u->turn * 7919 % (MOST - 2100));
            begin(u, comms[k % 2], k % 4 < 2 ? own : MPI_SUM, &requests[k]);
        }
        for (int k = 0; k < ALL; k++) {
            int next = (k * 5 + round) % ALL; /* 5 and ALL have no common divisor */
            CHECK_MPI(MPI_Wait(&requests[next], MPI_STATUS_IGNORE));
            verify(&all[next], comms[next % 2]);
        }
    }
    for (int k = 0; k < ALL; k++) {
        check_free(all[k].in);
        check_free(all[k].out);
    }
    MPI_Op_free(&own);
    MPI_Comm_free(&comms[1]);
    return check_finish();
}
