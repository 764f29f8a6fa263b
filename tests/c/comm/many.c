/* Context ids never run out: argument 1 communicators are made and freed, some are kept meanwhile; messages
 * still go to the right ones. */
#include "check.h"

#define KEPT 300

int main(int argc, char **argv)
{
    static MPI_Comm kept[KEPT];
    check_init(&argc, &argv);
    long n = argc > 1 ? atol(argv[1]) : 10000;
    for (int i = 0; i < KEPT; i++)
        CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &kept[i]));
    for (long i = 0; i < n; i++) {
        MPI_Comm c;
        CHECK_MPI(MPI_Comm_dup(i % 2 ? MPI_COMM_WORLD : kept[i % KEPT], &c));
        if (i % 1000 == 0) {
            int out = me * 1000 + (int)(i / 1000), in = -1, from = (me + np - 1) % np;
            CHECK_MPI(MPI_Sendrecv(&out, 1, MPI_INT, (me + 1) % np, 0, &in, 1, MPI_INT, from, 0, c,
                                   MPI_STATUS_IGNORE));
            CHECK_EQ(in, from * 1000 + (int)(i / 1000));
        }
        CHECK_MPI(MPI_Comm_free(&c));
    }
    for (int i = 0; i < KEPT; i++) {
        int sum = 0;
        CHECK_MPI(MPI_Allreduce(&i, &sum, 1, MPI_INT, MPI_SUM, kept[i]));
        CHECK_EQ(sum, i * np);
        CHECK_MPI(MPI_Comm_free(&kept[i]));
    }
    return check_finish();
}
