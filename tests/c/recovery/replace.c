/*
 * A rank that has died is replaced: those that live shrink, have a new process started, and merge with it.
 * Then a spawned process dies, which breaks the communicators with it and nothing else.
 */
#include "recovery.h"

int main(int argc, char **argv)
{
    MPI_Comm parent, rest, inter, all;
    int x = 1, sum, size, code, rank;

    recovery_begin(&argc, &argv);
    MPI_Comm_get_parent(&parent);
    if (parent != MPI_COMM_NULL) {
        MPI_Comm_set_errhandler(parent, MPI_ERRORS_RETURN);
        CHECK_MPI(MPI_Intercomm_merge(parent, 1, &all));
        CHECK_MPI(MPI_Allreduce(&x, &sum, 1, MPI_INT, MPI_SUM, all));
        MPI_Comm_rank(all, &rank);
        recovery_await_others(all, rank, rank);
        recovery_die(0);
    }
    if (me == np - 1)
        recovery_die(1);
    CHECK_CLASS(MPI_Barrier(MPI_COMM_WORLD), MPIX_ERR_PROC_FAILED);
    CHECK_CLASS(MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &inter, &code),
                MPIX_ERR_PROC_FAILED);
    CHECK_MPI(MPIX_Comm_shrink(MPI_COMM_WORLD, &rest));
    CHECK_MPI(MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, rest, &inter, &code));
    CHECK_MPI(MPI_Intercomm_merge(inter, 0, &all));
    MPI_Comm_size(all, &size);
    MPI_Comm_rank(all, &rank);
    CHECK_EQ(size, np);
    CHECK_MPI(MPI_Allreduce(&x, &sum, 1, MPI_INT, MPI_SUM, all));
    CHECK_EQ(sum, np);

    recovery_await_others(all, size - 1, size - 1);
    int rc = MPI_Recv(&x, 1, MPI_INT, size - 1, 2, all, MPI_STATUS_IGNORE);
    CHECK_MSG(error_class(rc) == MPI_ERR_PROC_ABORTED || error_class(rc) == MPIX_ERR_PROC_FAILED,
              "a spawned process dies: class %d", error_class(rc));
    CHECK_MPI(MPI_Allreduce(&x, &sum, 1, MPI_INT, MPI_SUM, rest));
    CHECK_EQ(sum, np - 1);
    MPI_Comm_disconnect(&all);
    MPI_Comm_disconnect(&inter);
    CHECK_MPI(MPI_Comm_free(&rest));
    return recovery_end(1);
}
