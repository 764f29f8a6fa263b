/* MPI_Sendrecv in rings both ways, every size, different lengths on the two sides, with wildcards. */
#include "check.h"

static const int sizes[] = {0, 1, 7, 8, 44, 45, 64, 100, 1000, 4096, 16384, 65536, 1048576};

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        for (int step = -np; step <= np; step++) {
            /* Every rank sends another length, so that small and large ones cross. */
            int to = (me + np + step) % np, from = (me + np - step + np) % np;
            int mine = sizes[i] + me * 3, theirs = sizes[i] + from * 3;
            unsigned char *out = check_alloc_at(mine, me % 5), *in = check_alloc_at(theirs + 16, step & 7);
            MPI_Status st;
            check_fill(out, mine, me * 31 + 1);
            CHECK_MPI(MPI_Sendrecv(out, mine, MPI_BYTE, to, 10 + me, in, theirs + 16, MPI_BYTE,
                                   i % 2 ? MPI_ANY_SOURCE : from, 10 + from, MPI_COMM_WORLD, &st));
            CHECK_STATUS(st, from, 10 + from);
            CHECK_COUNT(st, MPI_BYTE, theirs);
            CHECK_DATA(in, theirs, from * 31 + 1);
            CHECK_FRESH(in, theirs, 16);
            check_free(out);
            check_free(in);
        }

    /* A token that goes round and is changed by each. */
    long token = 0;
    for (int round = 0; np > 1 && round < 100; round++) {
        if (me == 0) {
            CHECK_MPI(MPI_Send(&token, 1, MPI_LONG, 1, 1, MPI_COMM_WORLD));
            CHECK_MPI(MPI_Recv(&token, 1, MPI_LONG, np - 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
            token++;
        } else {
            CHECK_MPI(MPI_Recv(&token, 1, MPI_LONG, me - 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
            token++;
            CHECK_MPI(MPI_Send(&token, 1, MPI_LONG, (me + 1) % np, 1, MPI_COMM_WORLD));
        }
    }
    if (np > 1)
        CHECK_EQ(token, me == 0 ? 100L * np : 99L * np + me);
    return check_finish();
}
