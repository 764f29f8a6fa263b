/* MPI_IN_PLACE at some ranks of an operation and not at others. What a rank sends and receives is the same
 * in both, so the outcome is as well: every form of alltoall, and the other operations in which each rank
 * both sends and receives. The standard wants all ranks to pass it (MPI 5.0, 6.7 to 6.10), but libraries
 * that build other operations from these rely on it. */
#include "coll.h"

enum how { BLOCKING, NONBLOCKING, PERSISTENT, HOWS };
enum { PLACES = 5, SIZES = 7 };

static const int sizes[SIZES] = {0, 1, 17, 300, 2500, 20001, 70000};

/* Whether a rank is in place in pattern p. */
static int in_place(int p, int rank)
{
    switch (p) {
    case 0: return rank != 0;
    case 1: return rank == 0;
    case 2: return rank % 2;
    case 3: return rank == np - 1;
    default: return 1;
    }
}

/* Runs a call in one of its forms: twice if it is persistent, with fill before each. */
#define IN_EACH_FORM(how, fill, now, later, init)                                                      \
    do {                                                                                               \
        MPI_Request request = MPI_REQUEST_NULL;                                                        \
        if ((how) == PERSISTENT) {                                                                     \
            CHECK_MPI(init);                                                                           \
            for (int turn_ = 0; turn_ < 2; turn_++) {                                                  \
                fill;                                                                                  \
                CHECK_MPI(MPI_Start(&request));                                                        \
                CHECK_MPI(MPI_Wait(&request, MPI_STATUS_IGNORE));                                      \
            }                                                                                          \
            CHECK_MPI(MPI_Request_free(&request));                                                     \
        } else {                                                                                       \
            fill;                                                                                      \
            if ((how) == BLOCKING)                                                                     \
                CHECK_MPI(now);                                                                        \
            else                                                                                       \
                CHECK_MPI(later);                                                                      \
            CHECK_MPI(MPI_Wait(&request, MPI_STATUS_IGNORE));                                          \
        }                                                                                              \
    } while (0)

#define WORLD MPI_COMM_WORLD

/* Blocks for all ranks: what is sent, if the rank is not in place, and what is received. */
static int *out, *in;
static const void *from;
static MPI_Datatype from_type;
static int counts[64], displs[64], bytes[64], total;
static MPI_Datatype types[64];

static void make_blocks(int place, const int *n)
{
    total = 0;
    for (int r = 0; r < np; r++) {
        counts[r] = n[r];
        displs[r] = total;
        bytes[r] = total * (int)sizeof(int);
        types[r] = MPI_INT;
        total += n[r];
    }
    in = check_alloc(total * sizeof(int));
    out = in_place(place, me) ? NULL : check_alloc(total * sizeof(int));
    from = out ? out : MPI_IN_PLACE;
    from_type = out ? MPI_INT : MPI_DATATYPE_NULL;
}

static void free_blocks(void)
{
    check_free(in);
    if (out)
        check_free(out);
}

/* Each rank's blocks for all. */
static void fill_blocks(int round)
{
    check_renew(in, total * sizeof(int));
    for (int r = 0; r < np; r++)
        coll_fill((out ? out : in) + displs[r], counts[r], round, me, r);
}

static void check_blocks(int round)
{
    for (int r = 0; r < np; r++) {
        COLL_CHECK(in + displs[r], counts[r], round, r, me);
        if (out)
            COLL_CHECK(out + displs[r], counts[r], round, me, r);
    }
}

static void alltoall(int n, int place, enum how how, int round)
{
    int all[64];
    for (int r = 0; r < np; r++)
        all[r] = n;
    make_blocks(place, all);
    IN_EACH_FORM(how, fill_blocks(round), MPI_Alltoall(from, n, from_type, in, n, MPI_INT, WORLD),
                 MPI_Ialltoall(from, n, from_type, in, n, MPI_INT, WORLD, &request),
                 MPI_Alltoall_init(from, n, from_type, in, n, MPI_INT, WORLD, MPI_INFO_NULL, &request));
    check_blocks(round);
    free_blocks();
}

