/* What topology calls refuse, and that results stay as they were; new communicators are null after a failure.
 */
#include "check.h"

#define L(...) ((int[]){__VA_ARGS__})

static void cart(void)
{
    MPI_Comm c, none;
    int a = -5, b = -5, d[2] = {-5, -5};
    for (int i = 0; i < 3; i++) {
        none = MPI_COMM_WORLD;
        CHECK_CLASS(MPI_Cart_create(MPI_COMM_WORLD, 1,
                                    i == 0   ? L(np + 1)
                                    : i == 1 ? L(0)
                                             : L(-1),
                                    L(0), 0, &none),
                    MPI_ERR_DIMS);
        CHECK(none == MPI_COMM_NULL);
    }
    CHECK_CLASS(MPI_Cart_create(MPI_COMM_WORLD, -1, L(1), L(0), 0, &none), MPI_ERR_COUNT);
    CHECK_CLASS(MPI_Cart_create(MPI_COMM_WORLD, 1, NULL, L(0), 0, &none), MPI_ERR_ARG);
    CHECK_CLASS(MPI_Cart_create(MPI_COMM_WORLD, 1, L(1), NULL, 0, &none), MPI_ERR_ARG);
    CHECK_CLASS(MPI_Cart_create(MPI_COMM_WORLD, 1, L(1), L(0), 0, NULL), MPI_ERR_ARG);
    CHECK_CLASS(MPI_Cart_map(MPI_COMM_WORLD, 1, L(np + 1), L(0), &a), MPI_ERR_DIMS);
    CHECK_CLASS(MPI_Cartdim_get(MPI_COMM_WORLD, &a), MPI_ERR_TOPOLOGY);
    CHECK_CLASS(MPI_Cart_get(MPI_COMM_WORLD, 1, d, d, d), MPI_ERR_TOPOLOGY);
    CHECK_CLASS(MPI_Cart_coords(MPI_COMM_WORLD, 0, 1, d), MPI_ERR_TOPOLOGY);
    CHECK_CLASS(MPI_Cart_rank(MPI_COMM_WORLD, d, &a), MPI_ERR_TOPOLOGY);
    CHECK_CLASS(MPI_Cart_shift(MPI_COMM_WORLD, 0, 1, &a, &b), MPI_ERR_TOPOLOGY);
    none = MPI_COMM_WORLD;
    CHECK_CLASS(MPI_Cart_sub(MPI_COMM_WORLD, d, &none), MPI_ERR_TOPOLOGY);
    CHECK(none == MPI_COMM_NULL);
    CHECK_MPI(MPI_Cart_create(MPI_COMM_WORLD, 2, L(np, 1), L(0, 1), 0, &c));
    CHECK_CLASS(MPI_Cart_get(c, 1, d, d, d), MPI_ERR_ARG);
    CHECK_CLASS(MPI_Cart_coords(c, 0, 1, d), MPI_ERR_ARG);
    CHECK_CLASS(MPI_Cart_coords(c, np, 2, d), MPI_ERR_RANK);
    CHECK_CLASS(MPI_Cart_coords(c, -1, 2, d), MPI_ERR_RANK);
    CHECK_CLASS(MPI_Cart_rank(c, L(np, 0), &a), MPI_ERR_ARG);
    CHECK_CLASS(MPI_Cart_rank(c, L(-1, 0), &a), MPI_ERR_ARG);
    CHECK_CLASS(MPI_Cart_rank(c, NULL, &a), MPI_ERR_ARG);
    CHECK_CLASS(MPI_Cart_shift(c, 2, 1, &a, &b), MPI_ERR_DIMS);
    CHECK_CLASS(MPI_Cart_shift(c, -1, 1, &a, &b), MPI_ERR_DIMS);
    CHECK_CLASS(MPI_Cart_sub(c, NULL, &none), MPI_ERR_ARG);
    CHECK_CLASS(MPI_Graph_neighbors_count(c, 0, &a), MPI_ERR_TOPOLOGY);
    CHECK_CLASS(MPI_Graphdims_get(c, &a, &b), MPI_ERR_TOPOLOGY);
    CHECK_CLASS(MPI_Dist_graph_neighbors_count(c, &a, &b, d), MPI_ERR_TOPOLOGY);
    CHECK_MPI(MPI_Comm_free(&c));
    CHECK_EQ(a, -5);
    CHECK_EQ(b, -5);
    CHECK_EQ(d[0], -5);
    CHECK_EQ(d[1], -5);
}

