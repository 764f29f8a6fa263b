/*
 * Messages that a rank has sent before MPI_Finalize arrive, however late they are received (MPI 5.0, 11.2.2):
 * the senders are in MPI_Finalize, or would like to be, long before rank 0 looks.
 */
#include "check.h"
#include <unistd.h>

enum { SMALL = 40, LARGE = 300000 };

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    if (me != 0) {
        unsigned char small[SMALL];
        unsigned char *large = check_alloc(LARGE);
        MPI_Request request;
        check_fill(large, LARGE, 1000 + me);
        CHECK_MPI(MPI_Isend(large, LARGE, MPI_BYTE, 0, 7, MPI_COMM_WORLD, &request));
        for (int i = 0; i < 50; i++) {
            check_fill(small, SMALL, me * 100 + i);
            CHECK_MPI(MPI_Send(small, SMALL, MPI_BYTE, 0, 8, MPI_COMM_WORLD));
        }
        CHECK_MPI(MPI_Wait(&request, MPI_STATUS_IGNORE));
        check_free(large);
    } else {
        usleep(200 * 1000);
        for (int from = np - 1; from > 0; from--) {
            unsigned char *large = check_alloc(LARGE), *small = check_alloc(SMALL);
            for (int i = 0; i < 50; i++) {
                CHECK_MPI(MPI_Recv(small, SMALL, MPI_BYTE, from, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
                CHECK_DATA(small, SMALL, from * 100 + i);
            }
            CHECK_MPI(MPI_Recv(large, LARGE, MPI_BYTE, from, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
            CHECK_DATA(large, LARGE, 1000 + from);
            check_free(large);
            check_free(small);
        }
        CHECK(1);
    }
    return check_finish();
}
