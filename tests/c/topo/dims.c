/* MPI_Dims_create: balanced, in falling order, what is given stays. */
#include "check.h"

static void want(int nodes, int n, const int *given, const int *wanted)
{
    int dims[8] = {0};
    if (given)
        memcpy(dims, given, (size_t)n * sizeof(int));
    CHECK_MPI(MPI_Dims_create(nodes, n, dims));
    for (int i = 0; i < n; i++)
        CHECK_MSG(dims[i] == wanted[i], "%d nodes in %d dimensions: dims[%d] is %d, want %d", nodes, n, i, dims[i], wanted[i]);
}

#define L(...) ((int[]){__VA_ARGS__})

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    want(6, 2, NULL, L(3, 2));
    want(7, 2, NULL, L(7, 1));
    want(6, 3, L(0, 3, 0), L(2, 3, 1));
    want(12, 2, NULL, L(4, 3));
    want(16, 2, NULL, L(4, 4));
    want(24, 3, NULL, L(4, 3, 2));
    want(36, 3, NULL, L(4, 3, 3));
    want(72, 2, NULL, L(9, 8));
    want(5040, 3, NULL, L(21, 16, 15));
    want(1000000000, 3, NULL, L(1000, 1000, 1000));
    want(2147483647, 3, NULL, L(2147483647, 1, 1));
    want(2095133040, 4, L(0, 1, 0, 0), L(1292, 1, 1287, 1260));
    want(24, 4, L(2, 0, 0, 3), L(2, 2, 2, 3));
    want(6, 1, NULL, L(6));
    want(1, 0, NULL, NULL);
    want(8, 2, L(2, 4), L(2, 4));
    CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    CHECK_CLASS(MPI_Dims_create(7, 2, L(2, 0)), MPI_ERR_DIMS);
    CHECK_CLASS(MPI_Dims_create(7, 2, L(-1, 0)), MPI_ERR_DIMS);
    CHECK_CLASS(MPI_Dims_create(7, 2, L(7, 7)), MPI_ERR_DIMS);
    CHECK_CLASS(MPI_Dims_create(0, 2, L(0, 0)), MPI_ERR_ARG);
    CHECK_CLASS(MPI_Dims_create(-6, 2, L(0, 0)), MPI_ERR_ARG);
    CHECK_CLASS(MPI_Dims_create(2, 0, NULL), MPI_ERR_DIMS);
    CHECK_CLASS(MPI_Dims_create(2, 2, NULL), MPI_ERR_ARG);
    return check_finish();
}
