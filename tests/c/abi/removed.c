/* Names that MPI-3 removed and old programs still call. Only those that gompi offers so far: addresses,
 * extents, error handlers. */
#include "check.h"

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    MPI_Aint address = 0, extent = -1, lower = -1, upper = -1;
    MPI_Errhandler h = MPI_ERRHANDLER_NULL;
    CHECK_MPI(MPI_Address(&address, &address));
    CHECK_EQ(address, (intptr_t)&address);
    CHECK_MPI(MPI_Type_extent(MPI_DOUBLE_INT, &extent));
    CHECK_EQ(extent, 16);
    CHECK_MPI(MPI_Type_lb(MPI_INT, &lower));
    CHECK_EQ(lower, 0);
    CHECK_MPI(MPI_Type_ub(MPI_INT, &upper));
    CHECK_EQ(upper, 4);
    CHECK_MPI(MPI_Errhandler_set(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    CHECK_MPI(MPI_Errhandler_get(MPI_COMM_WORLD, &h));
    CHECK(h == MPI_ERRORS_RETURN);
    return check_finish();
}
