/*
 * Memory that is attached to a dynamic window, but unmapped by the program: a put from a rank of another node
 * ends with MPI_ERR_RMA_RANGE at its origin, also while the target is outside the library, and the target
 * lives. Run with --pretend-nodes, so that the ranks are on different nodes.
 */
#define _GNU_SOURCE
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"

int main(int argc, char **argv)
{
    MPI_Win win;
    MPI_Aint at = 0;
    int over = 0, one = 1;
    check_init(&argc, &argv);
    void *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK_MPI(MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    CHECK_MPI(MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN));
    if (me == 0) {
        CHECK_MPI(MPI_Win_attach(win, p, 4096));
        CHECK_MPI(MPI_Get_address(p, &at));
    }
    CHECK_MPI(MPI_Bcast(&at, 1, MPI_AINT, 0, MPI_COMM_WORLD));
    munmap(p, 4096);
    CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
    if (me == 0) {
        usleep(300000);
        CHECK_MPI(MPI_Recv(&over, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        CHECK_EQ(over, 1);
    } else {
        CHECK_MPI(MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win));
        CHECK_MPI(MPI_Put(&one, 1, MPI_INT, 0, at, 1, MPI_INT, win));
        CHECK_CLASS(MPI_Win_flush(0, win), MPI_ERR_RMA_RANGE);
        MPI_Win_unlock(0, win);
        CHECK_MPI(MPI_Send(&one, 1, MPI_INT, 0, 0, MPI_COMM_WORLD));
    }
    CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
    CHECK_MPI(MPI_Win_free(&win));
    return check_finish();
}
