/* A rank is killed while it holds a lock that others wait for: the job ends, nobody waits for ever. */
#include <signal.h>
#include <unistd.h>

#include "window.h"

int main(int argc, char **argv)
{
    MPI_Win win;
    int *base;

    check_init(&argc, &argv);
    CHECK_MPI(MPI_Win_allocate(64, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win));
    if (me == 1)
        CHECK_MPI(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win));
    CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
    if (me == 1) {
        usleep(100000); /* the others wait by now */
        kill(getpid(), SIGKILL);
    }
    CHECK_MPI(MPI_Win_lock(me % 2 ? MPI_LOCK_SHARED : MPI_LOCK_EXCLUSIVE, 0, 0, win));
    check_fail(__FILE__, __LINE__, "the lock of a dead rank was given to another one");
    return check_finish();
}
