/*
 * Collectives among neighbors: every function, blocking, nonblocking and persistent, with int and large
 * counts, on grids (with edges, rings of two and of one), graphs and distributed graphs (with loops, parallel
 * edges, many neighbors).
 */
#include <unistd.h>

#include "check.h"

#define MOST 128 /* neighbors */

/* One communicator: who sends block i to me as which of its blocks, and to whom my blocks go. -1: nobody. */
struct around {
    MPI_Comm comm;
    int rank, nin, nout;
    int from[MOST], as[MOST], to[MOST];
};

enum { LONGEST = 5, FORMS = 3 };

static int length(int from, int block, int step) { return (from * 3 + block * 5 + step) % (LONGEST + 1); }
static int value(int from, int block, int i, int step)
{
    return 1 + i + 10 * (block + 200 * (from + 20 * (step % 97)));
}

/* Waits for what a nonblocking or a persistent function returned; the latter once more each time. */
static int again(int form, MPI_Request *r, int round)
{
    if (form == 2)
        CHECK_MPI(MPI_Start(r));
    if (form > 0)
        CHECK_MPI(MPI_Wait(r, MPI_STATUS_IGNORE));
    if (form == 1)
        CHECK(*r == MPI_REQUEST_NULL);
    if (form == 2 && round == 1)
        CHECK_MPI(MPI_Request_free(r));
    return form == 2 && round == 0;
}

static void gather(const struct around *a, int form, int large, int step)
{
    int n = step % (LONGEST + 1), mine[LONGEST], in[MOST * LONGEST + 1];
    MPI_Request r = MPI_REQUEST_NULL;
    for (int i = 0; i < n; i++)
        mine[i] = value(a->rank, 0, i, step);
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i <= MOST * LONGEST; i++)
            in[i] = -1;
        if (round == 0) {
            if (form == 0)
                CHECK_MPI(large ? MPI_Neighbor_allgather_c(mine, n, MPI_INT, in, n, MPI_INT, a->comm)
                                : MPI_Neighbor_allgather(mine, n, MPI_INT, in, n, MPI_INT, a->comm));
            else if (form == 1)
                CHECK_MPI(large ? MPI_Ineighbor_allgather_c(mine, n, MPI_INT, in, n, MPI_INT, a->comm, &r)
                                : MPI_Ineighbor_allgather(mine, n, MPI_INT, in, n, MPI_INT, a->comm, &r));
            else
                CHECK_MPI(large ? MPI_Neighbor_allgather_init_c(mine, n, MPI_INT, in, n, MPI_INT, a->comm,
                                                                MPI_INFO_NULL, &r)
                                : MPI_Neighbor_allgather_init(mine, n, MPI_INT, in, n, MPI_INT, a->comm,
                                                              MPI_INFO_NULL, &r));
        }
        int more = again(form, &r, round);
        for (int b = 0; b < a->nin; b++)
            for (int i = 0; i < n; i++)
                CHECK_EQ(in[b * n + i], a->from[b] < 0 ? -1 : value(a->from[b], 0, i, step));
        CHECK_EQ(in[a->nin * n], -1);
        if (!more)
            return;
    }
}

