/* MPI_DATATYPE_NULL in collective operations. Where anything is to be sent or received it is MPI_ERR_TYPE, on
 * the side where the argument is significant, in every form; where nothing is, and where the argument is not
 * significant, it does no harm. An error is found before anything is sent, so the ranks that make a mistake
 * make it alone. */
#include "expect.h"

#define NO_TYPE MPI_DATATYPE_NULL

/* A call in all forms of its name, before and after the change to large counts. */
#define EACH(name, later, ...)                                                                         \
    do {                                                                                               \
        EXPECT(MPI_##name(__VA_ARGS__), MPI_ERR_TYPE, "MPI_DATATYPE_NULL");                            \
        EXPECT(MPI_##later(__VA_ARGS__, &request), MPI_ERR_TYPE, "MPI_DATATYPE_NULL");                 \
        EXPECT(MPI_##name##_init(__VA_ARGS__, MPI_INFO_NULL, &request), MPI_ERR_TYPE, "MPI_DATATYPE_NULL"); \
    } while (0)
#define EACH_C(name, later, ...)                                                                       \
    do {                                                                                               \
        EXPECT(MPI_##name##_c(__VA_ARGS__), MPI_ERR_TYPE, "MPI_DATATYPE_NULL");                        \
        EXPECT(MPI_##later##_c(__VA_ARGS__, &request), MPI_ERR_TYPE, "MPI_DATATYPE_NULL");             \
        EXPECT(MPI_##name##_init_c(__VA_ARGS__, MPI_INFO_NULL, &request), MPI_ERR_TYPE, "MPI_DATATYPE_NULL"); \
    } while (0)

enum { MOST = 64 };
static int a[2 * MOST], b[2 * MOST], n[MOST], at[MOST];
static MPI_Count n_c[MOST];
static MPI_Aint at_c[MOST];
static MPI_Datatype types[MOST], odd[MOST];
static MPI_Request request = MPI_REQUEST_NULL;

/* Two elements for each of some ranks, of which the last one has no type in odd. */
static void prepare(int ranks)
{
    for (int i = 0; i < MOST; i++) {
        n_c[i] = n[i] = 2;
        at_c[i] = at[i] = 2 * i;
        types[i] = MPI_INT;
        odd[i] = i == ranks - 1 ? NO_TYPE : MPI_INT;
        a[2 * i] = a[2 * i + 1] = me;
    }
}

/* Operations in which every rank sends and receives, on a communicator of either kind. */
static void among_all(MPI_Comm c)
{
    EACH(Alltoall, Ialltoall, a, 2, NO_TYPE, b, 2, MPI_INT, c);
    EACH(Alltoall, Ialltoall, a, 2, MPI_INT, b, 2, NO_TYPE, c);
    EACH_C(Alltoall, Ialltoall, a, 2, NO_TYPE, b, 2, MPI_INT, c);
    EACH(Alltoallv, Ialltoallv, a, n, at, NO_TYPE, b, n, at, MPI_INT, c);
    EACH(Alltoallv, Ialltoallv, a, n, at, MPI_INT, b, n, at, NO_TYPE, c);
    EACH(Alltoallv, Ialltoallv, a, n, at, NO_TYPE, b, n, at, NO_TYPE, c);
    EACH_C(Alltoallv, Ialltoallv, a, n_c, at_c, NO_TYPE, b, n_c, at_c, MPI_INT, c);
    EACH_C(Alltoallv, Ialltoallv, a, n_c, at_c, MPI_INT, b, n_c, at_c, NO_TYPE, c);
    EACH(Alltoallw, Ialltoallw, a, n, at, odd, b, n, at, types, c);
    EACH(Alltoallw, Ialltoallw, a, n, at, types, b, n, at, odd, c);
    EACH_C(Alltoallw, Ialltoallw, a, n_c, at_c, odd, b, n_c, at_c, types, c);
    EACH_C(Alltoallw, Ialltoallw, a, n_c, at_c, types, b, n_c, at_c, odd, c);
    EACH(Allgather, Iallgather, a, 2, MPI_INT, b, 2, NO_TYPE, c);
    EACH(Allgatherv, Iallgatherv, a, 2, NO_TYPE, b, n, at, MPI_INT, c);
    EACH(Allgatherv, Iallgatherv, a, 2, MPI_INT, b, n, at, NO_TYPE, c);
    EACH_C(Allgatherv, Iallgatherv, a, 2, NO_TYPE, b, n_c, at_c, MPI_INT, c);
    EACH_C(Allgatherv, Iallgatherv, a, 2, MPI_INT, b, n_c, at_c, NO_TYPE, c);
    EACH(Allreduce, Iallreduce, a, b, 2, NO_TYPE, MPI_SUM, c);
    EACH(Reduce_scatter, Ireduce_scatter, a, b, n, NO_TYPE, MPI_SUM, c);
    EACH_C(Reduce_scatter, Ireduce_scatter, a, b, n_c, NO_TYPE, MPI_SUM, c);
    EACH(Reduce_scatter_block, Ireduce_scatter_block, a, b, 2, NO_TYPE, MPI_SUM, c);
}

/* Operations with a root: mistakes there, and at the other ranks. */
static void at_root(int root, MPI_Comm c)
{
    EACH(Bcast, Ibcast, a, 2, NO_TYPE, root, c);
    EACH(Gather, Igather, a, 2, MPI_INT, b, 2, NO_TYPE, root, c);
    EACH(Gatherv, Igatherv, a, 2, MPI_INT, b, n, at, NO_TYPE, root, c);
    EACH_C(Gatherv, Igatherv, a, 2, MPI_INT, b, n_c, at_c, NO_TYPE, root, c);
    EACH(Scatter, Iscatter, a, 2, NO_TYPE, b, 2, MPI_INT, root, c);
    EACH(Scatterv, Iscatterv, a, n, at, NO_TYPE, b, 2, MPI_INT, root, c);
    EACH_C(Scatterv, Iscatterv, a, n_c, at_c, NO_TYPE, b, 2, MPI_INT, root, c);
    EACH(Reduce, Ireduce, a, b, 2, NO_TYPE, MPI_SUM, root, c);
}

static void elsewhere(int root, MPI_Comm c)
{
    EACH(Bcast, Ibcast, a, 2, NO_TYPE, root, c);
    EACH(Gather, Igather, a, 2, NO_TYPE, NULL, 0, MPI_INT, root, c);
    EACH(Gatherv, Igatherv, a, 2, NO_TYPE, NULL, NULL, NULL, MPI_INT, root, c);
    EACH_C(Gatherv, Igatherv, a, 2, NO_TYPE, NULL, NULL, NULL, MPI_INT, root, c);
    EACH(Scatter, Iscatter, NULL, 0, MPI_INT, b, 2, NO_TYPE, root, c);
    EACH(Scatterv, Iscatterv, NULL, NULL, NULL, MPI_INT, b, 2, NO_TYPE, root, c);
    EACH_C(Scatterv, Iscatterv, NULL, NULL, NULL, MPI_INT, b, 2, NO_TYPE, root, c);
    EACH(Reduce, Ireduce, a, NULL, 2, NO_TYPE, MPI_SUM, root, c);
}

static void neighbors(void)
{
    int periods = 1;
    MPI_Comm ring, alone;
    CHECK_MPI(MPI_Cart_create(MPI_COMM_WORLD, 1, &np, &periods, 0, &ring));
    prepare(2);
    EACH(Neighbor_alltoallv, Ineighbor_alltoallv, a, n, at, NO_TYPE, b, n, at, MPI_INT, ring);
    EACH(Neighbor_alltoallv, Ineighbor_alltoallv, a, n, at, MPI_INT, b, n, at, NO_TYPE, ring);
    EACH_C(Neighbor_alltoallv, Ineighbor_alltoallv, a, n_c, at_c, NO_TYPE, b, n_c, at_c, MPI_INT, ring);
    EACH_C(Neighbor_alltoallv, Ineighbor_alltoallv, a, n_c, at_c, MPI_INT, b, n_c, at_c, NO_TYPE, ring);
    EACH(Neighbor_alltoallw, Ineighbor_alltoallw, a, n, at_c, odd, b, n, at_c, types, ring);
    EACH(Neighbor_alltoallw, Ineighbor_alltoallw, a, n, at_c, types, b, n, at_c, odd, ring);
    EACH(Neighbor_alltoall, Ineighbor_alltoall, a, 2, NO_TYPE, b, 2, MPI_INT, ring);
    EACH(Neighbor_alltoall, Ineighbor_alltoall, a, 2, MPI_INT, b, 2, NO_TYPE, ring);
    EACH(Neighbor_allgather, Ineighbor_allgather, a, 2, MPI_INT, b, 2, NO_TYPE, ring);
    EACH(Neighbor_allgatherv, Ineighbor_allgatherv, a, 2, NO_TYPE, b, n, at, MPI_INT, ring);
    EACH(Neighbor_allgatherv, Ineighbor_allgatherv, a, 2, MPI_INT, b, n, at, NO_TYPE, ring);
    EACH_C(Neighbor_allgatherv, Ineighbor_allgatherv, a, 2, MPI_INT, b, n_c, at_c, NO_TYPE, ring);
    CHECK_MPI(MPI_Comm_free(&ring));

    /* Without neighbors nothing is sent or received. */
    CHECK_MPI(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 0, NULL, NULL, 0, NULL, NULL, MPI_INFO_NULL, 0,
                                             &alone));
    CHECK_MPI(MPI_Neighbor_alltoallv(a, n, at, NO_TYPE, b, n, at, NO_TYPE, alone));
    CHECK_MPI(MPI_Neighbor_alltoallw(a, n, at_c, odd, b, n, at_c, odd, alone));
    CHECK_MPI(MPI_Comm_free(&alone));
}

/* Rank 0 neither sends nor receives anything and needs no type; all others do among themselves. Then nobody
 * does. */
static void without_data(void)
{
    int none[MOST] = {0}, x = 1;
    MPI_Datatype freed;
    prepare(np);
    memset(b, 0, sizeof b);
    for (int r = 0; r < np; r++)
        if (me == 0 || r == 0)
            n[r] = 0;
    MPI_Datatype type = me == 0 ? NO_TYPE : MPI_INT;
    CHECK_MPI(MPI_Alltoallv(a, n, at, type, b, n, at, type, MPI_COMM_WORLD));
    for (int r = 0; r < np; r++)
        CHECK_EQ(b[2 * r], me == 0 ? 0 : r);
    memset(b, 0, sizeof b);
    CHECK_MPI(MPI_Ialltoallv(a, n, at, type, b, n, at, type, MPI_COMM_WORLD, &request));
    CHECK_MPI(MPI_Wait(&request, MPI_STATUS_IGNORE));
    for (int r = 0; r < np; r++)
        CHECK_EQ(b[2 * r + 1], me == 0 ? 0 : r);
    CHECK_MPI(MPI_Allgatherv(a, 0, NO_TYPE, b, none, at, NO_TYPE, MPI_COMM_WORLD));
    CHECK_MPI(MPI_Gatherv(a, 0, NO_TYPE, b, none, at, NO_TYPE, 0, MPI_COMM_WORLD));
    CHECK_MPI(MPI_Scatterv(a, none, at, NO_TYPE, b, 0, NO_TYPE, 0, MPI_COMM_WORLD));
    CHECK_MPI(MPI_Bcast(a, 0, NO_TYPE, 0, MPI_COMM_WORLD));

    /* Where the argument is not significant it may be anything. */
    prepare(np);
    type = me == 0 ? MPI_INT : NO_TYPE;
    for (int r = 0; r < np; r++)
        n[r] = 1;
    CHECK_MPI(MPI_Gatherv(&me, 1, MPI_INT, b, me ? NULL : n, me ? NULL : at, type, 0, MPI_COMM_WORLD));
    CHECK_MPI(MPI_Scatterv(b, me ? NULL : n, me ? NULL : at, type, &x, 1, MPI_INT, 0, MPI_COMM_WORLD));
    CHECK_EQ(x, me);

    /* A type that there is no more is an error, data or not, as it is for one buffer. */
    CHECK_MPI(MPI_Type_contiguous(2, MPI_INT, &freed));
    MPI_Datatype copy = freed;
    CHECK_MPI(MPI_Type_free(&freed));
    CHECK_CLASS(MPI_Bcast(a, 0, copy, 0, MPI_COMM_WORLD), MPI_ERR_TYPE);
    CHECK_CLASS(MPI_Alltoallv(a, none, at, copy, b, none, at, MPI_INT, MPI_COMM_WORLD), MPI_ERR_TYPE);
    CHECK_CLASS(MPI_Allgatherv(a, 0, MPI_INT, b, none, at, copy, MPI_COMM_WORLD), MPI_ERR_TYPE);
}

/* Between two groups. Where there is a root, it is rank 0 of the first one. */
static void between(void)
{
    MPI_Comm half, inter;
    int side = me % 2, remote;
    CHECK_MPI(MPI_Comm_split(MPI_COMM_WORLD, side, 0, &half));
    CHECK_MPI(MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - side, 3, &inter));
    CHECK_MPI(MPI_Comm_remote_size(inter, &remote));
    prepare(remote);
    among_all(inter);
    if (me == 0) {
        EACH(Gatherv, Igatherv, NULL, 0, MPI_INT, b, n, at, NO_TYPE, MPI_ROOT, inter);
        EACH(Scatterv, Iscatterv, a, n, at, NO_TYPE, NULL, 0, MPI_INT, MPI_ROOT, inter);
        EACH(Gather, Igather, NULL, 0, MPI_INT, b, 2, NO_TYPE, MPI_ROOT, inter);
        EACH(Scatter, Iscatter, a, 2, NO_TYPE, NULL, 0, MPI_INT, MPI_ROOT, inter);
    } else if (side == 1) {
        elsewhere(0, inter);
    }
    /* What is not significant: everything at those who have no part, and one buffer at all others. */
    int root = side == 1 ? 0 : me == 0 ? MPI_ROOT : MPI_PROC_NULL;
    MPI_Datatype here = root == MPI_ROOT ? MPI_INT : NO_TYPE, there = side == 1 ? MPI_INT : NO_TYPE;
    CHECK_MPI(MPI_Gatherv(a, 2, there, b, n, at, here, root, inter));
    CHECK_MPI(MPI_Scatterv(a, n, at, here, b, 2, there, root, inter));
    CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
    CHECK_MPI(MPI_Comm_free(&inter));
    CHECK_MPI(MPI_Comm_free(&half));
}

int main(int argc, char **argv)
{
    int sum = -1;
    check_init(&argc, &argv);
    CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    prepare(np);
    among_all(MPI_COMM_WORLD);
    EACH(Scan, Iscan, a, b, 2, NO_TYPE, MPI_SUM, MPI_COMM_WORLD);
    EACH(Exscan, Iexscan, a, b, 2, NO_TYPE, MPI_SUM, MPI_COMM_WORLD);
    if (me == 0)
        at_root(0, MPI_COMM_WORLD);
    else
        elsewhere(0, MPI_COMM_WORLD);
    neighbors();
    without_data();
    if (np > 1)
        between();
    CHECK_EQ(request, MPI_REQUEST_NULL);
    CHECK_MPI(MPI_Allreduce(&me, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    CHECK_EQ(sum, np * (np - 1) / 2);
    return check_finish();
}