static void graph(void)
{
    MPI_Comm c, none = MPI_COMM_WORLD;
    int a = -5, d[2] = {-5, -5};
    CHECK_CLASS(MPI_Graph_create(MPI_COMM_WORLD, np + 1, L(0, 0, 0, 0, 0, 0, 0, 0, 0), d, 0, &none),
                MPI_ERR_ARG);
    CHECK(none == MPI_COMM_NULL);
    CHECK_CLASS(MPI_Graph_create(MPI_COMM_WORLD, -1, d, d, 0, &none), MPI_ERR_ARG);
    CHECK_CLASS(MPI_Graph_create(MPI_COMM_WORLD, 1, L(-1), d, 0, &none), MPI_ERR_ARG);
    CHECK_CLASS(MPI_Graph_create(MPI_COMM_WORLD, 1, L(1), L(1), 0, &none), MPI_ERR_ARG);
    CHECK_CLASS(MPI_Graph_create(MPI_COMM_WORLD, 1, L(1), L(-1), 0, &none), MPI_ERR_ARG);
    CHECK_CLASS(MPI_Graph_create(MPI_COMM_WORLD, 1, L(1), NULL, 0, &none), MPI_ERR_ARG);
    CHECK_CLASS(MPI_Graph_map(MPI_COMM_WORLD, 1, L(1), L(1), &a), MPI_ERR_ARG);
    CHECK_CLASS(MPI_Graph_neighbors(MPI_COMM_WORLD, 0, 2, d), MPI_ERR_TOPOLOGY);
    CHECK_MPI(MPI_Graph_create(MPI_COMM_WORLD, 1, L(2), L(0, 0), 0, &c));
    if (c != MPI_COMM_NULL) {
        CHECK_CLASS(MPI_Graph_neighbors(c, 0, 1, d), MPI_ERR_ARG);
        CHECK_CLASS(MPI_Graph_neighbors(c, 1, 2, d), MPI_ERR_RANK);
        CHECK_CLASS(MPI_Graph_neighbors_count(c, -1, &a), MPI_ERR_RANK);
        CHECK_CLASS(MPI_Graph_get(c, 0, 2, d, d), MPI_ERR_ARG);
        CHECK_CLASS(MPI_Graph_get(c, 1, 1, d, d), MPI_ERR_ARG);
        CHECK_CLASS(MPI_Cartdim_get(c, &a), MPI_ERR_TOPOLOGY);
        CHECK_MPI(MPI_Comm_free(&c));
    }
    CHECK_EQ(a, -5);
    CHECK_EQ(d[0], -5);
}

/* Every rank makes the mistake in its own edges: the others do not know of it. */
static void adjacent(void)
{
    MPI_Comm none = MPI_COMM_WORLD;
    CHECK_CLASS(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, L(np), MPI_UNWEIGHTED, 0, NULL,
                                               MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &none),
                MPI_ERR_RANK);
    CHECK(none == MPI_COMM_NULL);
    CHECK_CLASS(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 0, NULL, MPI_UNWEIGHTED, 1, L(-1),
                                               MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &none),
                MPI_ERR_RANK);
    CHECK_CLASS(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, -1, NULL, MPI_UNWEIGHTED, 0, NULL,
                                               MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &none),
                MPI_ERR_ARG);
    CHECK_CLASS(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, L(0), L(-1), 0, NULL, MPI_WEIGHTS_EMPTY,
                                               MPI_INFO_NULL, 0, &none),
                MPI_ERR_ARG);
    CHECK_CLASS(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, L(0), NULL, 0, NULL, MPI_WEIGHTS_EMPTY,
                                               MPI_INFO_NULL, 0, &none),
                MPI_ERR_ARG);
    CHECK_CLASS(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, L(0), MPI_WEIGHTS_EMPTY, 0, NULL,
                                               MPI_WEIGHTS_EMPTY, MPI_INFO_NULL, 0, &none),
                MPI_ERR_ARG);
    CHECK_CLASS(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, L(0), L(1), 1, L(0), MPI_UNWEIGHTED,
                                               MPI_INFO_NULL, 0, &none),
                MPI_ERR_ARG);
    CHECK_CLASS(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, NULL, MPI_UNWEIGHTED, 0, NULL,
                                               MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &none),
                MPI_ERR_ARG);
}

/* One rank makes the mistake: all hear of it, and nobody waits for ever. */
static void one(int source, int degree, int dest, int *weights, int class)
{
    int mine = me == np - 1;
    MPI_Comm none = MPI_COMM_WORLD;
    CHECK_CLASS(MPI_Dist_graph_create(MPI_COMM_WORLD, 1, mine ? &source : L(0), mine ? &degree : L(1),
                                      mine ? &dest : L(0), mine ? weights : L(1), MPI_INFO_NULL, 0, &none),
                mine ? class : MPI_ERR_ARG);
    CHECK(none == MPI_COMM_NULL);
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    cart();
    graph();
    adjacent();
    one(np, 1, 0, L(1), MPI_ERR_RANK);
    one(0, 1, -1, L(1), MPI_ERR_RANK);
    one(0, -1, 0, L(1), MPI_ERR_ARG);
    one(0, 1, 0, L(-1), MPI_ERR_ARG);
    one(0, 1, 0, NULL, MPI_ERR_ARG);
    one(0, 1, 0, MPI_WEIGHTS_EMPTY, MPI_ERR_ARG);
    if (np > 1)
        one(0, 1, 0, MPI_UNWEIGHTED, MPI_ERR_ARG);
    return check_finish();
}
