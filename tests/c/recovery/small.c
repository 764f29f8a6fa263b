/*
 * Partitions so small that they need nothing of the receiver: those for a rank that has died are an error
 * soon, although nothing fills up and the sender never waits.
 */
#include "recovery.h"

enum { CYCLES = 30 }; /* fewer than there is room for on the way to a rank */

int main(int argc, char **argv)
{
    MPI_Request r;
    MPI_Comm c;
    char data[4] = {1, 2, 3, 4};
    int rc = MPI_SUCCESS;

    recovery_begin(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &c);
    if (me == np - 1) {
        CHECK_MPI(MPI_Precv_init(data, 1, 4, MPI_BYTE, 0, 1, c, MPI_INFO_NULL, &r));
        CHECK_MPI(MPI_Start(&r));
        CHECK_MPI(MPI_Wait(&r, MPI_STATUS_IGNORE));
        recovery_die(0);
    }
    if (me == 0) {
        CHECK_MPI(MPI_Psend_init(data, 1, 4, MPI_BYTE, np - 1, 1, c, MPI_INFO_NULL, &r));
        for (int i = 0; i < CYCLES && rc == MPI_SUCCESS; i++) {
            if (i > 0)
                usleep(200000);
            rc = MPI_Start(&r);
            if (rc == MPI_SUCCESS && i % 2)
                rc = MPI_Pready(0, r);
            else if (rc == MPI_SUCCESS)
                rc = MPI_Pready_list(1, (int[]){0}, r);
            if (rc == MPI_SUCCESS)
                rc = MPI_Wait(&r, MPI_STATUS_IGNORE);
        }
        CHECK_EQ(error_class(rc), MPIX_ERR_PROC_FAILED);
        CHECK_MPI(MPI_Request_free(&r));
    }
    MPI_Comm_free(&c);
    return recovery_end(1);
}
