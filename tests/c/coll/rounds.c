/*
 * Rounds of persistent collectives of all kinds, on communicators of all ranks and of one. Ranks start them
 * in different orders, one by one or together with other persistent requests, and complete them by all
 * calls. Now and then a rank is late, frees a communicator, or frees a request that has been started.
 */
#include "check.h"

#include <unistd.h>

enum { ROUNDS = 12, KINDS = 20, LENGTH = 40, NEARBY = 5, MOST = 7, CALLS = 6 };

/* What an operation sends and receives. */
typedef struct {
    int own[MOST * LENGTH], all[MOST * LENGTH], counts[MOST], displs[MOST], incounts[MOST], indispls[MOST];
    MPI_Datatype types[MOST];
} Data;

static MPI_Datatype strided;
static MPI_Op own_op;

/* It takes the elements of strided for those of MPI_INT, so it combines the first half of them. */
static void add(void *in, void *inout, int *n, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *n; i++)
        ((int *)inout)[i] += ((int *)in)[i];
}

static int value(int rank, int round, int k) { return rank * 10000 + round * 100 + k; }

static int total(int ranks, int round, int k)
{
    int sum = 0;
    for (int rank = 0; rank < ranks; rank++)
        sum += value(rank, round, k);
    return sum;
}

static void prepare(Data *d, int kind, MPI_Comm comm, MPI_Request *r)
{
    int rank, size;
    CHECK_MPI(MPI_Comm_rank(comm, &rank));
    CHECK_MPI(MPI_Comm_size(comm, &size));
    int root = kind % size, near = kind >= 17;
    MPI_Info none = MPI_INFO_NULL;
    for (int k = 0; k < MOST; k++) { /* rank k gets k + 1 elements of each; or neighbors some each */
        d->counts[k] = near ? NEARBY : k + 1;
        d->incounts[k] = near ? NEARBY : rank + 1;
        d->displs[k] = near ? k * NEARBY : k;
        d->indispls[k] = near ? k * NEARBY : k * LENGTH;
        d->types[k] = MPI_INT;
    }
    switch (kind) {
    case 0:
        CHECK_MPI(MPI_Barrier_init(comm, none, r));
        break;
    case 1:
        CHECK_MPI(MPI_Bcast_init(d->own, LENGTH, MPI_INT, root, comm, none, r));
        break;
    case 2:
        CHECK_MPI(MPI_Gather_init(d->own, LENGTH, MPI_INT, d->all, LENGTH, MPI_INT, root, comm, none, r));
        break;
    case 3:
        for (int k = 0; k < MOST; k++)
            d->incounts[k] = LENGTH;
        CHECK_MPI(MPI_Gatherv_init(d->own, LENGTH, MPI_INT, d->all, d->incounts, d->indispls, MPI_INT, root,
                                   comm, none, r));
        break;
    case 4:
        CHECK_MPI(MPI_Scatter_init(d->own, 2, MPI_INT, d->all, 2, MPI_INT, root, comm, none, r));
        break;
    case 5:
        CHECK_MPI(MPI_Scatterv_init(d->own, d->counts, d->displs, MPI_INT, d->all, rank + 1, MPI_INT, root,
                                    comm, none, r));
        break;
    case 6:
        CHECK_MPI(MPI_Allgather_init(d->own, LENGTH, MPI_INT, d->all, LENGTH, MPI_INT, comm, none, r));
        break;
    case 7:
        for (int k = 0; k < MOST; k++)
            d->incounts[k] = LENGTH;
        CHECK_MPI(MPI_Allgatherv_init(d->own, LENGTH, MPI_INT, d->all, d->incounts, d->indispls, MPI_INT,
                                      comm, none, r));
        break;
    case 8:
        CHECK_MPI(MPI_Alltoall_init(d->own, 2, MPI_INT, d->all, 2, MPI_INT, comm, none, r));
        break;
    case 9:
        CHECK_MPI(MPI_Alltoallv_init(d->own, d->counts, d->displs, MPI_INT, d->all, d->incounts, d->indispls,
                                     MPI_INT, comm, none, r));
        break;
    case 10:
        for (int k = 0; k < MOST; k++)
            d->displs[k] *= (int)sizeof(int), d->indispls[k] *= (int)sizeof(int);
        CHECK_MPI(MPI_Alltoallw_init(d->own, d->counts, d->displs, d->types, d->all, d->incounts, d->indispls,
                                     d->types, comm, none, r));
        break;
    case 11:
        CHECK_MPI(MPI_Reduce_init(d->own, d->all, LENGTH, MPI_INT, MPI_SUM, root, comm, none, r));
        break;
    case 12: /* the contribution of the round before stands there */
        CHECK_MPI(MPI_Allreduce_init(MPI_IN_PLACE, d->all, LENGTH, MPI_INT, MPI_SUM, comm, none, r));
        break;
    case 13:
        CHECK_MPI(MPI_Reduce_scatter_block_init(d->own, d->all, 2, MPI_INT, MPI_SUM, comm, none, r));
        break;
    case 14:
        for (int k = 0; k < MOST; k++)
            d->counts[k] = k + 1;
        CHECK_MPI(MPI_Reduce_scatter_init(d->own, d->all, d->counts, MPI_INT, MPI_SUM, comm, none, r));
        break;
    case 15:
        CHECK_MPI(MPI_Scan_init(d->own, d->all, LENGTH, MPI_INT, own_op, comm, none, r));
        break;
    case 16:
        CHECK_MPI(MPI_Exscan_init(d->own, d->all, LENGTH, MPI_INT, MPI_SUM, comm, none, r));
        break;
    case 17:
        CHECK_MPI(
            MPI_Neighbor_allgather_init(d->own, NEARBY, MPI_INT, d->all, NEARBY, MPI_INT, comm, none, r));
        break;
    case 18:
        CHECK_MPI(MPI_Neighbor_alltoallv_init(d->own, d->counts, d->displs, MPI_INT, d->all, d->incounts,
                                              d->indispls, MPI_INT, comm, none, r));
        break;
    default:
        CHECK_MPI(MPI_Allreduce_init(d->own, d->all, LENGTH, strided, own_op, comm, none, r));
    }
    for (int k = 0; k < MOST; k++) /* the lists that count are those of the call */
        if (kind != 3 && kind != 5 && kind != 7 && kind != 9 && kind != 10 && kind != 14 && kind != 18)
            d->counts[k] = d->displs[k] = d->incounts[k] = d->indispls[k] = -1;
}

