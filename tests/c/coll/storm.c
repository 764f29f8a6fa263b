/*
 * Collectives of all kinds one after the other, with no barrier between, sizes and roots at random from a
 * common seed, and ranks that are late at random: traffic of one call must not be taken for that of the next.
 */
#include "coll.h"
#include <unistd.h>

enum { CALLS = 1200, LARGEST = 30000 };

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    uint64_t common = argc > 1 ? strtoull(argv[1], NULL, 10) : 7, own = common * 77 + me;
    int *a = malloc((size_t)np * LARGEST * sizeof(int)), *b = malloc((size_t)np * LARGEST * sizeof(int));

    for (int call = 1; call <= CALLS; call++) {
        int kind = (int)check_below(&common, 8), root = (int)check_below(&common, np);
        uint64_t size = check_below(&common, 10);
        int n = (int)check_below(&common, size < 6 ? 20 : size < 9 ? 600 : LARGEST);
        if (check_below(&own, 40) == 0)
            usleep((useconds_t)check_below(&own, 2000));
        switch (kind) {
        case 0:
            CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
            break;
        case 1:
            if (me == root)
                coll_fill(a, n, call, root, COLL_ALL);
            CHECK_MPI(MPI_Bcast(a, n, MPI_INT, root, MPI_COMM_WORLD));
            COLL_CHECK(a, n, call, root, COLL_ALL);
            break;
        case 2:
        case 3:
            for (int i = 0; i < n; i++)
                a[i] = (me + 1) * (i % 1000 + call);
            CHECK_MPI(kind == 2 ? MPI_Reduce(a, b, n, MPI_INT, MPI_SUM, root, MPI_COMM_WORLD)
                                : MPI_Allreduce(a, b, n, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
            for (int i = 0; (kind == 3 || me == root) && i < n; i++)
                CHECK_EQ(b[i], np * (np + 1) / 2 * (i % 1000 + call));
            break;
        case 4:
            coll_fill(a, n, call, me, root);
            CHECK_MPI(MPI_Gather(a, n, MPI_INT, b, n, MPI_INT, root, MPI_COMM_WORLD));
            for (int r = 0; me == root && r < np; r++)
                COLL_CHECK(b + (size_t)r * n, n, call, r, root);
            break;
        case 5:
            for (int r = 0; me == root && r < np; r++)
                coll_fill(a + (size_t)r * n, n, call, root, r);
            CHECK_MPI(MPI_Scatter(a, n, MPI_INT, b, n, MPI_INT, root, MPI_COMM_WORLD));
            COLL_CHECK(b, n, call, root, me);
            break;
        case 6:
            coll_fill(a, n, call, me, COLL_ALL);
            CHECK_MPI(MPI_Allgather(a, n, MPI_INT, b, n, MPI_INT, MPI_COMM_WORLD));
            for (int r = 0; r < np; r++)
                COLL_CHECK(b + (size_t)r * n, n, call, r, COLL_ALL);
            break;
        case 7:
            for (int r = 0; r < np; r++)
                coll_fill(a + (size_t)r * n, n, call, me, r);
            CHECK_MPI(MPI_Alltoall(a, n, MPI_INT, b, n, MPI_INT, MPI_COMM_WORLD));
            for (int r = 0; r < np; r++)
                COLL_CHECK(b + (size_t)r * n, n, call, r, me);
            break;
        }
    }
    free(a);
    free(b);
    return check_finish();
}
