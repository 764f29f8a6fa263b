/* The program's floating-point environment is its own: rounding, flags and traps are after an MPI call what
 * they were before. */
#define _GNU_SOURCE
#include "check.h"
#include <fenv.h>

static void calls(void)
{
    double in[3] = {1.0, 0.1, -0.3}, out[3];
    int v = -1;
    CHECK_MPI(MPI_Allreduce(in, out, 3, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD));
    CHECK_MPI(MPI_Sendrecv(&me, 1, MPI_INT, (me + 1) % np, 0, &v, 1, MPI_INT, (me + np - 1) % np, 0,
                           MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
    MPI_Wtime();
}

int main(int argc, char **argv)
{
    static const int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    check_init(&argc, &argv);
    for (int i = 0; i < 4; i++) {
        CHECK_EQ(fesetround(modes[i]), 0);
        calls();
        CHECK_EQ(fegetround(), modes[i]);
    }
    fesetround(FE_TONEAREST);
#ifdef __x86_64__
    /* Traps on: nothing that the library computes by itself may set them off. */
    int traps = FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW;
    feenableexcept(traps);
    calls();
    CHECK_EQ(fegetexcept(), traps);
    fedisableexcept(traps);
#endif
    return check_finish();
}