/* Blocks of different sizes, among them empty ones; as many elements in both directions of a pair. */
static void alltoallv(int n, int place, enum how how, int round, int typed)
{
    int all[64];
    for (int r = 0; r < np; r++)
        all[r] = (me * r + n) % 4 == 0 ? 0 : me + r == np ? 3 * n : n / (1 + (me + r) % 3);
    make_blocks(place, all);
    if (typed) {
        IN_EACH_FORM(how, fill_blocks(round),
                     MPI_Alltoallw(from, counts, bytes, types, in, counts, bytes, types, WORLD),
                     MPI_Ialltoallw(from, counts, bytes, types, in, counts, bytes, types, WORLD, &request),
                     MPI_Alltoallw_init(from, counts, bytes, types, in, counts, bytes, types, WORLD,
                                        MPI_INFO_NULL, &request));
    } else {
        IN_EACH_FORM(how, fill_blocks(round),
                     MPI_Alltoallv(from, counts, displs, from_type, in, counts, displs, MPI_INT, WORLD),
                     MPI_Ialltoallv(from, counts, displs, from_type, in, counts, displs, MPI_INT, WORLD,
                                    &request),
                     MPI_Alltoallv_init(from, counts, displs, from_type, in, counts, displs, MPI_INT, WORLD,
                                        MPI_INFO_NULL, &request));
    }
    check_blocks(round);
    free_blocks();
}

/* Every second element, between gaps that stay as they are. */
static void gaps(int n, int place, enum how how, int round)
{
    MPI_Datatype spread;
    CHECK_MPI(MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &spread));
    CHECK_MPI(MPI_Type_commit(&spread));
    const size_t size = (size_t)np * n * sizeof(int);
    int *all = check_alloc(2 * size), *mine = check_alloc(size);
    const void *what = in_place(place, me) ? MPI_IN_PLACE : mine;
#define FILL                                                                                           \
    do {                                                                                               \
        check_renew(all, 2 * size);                                                                    \
        for (int r = 0; r < np; r++)                                                                   \
            for (int i = 0; i < n; i++) {                                                              \
                int value = coll_value(round, me, r, i);                                               \
                mine[r * n + i] = value;                                                               \
                if (what == MPI_IN_PLACE)                                                              \
                    all[2 * (r * n + i)] = value;                                                      \
            }                                                                                          \
    } while (0)
    IN_EACH_FORM(how, FILL, MPI_Alltoall(what, n, MPI_INT, all, n, spread, WORLD),
                 MPI_Ialltoall(what, n, MPI_INT, all, n, spread, WORLD, &request),
                 MPI_Alltoall_init(what, n, MPI_INT, all, n, spread, WORLD, MPI_INFO_NULL, &request));
#undef FILL
    int wrong = 0;
    for (int r = 0; r < np; r++)
        for (int i = 0; i < n; i++) {
            wrong += all[2 * (r * n + i)] != coll_value(round, r, me, i);
            wrong += all[2 * (r * n + i) + 1] != (int)0xeeeeeeee;
        }
    CHECK_EQ(wrong, 0);
    check_free(all);
    check_free(mine);
    CHECK_MPI(MPI_Type_free(&spread));
}

static void allgather(int n, int place, enum how how, int round, int blocks)
{
    int all[64];
    for (int r = 0; r < np; r++)
        all[r] = blocks ? n / (1 + r % 3) : n;
    make_blocks(place, all);
#define FILL                                                                                           \
    do {                                                                                               \
        check_renew(in, total * sizeof(int));                                                          \
        coll_fill(out ? out : in + displs[me], counts[me], round, me, COLL_ALL);                       \
    } while (0)
    if (blocks)
        IN_EACH_FORM(how, FILL,
                     MPI_Allgatherv(from, counts[me], from_type, in, counts, displs, MPI_INT, WORLD),
                     MPI_Iallgatherv(from, counts[me], from_type, in, counts, displs, MPI_INT, WORLD,
                                     &request),
                     MPI_Allgatherv_init(from, counts[me], from_type, in, counts, displs, MPI_INT, WORLD,
                                         MPI_INFO_NULL, &request));
    else
        IN_EACH_FORM(how, FILL, MPI_Allgather(from, n, from_type, in, n, MPI_INT, WORLD),
                     MPI_Iallgather(from, n, from_type, in, n, MPI_INT, WORLD, &request),
                     MPI_Allgather_init(from, n, from_type, in, n, MPI_INT, WORLD, MPI_INFO_NULL, &request));
#undef FILL
    for (int r = 0; r < np; r++)
        COLL_CHECK(in + displs[r], counts[r], round, r, COLL_ALL);
    free_blocks();
}

enum reduction { ALLREDUCE, SHARES, EVEN_SHARES, SCAN, EXSCAN, REDUCTIONS };

