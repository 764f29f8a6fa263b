/* MPI_Gather and MPI_Scatter: every root, every size, in place, arguments that only the root looks at. */
#include "coll.h"

static void gather(int n, int root, int round)
{
    int *mine = check_alloc(n * sizeof(int)),
        *all = me == root ? check_alloc((size_t)np * n * sizeof(int)) : NULL;
    coll_fill(mine, n, round, me, root);
    /* What is not significant on a rank is given as nonsense. */
    CHECK_MPI(MPI_Gather(mine, n, MPI_INT, all, me == root ? n : -3, me == root ? MPI_INT : MPI_DATATYPE_NULL,
                         root, MPI_COMM_WORLD));
    COLL_CHECK(mine, n, round, me, root);
    for (int r = 0; me == root && r < np; r++)
        COLL_CHECK(all + (size_t)r * n, n, round, r, root);

    if (me == root) {
        check_renew(all, (size_t)np * n * sizeof(int));
        coll_fill(all + (size_t)me * n, n, round, me, root);
        CHECK_MPI(MPI_Gather(MPI_IN_PLACE, -1, MPI_DATATYPE_NULL, all, n, MPI_INT, root, MPI_COMM_WORLD));
        for (int r = 0; r < np; r++)
            COLL_CHECK(all + (size_t)r * n, n, round, r, root);
        check_free(all);
    } else {
        CHECK_MPI(MPI_Gather(mine, n, MPI_INT, NULL, 0, MPI_INT, root, MPI_COMM_WORLD));
    }
    check_free(mine);
}

static void scatter(int n, int root, int round)
{
    int *mine = check_alloc(n * sizeof(int)),
        *all = me == root ? check_alloc((size_t)np * n * sizeof(int)) : NULL;
    for (int r = 0; me == root && r < np; r++)
        coll_fill(all + (size_t)r * n, n, round, root, r);
    CHECK_MPI(MPI_Scatter(all, me == root ? n : -3, me == root ? MPI_INT : MPI_DATATYPE_NULL, mine, n,
                          MPI_INT, root, MPI_COMM_WORLD));
    COLL_CHECK(mine, n, round, root, me);
    check_renew(mine, n * sizeof(int));
    if (me == root) {
        CHECK_MPI(MPI_Scatter(all, n, MPI_INT, MPI_IN_PLACE, -1, MPI_DATATYPE_NULL, root, MPI_COMM_WORLD));
        for (int r = 0; r < np; r++)
            COLL_CHECK(all + (size_t)r * n, n, round, root, r);
        check_free(all);
    } else {
        CHECK_MPI(MPI_Scatter(NULL, 0, MPI_INT, mine, n, MPI_INT, root, MPI_COMM_WORLD));
        COLL_CHECK(mine, n, round, root, me);
    }
    check_free(mine);
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    int round = 0;
    for (int c = 0; c < COLL_COUNTS; c++)
        for (int root = 0; root < np; root++) {
            round++;
            gather(coll_counts[c], root, round);
            scatter(coll_counts[c], root, round);
        }

    /* Pairs with a gap: the gap is left alone. */
    struct { short s; int i; } pair = {(short)me, me * 9}, *all = malloc(np * sizeof *all);
    memset(all, 0x33, np * sizeof *all);
    CHECK_MPI(MPI_Gather(&pair, 1, MPI_SHORT_INT, all, 1, MPI_SHORT_INT, 0, MPI_COMM_WORLD));
    for (int r = 0; me == 0 && r < np; r++) {
        CHECK_EQ(all[r].s, r);
        CHECK_EQ(all[r].i, r * 9);
        CHECK_EQ(((unsigned char *)&all[r])[2], 0x33);
        CHECK_EQ(((unsigned char *)&all[r])[3], 0x33);
    }
    free(all);
    return check_finish();
}
