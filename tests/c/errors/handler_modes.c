/* The predefined error handlers: which is set at first, what each does, which communicator's is asked. */
#include "check.h"

static MPI_Errhandler handler_of(MPI_Comm comm)
{
    MPI_Errhandler h = MPI_ERRHANDLER_NULL;
    CHECK_MPI(MPI_Comm_get_errhandler(comm, &h));
    return h;
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    int b = 0;
    CHECK(handler_of(MPI_COMM_WORLD) == MPI_ERRORS_ARE_FATAL);
    CHECK(handler_of(MPI_COMM_SELF) == MPI_ERRORS_ARE_FATAL);

    CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    CHECK(handler_of(MPI_COMM_WORLD) == MPI_ERRORS_ARE_FATAL);
    CHECK(handler_of(MPI_COMM_SELF) == MPI_ERRORS_RETURN);
    CHECK_CLASS(MPI_Send(&b, 1, MPI_INT, 9, 0, MPI_COMM_SELF), MPI_ERR_RANK);
    /* What belongs to no communicator is the business of MPI_COMM_SELF's handler (MPI 5.0, 9.3). */
#ifdef TEST_GOMPI
    int n = -1;
    CHECK_CLASS(MPI_Type_size(MPI_DATATYPE_NULL, &n), MPI_ERR_TYPE);
    CHECK_CLASS(MPI_Barrier(MPI_COMM_NULL), MPI_ERR_COMM);
#endif

    CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    CHECK_CLASS(MPI_Send(&b, 1, MPI_INT, np, 0, MPI_COMM_WORLD), MPI_ERR_RANK);
    CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL));
    CHECK(handler_of(MPI_COMM_WORLD) == MPI_ERRORS_ARE_FATAL);
    CHECK(handler_of(MPI_COMM_SELF) == MPI_ERRORS_RETURN);
    return check_finish();
}
