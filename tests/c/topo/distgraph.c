/*
 * Distributed graphs, given edge by edge by any ranks or by each rank for itself, with weights and without,
 * with loops, parallel edges and ranks without any edge.
 */
#include "check.h"

#define MOST 256

static int sorted(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

/* Neighbors and weights as pairs, in an order of their own: the library may choose one. */
static void pairs(int n, const int *ranks, const int *weights, int *out)
{
    for (int i = 0; i < n; i++)
        out[i] = ranks[i] * 1000 + (weights ? weights[i] : 0);
    qsort(out, (size_t)n, sizeof *out, sorted);
}

static void check_neighbors(MPI_Comm comm, int weighted, int nin, const int *in, const int *inw, int nout,
                            const int *out, const int *outw, int ordered)
{
    int kind = -1, a = -1, b = -1, w = -1;
    int s[MOST], sw[MOST], d[MOST], dw[MOST], got[MOST], want[MOST];
    CHECK_MPI(MPI_Topo_test(comm, &kind));
    CHECK_EQ(kind, MPI_DIST_GRAPH);
    CHECK_MPI(MPI_Dist_graph_neighbors_count(comm, &a, &b, &w));
    CHECK_EQ(a, nin);
    CHECK_EQ(b, nout);
    CHECK_EQ(w, weighted);
    if (a != nin || b != nout)
        return;
    for (int ask = 0; ask < 2; ask++) { /* with weights and without */
        memset(s, -1, sizeof s);
        memset(sw, -1, sizeof sw);
        memset(d, -1, sizeof d);
        memset(dw, -1, sizeof dw);
        CHECK_MPI(MPI_Dist_graph_neighbors(comm, nin, s, ask ? sw : MPI_UNWEIGHTED, nout, d,
                                           ask ? dw : MPI_UNWEIGHTED));
        int with = weighted && ask;
        pairs(nin, s, with ? sw : NULL, got);
        pairs(nin, in, with ? inw : NULL, want);
        CHECK(memcmp(got, want, (size_t)nin * sizeof(int)) == 0);
        pairs(nout, d, with ? dw : NULL, got);
        pairs(nout, out, with ? outw : NULL, want);
        CHECK(memcmp(got, want, (size_t)nout * sizeof(int)) == 0);
        if (ordered) {
            CHECK(memcmp(s, in, (size_t)nin * sizeof(int)) == 0);
            CHECK(memcmp(d, out, (size_t)nout * sizeof(int)) == 0);
        }
        CHECK_EQ(s[nin], -1);
        CHECK_EQ(d[nout], -1);
        CHECK_EQ(sw[with ? nin : 0], -1);
        CHECK_EQ(dw[with ? nout : 0], -1);
    }
    if (nin > 1) { /* the first ones, when there is no room for all */
        int first[MOST];
        memset(first, -1, sizeof first);
        CHECK_MPI(MPI_Dist_graph_neighbors(comm, nin, s, MPI_UNWEIGHTED, 0, NULL, MPI_UNWEIGHTED));
        CHECK_MPI(MPI_Dist_graph_neighbors(comm, nin - 1, first, MPI_UNWEIGHTED, 0, NULL, MPI_UNWEIGHTED));
        CHECK(memcmp(first, s, (size_t)(nin - 1) * sizeof(int)) == 0);
        CHECK_EQ(first[nin - 1], -1);
    }
}

static void check_both(MPI_Comm comm, int weighted, int nin, const int *in, const int *inw, int nout,
                       const int *out, const int *outw, int ordered)
{
    MPI_Comm copy;
    check_neighbors(comm, weighted, nin, in, inw, nout, out, outw, ordered);
    CHECK_MPI(MPI_Comm_dup(comm, &copy));
    CHECK_MPI(MPI_Comm_free(&comm));
    check_neighbors(copy, weighted, nin, in, inw, nout, out, outw, ordered);
    CHECK_MPI(MPI_Comm_free(&copy));
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    uint64_t random = 7;
    for (int round = 0; round < 40; round++) {
        int weighted = round & 1;
        int edges = (int)check_below(&random, (uint64_t)(8 * np));
        int from[MOST], deg[MOST], to[MOST], w[MOST], mine = 0, sources = 0;
        int in[MOST], inw[MOST], nin = 0, out[MOST], outw[MOST], nout = 0;
        for (int e = 0; e < edges; e++) {
            int f = (int)check_below(&random, (uint64_t)np), t = (int)check_below(&random, (uint64_t)np);
            int by = (int)check_below(&random, (uint64_t)np), weight = (int)check_below(&random, 1000);
            if (by == me) { /* consecutive edges of one source go together */
                if (sources > 0 && from[sources - 1] == f)
                    deg[sources - 1]++;
                else
                    from[sources] = f, deg[sources++] = 1;
                to[mine] = t;
                w[mine++] = weight;
            }
            if (t == me)
                in[nin] = f, inw[nin++] = weight;
            if (f == me)
                out[nout] = t, outw[nout++] = weight;
        }
        MPI_Comm comm = MPI_COMM_NULL;
        CHECK_MPI(MPI_Dist_graph_create(MPI_COMM_WORLD, sources, from, deg, to,
                                        !weighted ? MPI_UNWEIGHTED
                                        : mine    ? w
                                                  : MPI_WEIGHTS_EMPTY,
                                        MPI_INFO_NULL, 0, &comm));
        check_both(comm, weighted, nin, in, inw, nout, out, outw, 0);
        CHECK_MPI(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, nin, in,
                                                 !weighted ? MPI_UNWEIGHTED
                                                 : nin     ? inw
                                                           : MPI_WEIGHTS_EMPTY,
                                                 nout, out,
                                                 !weighted ? MPI_UNWEIGHTED
                                                 : nout    ? outw
                                                           : MPI_WEIGHTS_EMPTY,
                                                 MPI_INFO_NULL, 0, &comm));
        check_both(comm, weighted, nin, in, inw, nout, out, outw, 1);
    }
    return check_finish();
}
