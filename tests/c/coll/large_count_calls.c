/* The _c twins of the collectives. */
#include "coll.h"

#if MPI_VERSION >= 4
int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    for (int c = 0; c < COLL_SMALL; c++) {
        MPI_Count n = coll_counts[c];
        int count = coll_counts[c], root = c % np;
        int *a = check_alloc((size_t)np * count * sizeof(int)),
            *b = check_alloc((size_t)np * count * sizeof(int));
        if (me == root)
            coll_fill(a, count, c, root, COLL_ALL);
        CHECK_MPI(MPI_Bcast_c(a, n, MPI_INT, root, MPI_COMM_WORLD));
        COLL_CHECK(a, count, c, root, COLL_ALL);
        for (int i = 0; i < count; i++)
            a[i] = me + i;
        CHECK_MPI(MPI_Reduce_c(a, b, n, MPI_INT, MPI_SUM, root, MPI_COMM_WORLD));
        for (int i = 0; me == root && i < count; i++)
            CHECK_EQ(b[i], np * (np - 1) / 2 + np * i);
        CHECK_MPI(MPI_Allreduce_c(a, b, n, MPI_INT, MPI_MAX, MPI_COMM_WORLD));
        for (int i = 0; i < count; i++)
            CHECK_EQ(b[i], np - 1 + i);
        coll_fill(a, count, 300 + c, me, root);
        CHECK_MPI(MPI_Gather_c(a, n, MPI_INT, b, n, MPI_INT, root, MPI_COMM_WORLD));
        for (int r = 0; me == root && r < np; r++)
            COLL_CHECK(b + (size_t)r * count, count, 300 + c, r, root);
        CHECK_MPI(MPI_Scatter_c(b, n, MPI_INT, a, n, MPI_INT, root, MPI_COMM_WORLD));
        COLL_CHECK(a, count, 300 + c, me, root);
        CHECK_MPI(MPI_Allgather_c(a, n, MPI_INT, b, n, MPI_INT, MPI_COMM_WORLD));
        for (int r = 0; r < np; r++)
            COLL_CHECK(b + (size_t)r * count, count, 300 + c, r, root);
        for (int r = 0; r < np; r++)
            coll_fill(a + (size_t)r * count, count, 400 + c, me, r);
        CHECK_MPI(MPI_Alltoall_c(a, n, MPI_INT, b, n, MPI_INT, MPI_COMM_WORLD));
        for (int r = 0; r < np; r++)
            COLL_CHECK(b + (size_t)r * count, count, 400 + c, r, me);
        check_free(a);
        check_free(b);
    }
    return check_finish();
}
#else
int main(void)
{
    check_skip("this MPI has no large-count functions");
}
#endif