static void gatherv(const struct around *a, int form, int large, int step)
{
    int n = length(a->rank, 0, step), mine[LONGEST], in[MOST * (LONGEST + 1) + 1];
    int counts[MOST], displs[MOST];
    MPI_Count lcounts[MOST];
    MPI_Aint ldispls[MOST];
    MPI_Request r = MPI_REQUEST_NULL;
    for (int i = 0; i < n; i++)
        mine[i] = value(a->rank, 0, i, step);
    for (int b = 0; b < a->nin; b++) {
        lcounts[b] = counts[b] = a->from[b] < 0 ? 2 : length(a->from[b], 0, step);
        ldispls[b] = displs[b] = (a->nin - 1 - b) * (LONGEST + 1); /* from the end on */
    }
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i <= MOST * (LONGEST + 1); i++)
            in[i] = -1;
        if (round == 0) {
            if (form == 0)
                CHECK_MPI(
                    large
                        ? MPI_Neighbor_allgatherv_c(mine, n, MPI_INT, in, lcounts, ldispls, MPI_INT, a->comm)
                        : MPI_Neighbor_allgatherv(mine, n, MPI_INT, in, counts, displs, MPI_INT, a->comm));
            else if (form == 1)
                CHECK_MPI(large ? MPI_Ineighbor_allgatherv_c(mine, n, MPI_INT, in, lcounts, ldispls, MPI_INT,
                                                             a->comm, &r)
                                : MPI_Ineighbor_allgatherv(mine, n, MPI_INT, in, counts, displs, MPI_INT,
                                                           a->comm, &r));
            else
                CHECK_MPI(large ? MPI_Neighbor_allgatherv_init_c(mine, n, MPI_INT, in, lcounts, ldispls,
                                                                 MPI_INT, a->comm, MPI_INFO_NULL, &r)
                                : MPI_Neighbor_allgatherv_init(mine, n, MPI_INT, in, counts, displs, MPI_INT,
                                                               a->comm, MPI_INFO_NULL, &r));
        }
        memset(counts, 0x7f, sizeof counts); /* read already */
        memset(displs, 0x7f, sizeof displs);
        int more = again(form, &r, round);
        for (int b = 0; b < a->nin; b++)
            for (int i = 0; i <= LONGEST; i++)
                CHECK_EQ(in[(a->nin - 1 - b) * (LONGEST + 1) + i],
                         a->from[b] < 0 || i >= lcounts[b] ? -1 : value(a->from[b], 0, i, step));
        if (!more)
            return;
    }
}

static void alltoall(const struct around *a, int form, int large, int step)
{
    int n = step % (LONGEST + 1), out[MOST * LONGEST + 1], in[MOST * LONGEST + 1];
    MPI_Request r = MPI_REQUEST_NULL;
    for (int b = 0; b < a->nout; b++)
        for (int i = 0; i < n; i++)
            out[b * n + i] = value(a->rank, b, i, step);
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i <= MOST * LONGEST; i++)
            in[i] = -1;
        if (round == 0) {
            if (form == 0)
                CHECK_MPI(large ? MPI_Neighbor_alltoall_c(out, n, MPI_INT, in, n, MPI_INT, a->comm)
                                : MPI_Neighbor_alltoall(out, n, MPI_INT, in, n, MPI_INT, a->comm));
            else if (form == 1)
                CHECK_MPI(large ? MPI_Ineighbor_alltoall_c(out, n, MPI_INT, in, n, MPI_INT, a->comm, &r)
                                : MPI_Ineighbor_alltoall(out, n, MPI_INT, in, n, MPI_INT, a->comm, &r));
            else
                CHECK_MPI(large ? MPI_Neighbor_alltoall_init_c(out, n, MPI_INT, in, n, MPI_INT, a->comm,
                                                               MPI_INFO_NULL, &r)
                                : MPI_Neighbor_alltoall_init(out, n, MPI_INT, in, n, MPI_INT, a->comm,
                                                             MPI_INFO_NULL, &r));
        }
        int more = again(form, &r, round);
        for (int b = 0; b < a->nin; b++)
            for (int i = 0; i < n; i++)
                CHECK_EQ(in[b * n + i], a->from[b] < 0 ? -1 : value(a->from[b], a->as[b], i, step));
        CHECK_EQ(in[a->nin * n], -1);
        if (!more)
            return;
    }
}

