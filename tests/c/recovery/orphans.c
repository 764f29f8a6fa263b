/*
 * A rank dies while MPI_Comm_spawn is at work, so many microseconds after it has begun: the root, or another
 * one. Those that live hear that it has failed, or get the processes. Processes that have not met those that
 * had them started leave without a word, and end nobody.
 */
#include "recovery.h"

int main(int argc, char **argv)
{
    MPI_Comm inter;

    recovery_begin(&argc, &argv);
    MPI_Comm_get_parent(&inter);
    if (inter != MPI_COMM_NULL) {
        MPI_Comm_set_errhandler(inter, MPI_ERRORS_RETURN);
        MPI_Comm_disconnect(&inter);
        MPI_Finalize();
        return 0;
    }
    int victim = atoi(argv[1]);
    if (me == victim)
        recovery_die_after(atol(argv[2]));
    int rc = MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &inter,
                            MPI_ERRCODES_IGNORE);
    if (me == victim)
        pause();
    if (rc == MPI_SUCCESS) {
        MPI_Comm_set_errhandler(inter, MPI_ERRORS_RETURN);
        MPI_Comm_disconnect(&inter);
    } else {
        CHECK_MSG(error_class(rc) == MPIX_ERR_PROC_FAILED || error_class(rc) == MPI_ERR_PROC_ABORTED,
                  "the class is %d", error_class(rc));
    }
    return recovery_end(1);
}