/* Rank r contributes r + i to element i of n for each rank. */
static void reduction(enum reduction what, int n, int place, enum how how)
{
    int all[64];
    for (int r = 0; r < np; r++)
        all[r] = what == SHARES ? n / (1 + r % 3) : n;
    make_blocks(place, all);
#define FILL                                                                                           \
    do {                                                                                               \
        check_renew(in, total * sizeof(int));                                                          \
        for (int i = 0; i < total; i++)                                                                \
            (out ? out : in)[i] = me + i;                                                              \
    } while (0)
    switch (what) {
    case ALLREDUCE:
        IN_EACH_FORM(how, FILL, MPI_Allreduce(from, in, total, MPI_INT, MPI_SUM, WORLD),
                     MPI_Iallreduce(from, in, total, MPI_INT, MPI_SUM, WORLD, &request),
                     MPI_Allreduce_init(from, in, total, MPI_INT, MPI_SUM, WORLD, MPI_INFO_NULL, &request));
        break;
    case SHARES:
        IN_EACH_FORM(how, FILL, MPI_Reduce_scatter(from, in, counts, MPI_INT, MPI_SUM, WORLD),
                     MPI_Ireduce_scatter(from, in, counts, MPI_INT, MPI_SUM, WORLD, &request),
                     MPI_Reduce_scatter_init(from, in, counts, MPI_INT, MPI_SUM, WORLD, MPI_INFO_NULL,
                                             &request));
        break;
    case EVEN_SHARES:
        IN_EACH_FORM(how, FILL, MPI_Reduce_scatter_block(from, in, n, MPI_INT, MPI_SUM, WORLD),
                     MPI_Ireduce_scatter_block(from, in, n, MPI_INT, MPI_SUM, WORLD, &request),
                     MPI_Reduce_scatter_block_init(from, in, n, MPI_INT, MPI_SUM, WORLD, MPI_INFO_NULL,
                                                   &request));
        break;
    case SCAN:
        IN_EACH_FORM(how, FILL, MPI_Scan(from, in, total, MPI_INT, MPI_SUM, WORLD),
                     MPI_Iscan(from, in, total, MPI_INT, MPI_SUM, WORLD, &request),
                     MPI_Scan_init(from, in, total, MPI_INT, MPI_SUM, WORLD, MPI_INFO_NULL, &request));
        break;
    default:
        IN_EACH_FORM(how, FILL, MPI_Exscan(from, in, total, MPI_INT, MPI_SUM, WORLD),
                     MPI_Iexscan(from, in, total, MPI_INT, MPI_SUM, WORLD, &request),
                     MPI_Exscan_init(from, in, total, MPI_INT, MPI_SUM, WORLD, MPI_INFO_NULL, &request));
    }
#undef FILL
    int shares = what == SHARES || what == EVEN_SHARES;
    int first = shares ? displs[me] : 0, n_out = shares ? counts[me] : total;
    int terms = what == SCAN ? me + 1 : what == EXSCAN ? me : np, wrong = 0;
    if (terms > 0)
        for (int i = 0; i < n_out; i++)
            wrong += in[i] != terms * (terms - 1) / 2 + terms * (first + i);
    CHECK_MSG(!wrong, "reduction %d of %d elements, form %d, place %d: %d are wrong", what, n, how, place, wrong);
    free_blocks();
}

/* Between neighbors there is no MPI_IN_PLACE (MPI 5.0, 8.6). */
static void neighbors(void)
{
    int periods = 1, some[2] = {0}, none[2] = {0}, ones[2] = {1, 1}, at[2] = {0, 1};
    MPI_Comm ring;
    CHECK_MPI(MPI_Cart_create(MPI_COMM_WORLD, 1, &np, &periods, 0, &ring));
    CHECK_MPI(MPI_Comm_set_errhandler(ring, MPI_ERRORS_RETURN));
    CHECK_CLASS(MPI_Neighbor_allgather(MPI_IN_PLACE, 1, MPI_INT, some, 1, MPI_INT, ring), MPI_ERR_BUFFER);
    CHECK_CLASS(MPI_Neighbor_alltoall(MPI_IN_PLACE, 1, MPI_INT, some, 1, MPI_INT, ring), MPI_ERR_BUFFER);
    CHECK_CLASS(MPI_Neighbor_alltoallv(MPI_IN_PLACE, ones, at, MPI_INT, some, ones, at, MPI_INT, ring),
                MPI_ERR_BUFFER);
    CHECK_EQ(memcmp(some, none, sizeof some), 0);
    CHECK_MPI(MPI_Comm_free(&ring));
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    for (int place = 0; place < PLACES; place++)
        for (int s = 0; s < SIZES; s++)
            for (enum how how = BLOCKING; how < HOWS; how++) {
                int n = sizes[s], round = (place * SIZES + s) * HOWS + how;
                alltoall(n, place, how, round);
                alltoallv(n, place, how, round, 0);
                alltoallv(n, place, how, round, 1);
                if (n <= 20001)
                    gaps(n, place, how, round);
                if (n <= 2500) {
                    allgather(n, place, how, round, 0);
                    allgather(n, place, how, round, 1);
                    for (enum reduction what = ALLREDUCE; what < REDUCTIONS; what++)
                        reduction(what, n, place, how);
                }
            }
    neighbors();
    return check_finish();
}