/* alltoallv, and alltoallw with a type of its own for odd blocks */
static void alltoallvw(const struct around *a, int form, int large, int step, int w)
{
    enum { ROOM = 2 * (LONGEST + 1) };
    int out[MOST * ROOM + 1], in[MOST * ROOM + 1];
    int sc[MOST], sd[MOST], rc[MOST], rd[MOST];
    MPI_Count lsc[MOST], lrc[MOST];
    MPI_Aint lsd[MOST], lrd[MOST];
    MPI_Datatype st[MOST], rt[MOST], spread;
    MPI_Request r = MPI_REQUEST_NULL;
    CHECK_MPI(MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &spread));
    CHECK_MPI(MPI_Type_commit(&spread));
    for (int b = 0; b < a->nout; b++) {
        int gap = w && b % 2 ? 2 : 1;
        lsc[b] = sc[b] = length(a->rank, b, step);
        sd[b] = b * ROOM;
        lsd[b] = w ? (MPI_Aint)sizeof(int) * b * ROOM : b * ROOM;
        st[b] = gap == 2 ? spread : MPI_INT;
        for (int i = 0; i < sc[b]; i++)
            out[b * ROOM + i * gap] = value(a->rank, b, i, step);
    }
    for (int b = 0; b < a->nin; b++) {
        lrc[b] = rc[b] = a->from[b] < 0 ? 1 : length(a->from[b], a->as[b], step);
        rd[b] = b * ROOM;
        lrd[b] = w ? (MPI_Aint)sizeof(int) * b * ROOM : b * ROOM;
        rt[b] = w && b % 3 ? spread : MPI_INT;
    }
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i <= MOST * ROOM; i++)
            in[i] = -1;
        if (round == 0 && !w) {
            if (form == 0)
                CHECK_MPI(
                    large ? MPI_Neighbor_alltoallv_c(out, lsc, lsd, MPI_INT, in, lrc, lrd, MPI_INT, a->comm)
                          : MPI_Neighbor_alltoallv(out, sc, sd, MPI_INT, in, rc, rd, MPI_INT, a->comm));
            else if (form == 1)
                CHECK_MPI(
                    large ? MPI_Ineighbor_alltoallv_c(out, lsc, lsd, MPI_INT, in, lrc, lrd, MPI_INT, a->comm,
                                                      &r)
                          : MPI_Ineighbor_alltoallv(out, sc, sd, MPI_INT, in, rc, rd, MPI_INT, a->comm, &r));
            else
                CHECK_MPI(large ? MPI_Neighbor_alltoallv_init_c(out, lsc, lsd, MPI_INT, in, lrc, lrd, MPI_INT,
                                                                a->comm, MPI_INFO_NULL, &r)
                                : MPI_Neighbor_alltoallv_init(out, sc, sd, MPI_INT, in, rc, rd, MPI_INT,
                                                              a->comm, MPI_INFO_NULL, &r));
        }
        if (round == 0 && w) {
            if (form == 0)
                CHECK_MPI(large ? MPI_Neighbor_alltoallw_c(out, lsc, lsd, st, in, lrc, lrd, rt, a->comm)
                                : MPI_Neighbor_alltoallw(out, sc, lsd, st, in, rc, lrd, rt, a->comm));
            else if (form == 1)
                CHECK_MPI(large ? MPI_Ineighbor_alltoallw_c(out, lsc, lsd, st, in, lrc, lrd, rt, a->comm, &r)
                                : MPI_Ineighbor_alltoallw(out, sc, lsd, st, in, rc, lrd, rt, a->comm, &r));
            else
                CHECK_MPI(large ? MPI_Neighbor_alltoallw_init_c(out, lsc, lsd, st, in, lrc, lrd, rt, a->comm,
                                                                MPI_INFO_NULL, &r)
                                : MPI_Neighbor_alltoallw_init(out, sc, lsd, st, in, rc, lrd, rt, a->comm,
                                                              MPI_INFO_NULL, &r));
        }
        if (round == 0)
            CHECK_MPI(MPI_Type_free(&spread)); /* operations under way keep it */
        int more = again(form, &r, round);
        for (int b = 0; b < a->nin; b++) {
            int gap = w && b % 3 ? 2 : 1, n = a->from[b] < 0 ? 0 : (int)lrc[b];
            for (int i = 0; i < ROOM; i++)
                CHECK_EQ(in[b * ROOM + i],
                         i % gap == 0 && i / gap < n ? value(a->from[b], a->as[b], i / gap, step) : -1);
        }
        CHECK_EQ(in[a->nin * ROOM], -1);
        if (!more)
            return;
    }
}

static void everything(struct around *a, int step)
{
    CHECK_MPI(MPI_Comm_rank(a->comm, &a->rank));
    for (int form = 0; form < FORMS; form++)
        for (int large = 0; large < 2; large++, step++) {
            gather(a, form, large, step);
            gatherv(a, form, large, step);
            alltoall(a, form, large, step);
            alltoallvw(a, form, large, step, 0);
            alltoallvw(a, form, large, step, 1);
        }
    CHECK_MPI(MPI_Comm_free(&a->comm));
}