static void fill(Data *d, int kind, int rank, int round)
{
    for (int k = 0; k < MOST * LENGTH; k++) {
        d->own[k] = value(rank, round, k);
        d->all[k] = kind == 12 ? d->own[k] : -1;
    }
}

static void verify(const Data *d, int kind, int rank, int size, int round)
{
    int root = kind % size;
    for (int k = 0; k < LENGTH; k++)
        switch (kind) {
        case 0:
            break;
        case 1:
            CHECK_EQ(d->own[k], value(root, round, k));
            break;
        case 2:
        case 3:
        case 6:
        case 7:
            for (int from = 0; from < size; from++)
                CHECK_EQ(d->all[from * LENGTH + k], rank == root || kind > 5 ? value(from, round, k) : -1);
            break;
        case 4:
            CHECK_EQ(d->all[k], k < 2 ? value(root, round, 2 * rank + k) : -1);
            break;
        case 5:
            CHECK_EQ(d->all[k], k <= rank ? value(root, round, rank + k) : -1);
            break;
        case 8:
            if (k < 2)
                for (int from = 0; from < size; from++)
                    CHECK_EQ(d->all[2 * from + k], value(from, round, 2 * rank + k));
            break;
        case 9:
        case 10:
            for (int from = 0; from < size; from++)
                CHECK_EQ(d->all[from * LENGTH + k], k <= rank ? value(from, round, rank + k) : -1);
            break;
        case 11:
            CHECK_EQ(d->all[k], rank == root ? total(size, round, k) : -1);
            break;
        case 12:
            CHECK_EQ(d->all[k], total(size, round, k));
            break;
        case 13:
            CHECK_EQ(d->all[k], k < 2 ? total(size, round, 2 * rank + k) : -1);
            break;
        case 14:
            CHECK_EQ(d->all[k], k <= rank ? total(size, round, rank * (rank + 1) / 2 + k) : -1);
            break;
        case 15:
            CHECK_EQ(d->all[k], total(rank + 1, round, k));
            break;
        case 16:
            CHECK_EQ(d->all[k], rank ? total(rank, round, k) : -1);
            break;
        case 17:
        case 18:
            if (k < NEARBY) {
                int send = kind == 18; /* a block for each neighbor */
                CHECK_EQ(d->all[k], value((rank + size - 1) % size, round, send * NEARBY + k));
                CHECK_EQ(d->all[NEARBY + k], value((rank + 1) % size, round, k));
            }
            break;
        default:
            if (k % 2 == 0)
                CHECK_EQ(d->all[k], total(size, round, k));
        }
}

