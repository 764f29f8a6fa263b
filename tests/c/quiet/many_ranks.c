/*
 * Many ranks on one node take little memory together, even when every pair of them talks: argument 1 is the
 * limit for all together, in MB.
 */
#include "check.h"

/* This process's share of the memory that it uses, in kB. */
static long share(void)
{
    char line[256];
    long kb = 0;
    FILE *f = fopen("/proc/self/smaps_rollup", "r");
    if (f == NULL)
        check_skip("/proc/self/smaps_rollup is not here");
    while (fgets(line, sizeof line, f) != NULL)
        if (sscanf(line, "Pss: %ld kB", &kb) == 1)
            break;
    fclose(f);
    return kb;
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    long limit = argc > 1 ? atol(argv[1]) : 1000, mine, all = 0;
    enum { SMALL = 100, LARGE = 10000 };
    static char in[LARGE], out[LARGE];
    for (int step = 1; step < np; step++) {
        int to = (me + step) % np, from = (me + np - step) % np;
        for (int n = SMALL; n <= LARGE; n *= LARGE / SMALL) {
            MPI_Status s;
            CHECK_MPI(MPI_Sendrecv(out, n, MPI_BYTE, to, 1, in, n, MPI_BYTE, from, 1, MPI_COMM_WORLD, &s));
            CHECK_COUNT(s, MPI_BYTE, n);
        }
    }
    CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
    mine = share();
    CHECK_MPI(MPI_Allreduce(&mine, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD));
    if (me == 0)
        CHECK_MSG(all / 1024 <= limit, "%d ranks use %ld MB together", np, all / 1024);
    CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
    return check_finish();
}