static void grids(void)
{
    for (int rows = 1; rows <= np; rows++)
        for (int cols = 1; rows * cols <= np; cols++)
            for (int mask = 0; mask < 4; mask++) {
                int dims[2] = {rows, cols}, periods[2] = {mask & 1, mask & 2};
                struct around a;
                CHECK_MPI(MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &a.comm));
                if (a.comm == MPI_COMM_NULL)
                    continue;
                a.nin = a.nout = 4;
                for (int d = 0; d < 2; d++) {
                    CHECK_MPI(MPI_Cart_shift(a.comm, d, 1, &a.from[2 * d], &a.from[2 * d + 1]));
                    a.as[2 * d] = 2 * d + 1; /* what comes from below was sent upwards */
                    a.as[2 * d + 1] = 2 * d;
                }
                everything(&a, rows * 16 + cols * 4 + mask);
            }
    struct around a = {MPI_COMM_NULL, 0, 0, 0, {0}, {0}, {0}};
    CHECK_MPI(MPI_Cart_create(MPI_COMM_WORLD, 0, NULL, NULL, 0, &a.comm));
    if (a.comm != MPI_COMM_NULL)
        everything(&a, 0);
}

/* number of the k-th edge from one rank to another among the blocks of the sender, whose destinations are
 * given */
static int nth(const int *to, int n, int rank, int k)
{
    for (int i = 0; i < n; i++)
        if (to[i] == rank && k-- == 0)
            return i;
    return -1;
}

/* A distributed graph of random edges, the same on all ranks: neighbors are in rising order. */
static void graphs(void)
{
    uint64_t random = 9;
    for (int round = 0; round < 5; round++) {
        int want = (int[]){0, np, 3 * np, 8 * np, 20 * np}[round];
        static int edge[16][16];
        memset(edge, 0, sizeof edge);
        for (int e = 0; e < want; e++)
            edge[check_below(&random, (uint64_t)np)][check_below(&random, (uint64_t)np)]++;
        struct around a;
        a.nin = a.nout = 0;
        for (int r = 0; r < np; r++) {
            int their[MOST], n = 0;
            for (int k = 0; k < np; k++)
                for (int i = 0; i < edge[r][k]; i++)
                    their[n++] = k;
            for (int k = 0; k < edge[r][me]; k++) {
                a.from[a.nin] = r;
                a.as[a.nin++] = nth(their, n, me, k);
            }
            for (int k = 0; k < edge[me][r]; k++)
                a.to[a.nout++] = r;
        }
        CHECK_MPI(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, a.nin, a.from, MPI_UNWEIGHTED, a.nout, a.to,
                                                 MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &a.comm));
        everything(&a, round);
    }
}

/* A symmetric graph: a ring with chords and loops. */
static void ring(void)
{
    int index[16], edges[16 * 4], n = 0;
    struct around a;
    for (int r = 0; r < np; r++) {
        edges[n++] = (r + 1) % np;
        edges[n++] = (r + np - 1) % np;
        edges[n++] = r;
        index[r] = n;
    }
    CHECK_MPI(MPI_Graph_create(MPI_COMM_WORLD, np, index, edges, 0, &a.comm));
    a.nin = a.nout = 3;
    for (int i = 0, k; i < 3; i++) {
        a.from[i] = edges[me * 3 + i];
        k = 0;
        for (int j = 0; j < i; j++)
            k += edges[me * 3 + j] == a.from[i];
        a.as[i] = nth(edges + a.from[i] * 3, 3, me, k);
    }
    everything(&a, 3);
}

/* Several under way at once, with other collectives between them. */
static void overlap(void)
{
    enum { N = 8 };
    MPI_Comm comm;
    MPI_Request r[N];
    int in[N][2], out[N][2], sum = 0;
    CHECK_MPI(MPI_Cart_create(MPI_COMM_WORLD, 1, &np, (int[]){1}, 0, &comm));
    for (int i = 0; i < N; i++) {
        out[i][0] = value(me, 0, i, 0);
        out[i][1] = value(me, 1, i, 0);
        CHECK_MPI(MPI_Ineighbor_alltoall(out[i], 1, MPI_INT, in[i], 1, MPI_INT, comm, &r[i]));
        CHECK_MPI(MPI_Allreduce(&i, &sum, 1, MPI_INT, MPI_SUM, comm));
        CHECK_EQ(sum, i * np);
    }
    int mine[2] = {me, -me}, got[2];
    CHECK_MPI(MPI_Neighbor_alltoall(mine, 1, MPI_INT, got, 1, MPI_INT, comm));
    CHECK_EQ(got[0], -((me + np - 1) % np));
    CHECK_EQ(got[1], (me + 1) % np);
    for (int i = N; i-- > 0;)
        CHECK_MPI(MPI_Wait(&r[i], MPI_STATUS_IGNORE));
    for (int i = 0; i < N; i++) {
        CHECK_EQ(in[i][0], value((me + np - 1) % np, 1, i, 0));
        CHECK_EQ(in[i][1], value((me + 1) % np, 0, i, 0));
    }
    CHECK_MPI(MPI_Comm_free(&comm));
}

