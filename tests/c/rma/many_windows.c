/*
 * However many windows there are: operations on each take the way of those on the first. So the fast path
 * leaves none of them to the rest of the library.
 */
#include "refusals.h"

enum { WINDOWS = 300, ROUNDS = 20 };

static MPI_Win wins[WINDOWS];
static long *bases[WINDOWS];

static void make(int i)
{
    CHECK_MPI(MPI_Win_allocate(2 * (MPI_Aint)sizeof(long), sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD,
                               &bases[i], &wins[i]));
    bases[i][0] = bases[i][1] = -1;
    CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
    CHECK_MPI(MPI_Win_lock_all(0, wins[i]));
}

static void use(int i)
{
    unsigned long long before = refused(), n;
    int to = (me + 1) % np;
    for (int k = 0; k < ROUNDS; k++) {
        long out = 1000L * i + me, in = -1;
        CHECK_MPI(MPI_Put(&out, 1, MPI_LONG, to, 0, 1, MPI_LONG, wins[i]));
        CHECK_MPI(MPI_Win_flush(to, wins[i]));
        CHECK_MPI(MPI_Get(&in, 1, MPI_LONG, to, 0, 1, MPI_LONG, wins[i]));
        CHECK_MPI(MPI_Win_flush(to, wins[i]));
        CHECK_EQ(in, out);
        CHECK_MPI(MPI_Accumulate(&out, 1, MPI_LONG, to, 1, 1, MPI_LONG, MPI_REPLACE, wins[i]));
        CHECK_MPI(MPI_Win_flush(to, wins[i]));
    }
    n = refused() - before;
    CHECK_MSG(n == 0, "window %d: %llu calls are not plain", i, n);
}

static void end(int i)
{
    CHECK_MPI(MPI_Win_unlock_all(wins[i]));
    CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
    CHECK_EQ(bases[i][0], 1000L * i + (me + np - 1) % np);
    CHECK_EQ(bases[i][1], 1000L * i + (me + np - 1) % np);
    CHECK_MPI(MPI_Win_free(&wins[i]));
}

int main(int argc, char **argv)
{
    refusals_begin(&argc, &argv);
    for (int i = 0; i < WINDOWS; i++) {
        make(i);
        if (i < 4 || i % 32 == 0 || i > 250)
            use(i);
        else
            bases[i][0] = bases[i][1] = 1000L * i + (me + np - 1) % np;
    }
    for (int i = 0; i < WINDOWS; i++)
        end(i);
    make(0); /* behind all of them */
    use(0);
    end(0);
    return refusals_finish();
}
