/* The error handler that the hints choose is that of the children's communicators, the parent's included. */
#include "check.h"

int main(int argc, char **argv)
{
    MPI_Comm parent, inter;
    MPI_Errhandler h;
    MPI_Info info;
    check_init(&argc, &argv);
    CHECK_MPI(MPI_Comm_get_parent(&parent));
    if (parent == MPI_COMM_NULL) {
        CHECK_MPI(MPI_Info_create(&info));
        CHECK_MPI(MPI_Info_set(info, "mpi_initial_errhandler", "mpi_errors_return"));
        CHECK_MPI(
            MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 2, info, 0, MPI_COMM_WORLD, &inter, MPI_ERRCODES_IGNORE));
        CHECK_MPI(MPI_Info_free(&info));
        CHECK_MPI(MPI_Comm_get_errhandler(inter, &h));
        CHECK(h == MPI_ERRORS_ARE_FATAL);
        CHECK_MPI(MPI_Comm_free(&inter));
    } else {
        MPI_Comm all[] = {MPI_COMM_WORLD, MPI_COMM_SELF, parent};
        for (int i = 0; i < 3; i++) {
            CHECK_MPI(MPI_Comm_get_errhandler(all[i], &h));
            CHECK(h == MPI_ERRORS_RETURN);
        }
        CHECK_CLASS(MPI_Send(NULL, 0, MPI_INT, 1000, 0, parent), MPI_ERR_RANK);
    }
    return check_finish();
}
