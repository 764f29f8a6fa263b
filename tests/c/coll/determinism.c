/*
 * Floating-point sums have the same bits every time, whichever rank is late, and on all ranks alike. The
 * program prints the bits: run.sh compares the output of several runs.
 */
#include "check.h"
#include <unistd.h>

static const int counts[] = {1, 2, 3, 8, 33, 1000, 5000, 40000};
enum { COUNTS = sizeof counts / sizeof counts[0], LARGEST = 40000 };

static uint64_t hash(const void *p, size_t n)
{
    const unsigned char *b = p;
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < n; i++)
        h = (h ^ b[i]) * UINT64_C(0x100000001b3);
    return h;
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    static double out[LARGEST], in[LARGEST];
    static float fout[LARGEST], fin[LARGEST];
    uint64_t own = 5 + me + (uint64_t)getpid();

    for (int i = 0; i < LARGEST; i++) {
        /* Magnitudes far apart: any other order of adding gives other bits. */
        uint64_t r = check_mix(me * 100000u + i);
        out[i] = ((double)(r % 1000003) - 500000.0) * (r & 1 ? 1e-9 : 1e9) / 3.0;
        fout[i] = ((float)(r % 10007) - 5000.0f) * (r & 2 ? 1e-5f : 1e5f) / 3.0f;
    }
    for (int c = 0; c < COUNTS; c++) {
        int n = counts[c];
        uint64_t first[4] = {0}, h[4];
        for (int again = 0; again < 6; again++) {
            if (check_below(&own, 2))
                usleep((useconds_t)check_below(&own, 1500));
            CHECK_MPI(MPI_Allreduce(out, in, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD));
            h[0] = hash(in, n * sizeof *in);
            CHECK_MPI(MPI_Allreduce(fout, fin, n, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD));
            h[1] = hash(fin, n * sizeof *fin);
            CHECK_MPI(MPI_Reduce(out, in, n, MPI_DOUBLE, MPI_SUM, np - 1, MPI_COMM_WORLD));
            CHECK_MPI(MPI_Bcast(in, n, MPI_DOUBLE, np - 1, MPI_COMM_WORLD));
            h[2] = hash(in, n * sizeof *in);
            CHECK_MPI(MPI_Allreduce(out, in, n, MPI_DOUBLE, MPI_PROD, MPI_COMM_WORLD));
            h[3] = hash(in, n * sizeof *in);
            for (int k = 0; k < 4; k++) {
                if (again == 0)
                    first[k] = h[k];
                CHECK_MSG(h[k] == first[k], "count %d, sum %d: other bits the %d. time", n, k, again + 1);
            }
        }
        uint64_t all[64][4];
        CHECK(np <= 64);
        CHECK_MPI(MPI_Allgather(first, 4, MPI_UINT64_T, all, 4, MPI_UINT64_T, MPI_COMM_WORLD));
        for (int r = 0; r < np; r++)
            for (int k = 0; k < 4; k++)
                CHECK_MSG(all[r][k] == first[k], "count %d, sum %d: rank %d has other bits", n, k, r);
        if (me == 0)
            printf("%d %016" PRIx64 " %016" PRIx64 " %016" PRIx64 "\n", n, first[0], first[1], first[2]);
    }
    return check_finish();
}