/* Types and the communicator are freed while an operation waits for a rank that is late. */
static void freed(void)
{
    MPI_Comm comm;
    MPI_Datatype column, pair, types[2];
    int out[2][8], in[2][8], counts[2] = {2, 1};
    MPI_Aint displs[2] = {0, sizeof in[0]};
    CHECK_MPI(MPI_Cart_create(MPI_COMM_WORLD, 1, &np, (int[]){1}, 0, &comm));
    for (int round = 0; round < 20; round++) {
        MPI_Comm dup;
        MPI_Request r[2];
        int got[2] = {-1, -1};
        CHECK_MPI(MPI_Comm_dup(comm, &dup));
        CHECK_MPI(MPI_Type_vector(2, 1, 2, MPI_INT, &column));
        CHECK_MPI(MPI_Type_create_resized(column, 0, 4 * sizeof(int), &pair));
        CHECK_MPI(MPI_Type_free(&column));
        CHECK_MPI(MPI_Type_commit(&pair));
        for (int i = 0; i < 8; i++) {
            out[0][i] = value(me, 0, i, round);
            out[1][i] = value(me, 1, i, round);
            in[0][i] = in[1][i] = -1;
        }
        types[0] = types[1] = pair;
        counts[1] = counts[0];
        if (round % np == me)
            usleep(200);
        CHECK_MPI(MPI_Ineighbor_alltoallw(out, counts, displs, types, in, counts, displs, types, dup, &r[0]));
        CHECK_MPI(MPI_Ineighbor_allgather(&me, 1, MPI_INT, got, 1, MPI_INT, dup, &r[1]));
        CHECK_MPI(MPI_Type_free(&pair));
        CHECK_MPI(MPI_Comm_free(&dup));
        CHECK_MPI(MPI_Waitall(2, r, MPI_STATUSES_IGNORE));
        int left = (me + np - 1) % np, right = (me + 1) % np;
        for (int i = 0; i < 8; i++) {
            CHECK_EQ(in[0][i], i % 2 ? -1 : value(left, 1, i, round));
            CHECK_EQ(in[1][i], i % 2 ? -1 : value(right, 0, i, round));
        }
        CHECK_EQ(got[0], left);
        CHECK_EQ(got[1], right);
    }
    CHECK_MPI(MPI_Comm_free(&comm));
}

/* Blocks that fit into a cell of shared memory and blocks that do not, in one operation: each rank has some
 * of both, and its neighbors others. */
static void lengths(void)
{
    enum { LONG = 30000 };
    static char out[2][LONG], in[2][LONG];
    MPI_Comm comm;
    CHECK_MPI(MPI_Cart_create(MPI_COMM_WORLD, 1, &np, (int[]){1}, 0, &comm));
    int left = (me + np - 1) % np, right = (me + 1) % np;
    for (int round = 0; round < 24; round++) {
#define LENGTH(rank, block) (((rank) + (block) + round) % 3 == 0 ? LONG - round : (rank) + round)
        int sc[2] = {LENGTH(me, 0), LENGTH(me, 1)}, rc[2] = {LENGTH(left, 1), LENGTH(right, 0)};
        int displs[2] = {0, LONG};
        memset(out[0], me + round + 1, LONG);
        memset(out[1], me + round + 101, LONG);
        memset(in, 0, sizeof in);
        if (round % 2) {
            CHECK_MPI(MPI_Neighbor_alltoallv(out, sc, displs, MPI_CHAR, in, rc, displs, MPI_CHAR, comm));
        } else {
            MPI_Request r;
            CHECK_MPI(
                MPI_Ineighbor_alltoallv(out, sc, displs, MPI_CHAR, in, rc, displs, MPI_CHAR, comm, &r));
            CHECK_MPI(MPI_Wait(&r, MPI_STATUS_IGNORE));
        }
        for (int i = 0; i < LONG; i += 7) {
            CHECK_EQ(in[0][i], i < rc[0] ? (char)(left + round + 101) : 0);
            CHECK_EQ(in[1][i], i < rc[1] ? (char)(right + round + 1) : 0);
        }
    }
    CHECK_MPI(MPI_Comm_free(&comm));
}