/* All n requests are completed, by the calls of that round. */
static void complete(MPI_Request *r, int n, int round)
{
    int which[2 * KINDS + 2], done = 0, flag;
    MPI_Status statuses[2 * KINDS + 2];
    switch (round % 6) {
    case 0:
        CHECK_MPI(MPI_Waitall(n, r, statuses));
        return;
    case 1:
        for (int i = n; i-- > 0;)
            CHECK_MPI(MPI_Wait(&r[i], MPI_STATUS_IGNORE));
        return;
    case 2:
        for (int left = n; left > 0; left--) {
            CHECK_MPI(MPI_Waitany(n, r, &which[0], MPI_STATUS_IGNORE));
            CHECK(which[0] != MPI_UNDEFINED);
        }
        CHECK_MPI(MPI_Waitany(n, r, &which[0], MPI_STATUS_IGNORE));
        CHECK_EQ(which[0], MPI_UNDEFINED);
        return;
    case 3:
        for (int left = n; left > 0; left -= done)
            CHECK_MPI(MPI_Waitsome(n, r, &done, which, statuses));
        return;
    case 4:
        for (int i = 0; i < n; i++) {
            do
                CHECK_MPI(MPI_Request_get_status(r[i], &flag, &statuses[0]));
            while (!flag);
            do
                CHECK_MPI(MPI_Test(&r[i], &flag, &statuses[0]));
            while (!flag);
        }
        return;
    default:
        do
            CHECK_MPI(MPI_Testall(n, r, &flag, statuses));
        while (!flag);
    }
}

