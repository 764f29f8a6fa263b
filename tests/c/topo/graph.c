/*
 * Graph topologies: of what is given everything comes back, on all ranks, with loops and parallel edges, for
 * graphs smaller than the communicator, and on duplicates.
 */
#include "check.h"

#define EDGES 64

struct graph {
    int nodes, index[16], edges[EDGES], count;
};

static void check_graph(MPI_Comm comm, const struct graph *g)
{
    int kind = -1, nodes = -1, edges = -1;
    int index[16], list[EDGES];
    CHECK_MPI(MPI_Topo_test(comm, &kind));
    CHECK_EQ(kind, MPI_GRAPH);
    CHECK_MPI(MPI_Graphdims_get(comm, &nodes, &edges));
    CHECK_EQ(nodes, g->nodes);
    CHECK_EQ(edges, g->count);
    memset(index, -1, sizeof index);
    memset(list, -1, sizeof list);
    CHECK_MPI(MPI_Graph_get(comm, 16, EDGES, index, list));
    CHECK(memcmp(index, g->index, (size_t)g->nodes * sizeof(int)) == 0);
    CHECK(memcmp(list, g->edges, (size_t)g->count * sizeof(int)) == 0);
    CHECK_EQ(index[g->nodes], -1);
    if (g->count < EDGES)
        CHECK_EQ(list[g->count], -1);
    for (int r = 0; r < g->nodes; r++) {
        int first = r ? g->index[r - 1] : 0, n = -1;
        CHECK_MPI(MPI_Graph_neighbors_count(comm, r, &n));
        CHECK_EQ(n, g->index[r] - first);
        memset(list, -1, sizeof list);
        CHECK_MPI(MPI_Graph_neighbors(comm, r, n, list));
        CHECK(memcmp(list, g->edges + first, (size_t)n * sizeof(int)) == 0);
        CHECK_EQ(list[n], -1);
    }
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    uint64_t random = 42;
    for (int nodes = 0; nodes <= np; nodes++)
        for (int round = 0; round < 8; round++) {
            struct graph g = {nodes, {0}, {0}, 0};
            for (int i = 0; i < nodes; i++) {
                for (int k = (int)check_below(&random, 6); k > 0; k--)
                    g.edges[g.count++] = (int)check_below(&random, (uint64_t)nodes);
                g.index[i] = g.count;
            }
            MPI_Comm comm = MPI_COMM_WORLD, copy;
            int mapped = -7;
            CHECK_MPI(MPI_Graph_map(MPI_COMM_WORLD, nodes, g.index, g.edges, &mapped));
            CHECK_MPI(MPI_Graph_create(MPI_COMM_WORLD, nodes, g.index, g.edges, round & 1, &comm));
            CHECK((mapped == MPI_UNDEFINED) == (comm == MPI_COMM_NULL));
            if (!(round & 1))
                CHECK((me < nodes) == (comm != MPI_COMM_NULL));
            if (comm == MPI_COMM_NULL)
                continue;
            check_graph(comm, &g);
            CHECK_MPI(MPI_Comm_dup(comm, &copy));
            CHECK_MPI(MPI_Comm_free(&comm));
            check_graph(copy, &g);
            CHECK_MPI(MPI_Comm_free(&copy));
        }
    return check_finish();
}