/* A chain: who is behind sends to who is ahead, so that the first rank may be many operations ahead. */
static void chain(void)
{
    MPI_Comm comm;
    int before = me - 1, behind = me + 1, in[3] = {-1, -1, -1}, out[3];
    CHECK_MPI(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, me > 0, &before, MPI_UNWEIGHTED, me + 1 < np,
                                             &behind, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &comm));
    for (int step = 0; step < 300; step++) {
        for (int i = 0; i < 3; i++)
            out[i] = value(me, 0, i, step);
        if (step % 3 == 0)
            CHECK_MPI(MPI_Neighbor_allgather(out, 3, MPI_INT, in, 3, MPI_INT, comm));
        else
            CHECK_MPI(MPI_Neighbor_alltoall(out, 3, MPI_INT, in, 3, MPI_INT, comm));
        for (int i = 0; i < 3; i++)
            CHECK_EQ(in[i], me > 0 ? value(before, 0, i, step) : -1);
    }
    CHECK_MPI(MPI_Comm_free(&comm));
}

static void refused(void)
{
    int x[2] = {0, 0}, y[2] = {0, 0}, one[2] = {1, 1}, minus[2] = {-1, 1}, zero[2] = {0, 1};
    MPI_Request r;
    MPI_Comm comm;
    CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    CHECK_CLASS(MPI_Neighbor_allgather(x, 1, MPI_INT, y, 1, MPI_INT, MPI_COMM_WORLD), MPI_ERR_TOPOLOGY);
    CHECK_CLASS(MPI_Ineighbor_allgatherv(x, 1, MPI_INT, y, one, zero, MPI_INT, MPI_COMM_WORLD, &r),
                MPI_ERR_TOPOLOGY);
    CHECK_CLASS(MPI_Neighbor_alltoallv_init(x, one, zero, MPI_INT, y, one, zero, MPI_INT, MPI_COMM_WORLD,
                                            MPI_INFO_NULL, &r),
                MPI_ERR_TOPOLOGY);
    CHECK_MPI(MPI_Cart_create(MPI_COMM_WORLD, 1, &np, (int[]){1}, 0, &comm));
    CHECK_CLASS(MPI_Neighbor_allgather(x, -1, MPI_INT, y, 1, MPI_INT, comm), MPI_ERR_COUNT);
    CHECK_CLASS(MPI_Neighbor_allgather(MPI_IN_PLACE, 1, MPI_INT, y, 1, MPI_INT, comm), MPI_ERR_BUFFER);
    CHECK_CLASS(MPI_Neighbor_allgather(x, 1, MPI_DATATYPE_NULL, y, 1, MPI_INT, comm), MPI_ERR_TYPE);
    CHECK_CLASS(MPI_Neighbor_alltoall(x, 1, MPI_INT, x, 1, MPI_INT, comm), MPI_ERR_BUFFER);
    CHECK_CLASS(MPI_Neighbor_alltoallv(x, minus, zero, MPI_INT, y, one, zero, MPI_INT, comm), MPI_ERR_COUNT);
    CHECK_CLASS(MPI_Neighbor_alltoallv(x, one, NULL, MPI_INT, y, one, zero, MPI_INT, comm), MPI_ERR_ARG);
    CHECK_CLASS(MPI_Neighbor_alltoallv(x, one, zero, MPI_INT, NULL, one, zero, MPI_INT, comm),
                MPI_ERR_BUFFER);
    CHECK_MPI(MPI_Comm_free(&comm));
    /* without neighbors buffers do not matter */
    CHECK_MPI(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 0, NULL, MPI_UNWEIGHTED, 0, NULL, MPI_UNWEIGHTED,
                                             MPI_INFO_NULL, 0, &comm));
    CHECK_MPI(MPI_Neighbor_alltoall(NULL, 1, MPI_INT, NULL, 1, MPI_INT, comm));
    CHECK_MPI(MPI_Neighbor_alltoallv(NULL, NULL, NULL, MPI_INT, NULL, NULL, NULL, MPI_INT, comm));
    CHECK_MPI(MPI_Comm_free(&comm));
    CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL));
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    grids();
    graphs();
    ring();
    overlap();
    freed();
    lengths();
    chain();
    refused();
    return check_finish();
}