/* The operations of a communicator, the first ones of which have cells. */
static void go_through(MPI_Comm comm, int first)
{
    static Data memory[CALLS][KINDS]; /* requests that are freed may go on for some time */
    static int calls;
    Data *data = memory[calls++];
    MPI_Request r[KINDS + 2];
    int rank, size, out, in;
    CHECK_MPI(MPI_Comm_rank(comm, &rank));
    CHECK_MPI(MPI_Comm_size(comm, &size));
    for (int i = 0; i < KINDS; i++)
        prepare(&data[(first + i) % KINDS], (first + i) % KINDS, comm, &r[(first + i) % KINDS]);
    CHECK_MPI(MPI_Send_init(&out, 1, MPI_INT, (rank + 1) % size, 5, comm, &r[KINDS]));
    CHECK_MPI(MPI_Recv_init(&in, 1, MPI_INT, (rank + size - 1) % size, 5, comm, &r[KINDS + 1]));
    for (int round = 0; round < ROUNDS; round++) {
        if (round % 4 == 3 && rank == round % size)
            usleep(3000);
        for (int i = 0; i < KINDS; i++)
            fill(&data[i], i, rank, round);
        out = value(rank, round, 0);
        if (round % 3 == 0) {
            CHECK_MPI(MPI_Startall(KINDS + 2, r));
        } else {
            for (int i = 0; i < KINDS + 2; i++)
                CHECK_MPI(MPI_Start(&r[(i * 3 + rank * 5 + round) % (KINDS + 2)]));
        }
        complete(r, KINDS + 2, round);
        CHECK_EQ(in, value((rank + size - 1) % size, round, 0));
        for (int i = 0; i < KINDS; i++)
            verify(&data[i], i, rank, size, round);
    }
    for (int i = 0; i < KINDS; i++)
        fill(&data[i], i, rank, ROUNDS);
    CHECK_MPI(MPI_Comm_free(&comm)); /* the requests go on */
    CHECK_MPI(MPI_Startall(KINDS, r));
    for (int i = 0; i < KINDS + 2; i++)
        if (i % 2 == 0 && i < KINDS) {
            CHECK_MPI(MPI_Wait(&r[i], MPI_STATUS_IGNORE));
            verify(&data[i], i, rank, size, ROUNDS);
            CHECK_MPI(MPI_Request_free(&r[i]));
        }
    CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
    for (int i = 1; i < KINDS; i += 2) {
        CHECK_MPI(MPI_Wait(&r[i], MPI_STATUS_IGNORE));
        verify(&data[i], i, rank, size, ROUNDS);
        if (i % 4 == 1)
            CHECK_MPI(MPI_Start(&r[i]));
        CHECK_MPI(MPI_Request_free(&r[i]));
    }
    CHECK_MPI(MPI_Request_free(&r[KINDS]));
    CHECK_MPI(MPI_Request_free(&r[KINDS + 1]));
    CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
}

/* A rank that gets nothing is ahead of the others, as far as there is room. */
static void ahead(MPI_Comm comm)
{
    int data[3] = {-1, -1, -1};
    MPI_Request r[3];
    for (int i = 0; i < 3; i++)
        CHECK_MPI(MPI_Bcast_init(&data[i], 1, MPI_INT, i % np, comm, MPI_INFO_NULL, &r[i]));
    for (int round = 0; round < 200; round++) {
        if (round % 50 == 49 && me == round / 50 % np)
            usleep(2000);
        for (int i = 0; i < 3; i++) {
            data[i] = me == i % np ? value(i, round, i) : -1;
            CHECK_MPI(MPI_Start(&r[i]));
        }
        for (int i = 0; i < 3; i++) {
            CHECK_MPI(MPI_Wait(&r[i], MPI_STATUS_IGNORE));
            CHECK_EQ(data[i], value(i, round, i));
        }
    }
    for (int i = 0; i < 3; i++)
        CHECK_MPI(MPI_Request_free(&r[i]));
}

int main(int argc, char **argv)
{
    int periodic = 1, one = 1;
    MPI_Comm comm;
    check_init(&argc, &argv);
    CHECK_MPI(MPI_Op_create(add, 1, &own_op));
    CHECK_MPI(MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &strided));
    CHECK_MPI(MPI_Type_commit(&strided));
    for (int first = 0; first < KINDS; first += 7) {
        CHECK_MPI(MPI_Cart_create(MPI_COMM_WORLD, 1, &np, &periodic, 0, &comm));
        go_through(comm, first);
        CHECK_MPI(MPI_Cart_create(MPI_COMM_SELF, 1, &one, &periodic, 0, &comm));
        go_through(comm, first);
    }
    CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    ahead(comm);
    CHECK_MPI(MPI_Comm_free(&comm));
    CHECK_MPI(MPI_Type_free(&strided));
    CHECK_MPI(MPI_Op_free(&own_op));
    return check_finish();
}
