/* MPI_Reduce_local (inout = in op inout) and MPI_Op_commutative. */
#include "check.h"

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    static const int counts[] = {0, 1, 7, 1000, 100001};
    for (int c = 0; c < 5; c++) {
        int n = counts[c];
        double *in = check_alloc(n * sizeof *in), *inout = check_alloc(n * sizeof *inout);
        for (int i = 0; i < n; i++) {
            in[i] = i % 1000;
            inout[i] = i % 77 - 30;
        }
        CHECK_MPI(MPI_Reduce_local(in, inout, n, MPI_DOUBLE, MPI_SUM));
        for (int i = 0; i < n; i++)
            CHECK_MSG(inout[i] == i % 1000 + i % 77 - 30 && in[i] == i % 1000, "element %d is %g", i, inout[i]);
        CHECK_MPI(MPI_Reduce_local(in, inout, n, MPI_DOUBLE, MPI_MIN));
        for (int i = 0; i < n; i++) {
            double sum = i % 1000 + i % 77 - 30;
            CHECK_MSG(inout[i] == (sum < i % 1000 ? sum : i % 1000), "element %d is %g", i, inout[i]);
        }
        check_free(in);
        check_free(inout);
    }
    int yes = -1;
    CHECK_MPI(MPI_Op_commutative(MPI_SUM, &yes));
    CHECK(yes);
    CHECK_MPI(MPI_Op_commutative(MPI_MAXLOC, &yes));
    CHECK(yes);
    return check_finish();
}
