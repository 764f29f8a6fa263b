/*
 * Sums come to the same bits whichever way they are computed: in the tree that docs/collectives.md promises,
 * the lower rank always on the left. Ranks are late at random, so that some wait in C and others in Go, and
 * buffers are moved, so that vectors of a few and of many elements begin anywhere.
 */
#include "coll.h"
#include <math.h>
#include <unistd.h>

enum { ROUNDS = 300, MOST = 120, RANKS = 64 };

/* What rank r contributes at place i: numbers of very different size, and a few NaNs, which tell whose they
 * are. */
static double operand(int round, int r, int i)
{
    uint64_t x = check_mix(((uint64_t)round << 32) ^ ((uint64_t)r << 24) ^ (uint64_t)i);
    if (x % 97 == 0) {
        uint64_t nan = 0x7ff8000000000000u | (uint64_t)(r + 1);
        double v;
        memcpy(&v, &nan, sizeof v);
        return v;
    }
    return ldexp((double)(int)(x & 0xffffff) - 0x800000, (int)(x >> 24) % 60 - 30);
}

/* x + y, of two NaNs the left one. */
static double add(double x, double y)
{
    return isnan(x) ? x : isnan(y) ? y : x + y;
}

static double tree(int round, int i)
{
    double v[RANKS];
    int groups = 1;
    while (2 * groups <= np)
        groups *= 2;
    int pairs = np - groups;
    for (int g = 0; g < groups; g++)
        v[g] = g < pairs ? add(operand(round, 2 * g, i), operand(round, 2 * g + 1, i))
                         : operand(round, g + pairs, i);
    for (int half = 1; half < groups; half *= 2)
        for (int g = 0; g < groups; g += 2 * half)
            v[g] = add(v[g], v[g + half]);
    return v[0];
}

static void same(const double *p, int round, int first, int n, const char *what)
{
    for (int i = 0; i < n; i++) {
        double want = tree(round, first + i);
        if (memcmp(&p[i], &want, sizeof want) != 0) {
            CHECK_MSG(0, "round %d, %s: element %d of %d is %a, want %a", round, what, i, n, p[i], want);
            return;
        }
    }
    check_count();
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    uint64_t common = 11, own = 5 + (uint64_t)me;
    double *outs = malloc((MOST * (size_t)np + 8) * sizeof *outs),
           *ins = malloc((MOST * (size_t)np + 8) * sizeof *ins);

    for (int round = 0; round < ROUNDS; round++) {
        int n = (int)check_below(&common, check_below(&common, 4) == 0 ? MOST : 12) + 1, root = round % np;
        double *out = outs + check_below(&own, 4), *in = ins + check_below(&own, 4);
        for (int i = 0; i < n * np; i++)
            out[i] = operand(round, me, i);
        if (check_below(&own, 20) == 0)
            usleep((useconds_t)check_below(&own, 1000));
        CHECK_MPI(MPI_Allreduce(out, in, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD));
        same(in, round, 0, n, "allreduce");
        if (check_below(&own, 20) == 0)
            usleep((useconds_t)check_below(&own, 1000));
        CHECK_MPI(MPI_Reduce(out, in, n, MPI_DOUBLE, MPI_SUM, root, MPI_COMM_WORLD));
        if (me == root)
            same(in, round, 0, n, "reduce");
        CHECK_MPI(MPI_Reduce_scatter_block(out, in, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD));
        same(in, round, me * n, n, "reduce_scatter_block");
    }
    free(outs);
    free(ins);
    return check_finish();
}
