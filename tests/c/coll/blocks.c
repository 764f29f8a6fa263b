/* The v and w forms: blocking, nonblocking and persistent, on communicators in other orders and between two
 * groups; in place. */
#include "coll.h"

enum { BLOCKING, NONBLOCKING, PERSISTENT, FORMS };

static int form, other; /* size of the group that this rank deals with */
static MPI_Comm comm;

/* Calls the blocking function, or waits for the others. */
#define CALL(name, ...)                                                                                      \
    do {                                                                                                     \
        MPI_Request r = MPI_REQUEST_NULL;                                                                    \
        if (form == BLOCKING) {                                                                              \
            CHECK_MPI(MPI_##name(__VA_ARGS__, comm));                                                        \
        } else if (form == NONBLOCKING) {                                                                    \
            CHECK_MPI(MPI_I##name(__VA_ARGS__, comm, &r));                                                   \
            CHECK_MPI(MPI_Wait(&r, MPI_STATUS_IGNORE));                                                      \
        } else {                                                                                             \
            CHECK_MPI(MPI_##name##_init(__VA_ARGS__, comm, MPI_INFO_NULL, &r));                              \
            CHECK_MPI(MPI_Start(&r));                                                                        \
            CHECK_MPI(MPI_Wait(&r, MPI_STATUS_IGNORE));                                                      \
            CHECK_MPI(MPI_Request_free(&r));                                                                 \
        }                                                                                                    \
    } while (0)
#define MPI_IAlltoallv MPI_Ialltoallv
#define MPI_IAlltoallw MPI_Ialltoallw
#define MPI_IAllgatherv MPI_Iallgatherv

static int size_of(int from, int to, int scale) { return (from * 3 + to * 5) % 4 * scale; }

static void everything(int rank, int scale, int inter)
{
    int *sc = calloc(4 * other, sizeof *sc), *sd = sc + other, *rc = sd + other, *rd = rc + other;
    MPI_Datatype *types = malloc(other * sizeof *types);
    int out = 0, in = 0;
    for (int r = other - 1; r >= 0; r--) { /* from the last block to the first, with one element between */
        sc[r] = size_of(rank, r, scale), sd[r] = out, out += sc[r] + 1;
        rc[r] = size_of(r, rank, scale), rd[r] = in, in += rc[r] + 1;
        types[r] = MPI_INT;
    }
    int *sb = check_alloc(out * sizeof(int)), *rb = check_alloc(in * sizeof(int));
    for (int r = 0; r < other; r++)
        coll_fill(sb + sd[r], sc[r], scale, rank, r);
    CALL(Alltoallv, sb, sc, sd, MPI_INT, rb, rc, rd, MPI_INT);
    for (int r = 0; r < other; r++)
        COLL_CHECK(rb + rd[r], rc[r], scale, r, rank);
    check_renew(rb, in * sizeof(int));
    for (int r = 0; r < other; r++)
        sd[r] *= (int)sizeof(int), rd[r] *= (int)sizeof(int);
    CALL(Alltoallw, sb, sc, sd, types, rb, rc, rd, types);
    for (int r = 0; r < other; r++)
        COLL_CHECK(rb + rd[r] / (int)sizeof(int), rc[r], scale, r, rank);
    check_free(rb);

    in = 0;
    for (int r = 0; r < other; r++)
        rc[r] = size_of(r, 1, scale), rd[r] = in, in += rc[r];
    rb = check_alloc(in * sizeof(int));
    int own = size_of(rank, 1, scale);
    int *mine = malloc((own + 1) * sizeof(int));
    coll_fill(mine, own, scale, rank, COLL_ALL);
    CALL(Allgatherv, mine, own, MPI_INT, rb, rc, rd, MPI_INT);
    for (int r = 0; r < other; r++)
        COLL_CHECK(rb + rd[r], rc[r], scale, r, COLL_ALL);
    if (!inter) {
        check_renew(rb, in * sizeof(int));
        coll_fill(rb + rd[rank], own, scale, rank, COLL_ALL);
        CALL(Allgatherv, MPI_IN_PLACE, -1, MPI_DATATYPE_NULL, rb, rc, rd, MPI_INT);
        for (int r = 0; r < other; r++)
            COLL_CHECK(rb + rd[r], rc[r], scale, r, COLL_ALL);
    }
    check_free(sb);
    check_free(rb);
    free(mine);
    free(types);
    free(sc);
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    MPI_Comm backwards, half, between = MPI_COMM_NULL;
    CHECK_MPI(MPI_Comm_split(MPI_COMM_WORLD, 0, -me, &backwards));
    CHECK_MPI(MPI_Comm_split(MPI_COMM_WORLD, me % 2, me, &half));
    if (np > 1)
        CHECK_MPI(MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - me % 2, 4, &between));
    MPI_Comm comms[] = {MPI_COMM_WORLD, backwards, half, between};
    for (int c = 0; c < 4; c++) {
        comm = comms[c];
        if (comm == MPI_COMM_NULL)
            continue;
        int rank, inter;
        CHECK_MPI(MPI_Comm_rank(comm, &rank));
        CHECK_MPI(MPI_Comm_test_inter(comm, &inter));
        if (inter)
            CHECK_MPI(MPI_Comm_remote_size(comm, &other));
        else
            CHECK_MPI(MPI_Comm_size(comm, &other));
        for (form = 0; form < FORMS; form++) {
            everything(rank, 0, inter);
            everything(rank, 1, inter);
            everything(rank, 200, inter);
            everything(rank, 20000, inter);
        }
    }
    CHECK_MPI(MPI_Comm_free(&backwards));
    CHECK_MPI(MPI_Comm_free(&half));
    if (np > 1)
        CHECK_MPI(MPI_Comm_free(&between));
    return check_finish();
}
