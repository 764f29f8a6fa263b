/*
 * More nonblocking collectives at once than there are cells for, of all kinds, on two communicators that
 * the ranks go through in different orders. Now and then a rank is late, so that the others wait for long.
 */
#include "check.h"

#include <unistd.h>

enum { ROUNDS = 6, EACH = 150, KINDS = 9, LENGTH = 40, NEARBY = 5 };

static int value(int rank, int i) { return rank * 1000 + i; }

/* Of neighbors there are some on one communicator alone. */
static int kind_of(int c, int i, int round)
{
    int kind = (i + round) % KINDS;
    return kind == 7 && c == 0 ? 0 : kind;
}

/* What one operation sends and receives. It stays until all have ended. */
typedef struct {
    int own[2 * LENGTH], all[64 * LENGTH], counts[64], displs[64], incounts[64], indispls[64];
} Data;

static MPI_Datatype strided;

static void add(void *in, void *inout, int *n, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *n; i++)
        ((int *)inout)[i] += ((int *)in)[i];
}

static MPI_Op own_op;

static void begin(Data *d, int kind, int i, MPI_Comm comm, MPI_Request *r)
{
    int root = i % np;
    for (int k = 0; k < 2 * LENGTH; k++)
        d->own[k] = value(me, i) + k;
    for (int k = 0; k < np * LENGTH; k++)
        d->all[k] = -1;
    switch (kind) {
    case 0:
        CHECK_MPI(MPI_Iallreduce(d->own, d->all, LENGTH, MPI_INT, MPI_SUM, comm, r));
        break;
    case 1:
        CHECK_MPI(MPI_Ibcast(d->own, LENGTH, MPI_INT, root, comm, r));
        break;
    case 2:
        CHECK_MPI(MPI_Iallgather(d->own, LENGTH, MPI_INT, d->all, LENGTH, MPI_INT, comm, r));
        break;
    case 3: /* rank k gets k + 1 elements of each */
        for (int k = 0; k < np; k++) {
            d->counts[k] = k % LENGTH + 1;
            d->displs[k] = k % 3;
            d->incounts[k] = me % LENGTH + 1;
            d->indispls[k] = k * LENGTH;
        }
        CHECK_MPI(MPI_Ialltoallv(d->own, d->counts, d->displs, MPI_INT, d->all, d->incounts, d->indispls,
                                 MPI_INT, comm, r));
        for (int k = 0; k < np; k++) /* they may be something else by then */
            d->counts[k] = d->displs[k] = d->incounts[k] = d->indispls[k] = -1;
        break;
    case 4:
        CHECK_MPI(MPI_Ireduce(d->own, d->all, LENGTH, strided, own_op, root, comm, r));
        break;
    case 5:
        CHECK_MPI(MPI_Iscan(d->own, d->all, LENGTH, MPI_INT, own_op, comm, r));
        break;
    case 6:
        CHECK_MPI(MPI_Ibarrier(comm, r));
        break;
    case 7:
        for (int k = 0; k < 2; k++) {
            d->counts[k] = d->incounts[k] = NEARBY;
            d->displs[k] = d->indispls[k] = k * NEARBY;
        }
        CHECK_MPI(MPI_Ineighbor_alltoallv(d->own, d->counts, d->displs, MPI_INT, d->all, d->incounts,
                                          d->indispls, MPI_INT, comm, r));
        for (int k = 0; k < 2; k++)
            d->counts[k] = d->displs[k] = d->incounts[k] = d->indispls[k] = -1;
        break;
    default:
        for (int k = 0; k < np; k++)
            d->counts[k] = 1, d->displs[k] = k;
        CHECK_MPI(MPI_Iscatterv(d->own, d->counts, d->displs, MPI_INT, d->all, 1, MPI_INT, root, comm, r));
        for (int k = 0; k < np; k++)
            d->counts[k] = d->displs[k] = -1;
        break;
    }
}

static int total(int ranks, int i, int k)
{
    int sum = 0;
    for (int rank = 0; rank < ranks; rank++)
        sum += value(rank, i) + k;
    return sum;
}

static void verify(const Data *d, int kind, int i)
{
    int root = i % np;
    for (int k = 0; k < LENGTH; k++)
        switch (kind) {
        case 0:
            CHECK_EQ(d->all[k], total(np, i, k));
            break;
        case 1:
            CHECK_EQ(d->own[k], value(root, i) + k);
            break;
        case 2:
            for (int from = 0; from < np; from++)
                CHECK_EQ(d->all[from * LENGTH + k], value(from, i) + k);
            break;
        case 3:
            for (int from = 0; from < np && k <= me % LENGTH; from++)
                CHECK_EQ(d->all[from * LENGTH + k], value(from, i) + me % 3 + k);
            break;
        case 4:
            if (me == root && k < LENGTH / 2)
                CHECK_EQ(d->all[2 * k], total(np, i, 2 * k));
            break;
        case 5:
            CHECK_EQ(d->all[k], total(me + 1, i, k));
            break;
        case 6:
            break;
        case 7:
            if (k < NEARBY) {
                CHECK_EQ(d->all[k], value((me + np - 1) % np, i) + NEARBY + k);
                CHECK_EQ(d->all[NEARBY + k], value((me + 1) % np, i) + k);
            }
            break;
        default:
            CHECK_EQ(d->all[0], value(root, i) + me);
        }
}

int main(int argc, char **argv)
{
    static Data data[2 * EACH];
    static MPI_Request requests[2 * EACH];
    MPI_Comm comms[2] = {MPI_COMM_WORLD};
    check_init(&argc, &argv);
    int periodic = 1;
    CHECK_MPI(MPI_Cart_create(MPI_COMM_WORLD, 1, &np, &periodic, 0, &comms[1]));
    CHECK_MPI(MPI_Op_create(add, 1, &own_op));
    CHECK_MPI(MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &strided));
    CHECK_MPI(MPI_Type_commit(&strided));
    for (int round = 0; round < ROUNDS; round++) {
        if (round % 3 == 1 && me == round % np)
            usleep(20000);
        for (int half = 0; half < 2; half++) {
            int c = (half + me) % 2; /* neighbors go through the communicators in the other order */
            for (int i = 0; i < EACH; i++)
                begin(&data[c * EACH + i], kind_of(c, i, round), i, comms[c], &requests[c * EACH + i]);
            if (round % 3 == 2 && me == round % np)
                usleep(20000);
        }
        if (round % 2) {
            CHECK_MPI(MPI_Waitall(2 * EACH, requests, MPI_STATUSES_IGNORE));
        } else {
            for (int left = 2 * EACH; left > 0; left--) {
                int which;
                CHECK_MPI(MPI_Waitany(2 * EACH, requests, &which, MPI_STATUS_IGNORE));
            }
        }
        for (int c = 0; c < 2; c++)
            for (int i = 0; i < EACH; i++)
                verify(&data[c * EACH + i], kind_of(c, i, round), i);
    }
    CHECK_MPI(MPI_Type_free(&strided));
    CHECK_MPI(MPI_Op_free(&own_op));
    CHECK_MPI(MPI_Comm_free(&comms[1]));
    return check_finish();
}
