/* Where descriptors run out on one process, at any step of MPI_File_open, all processes are told so, nobody
 * waits for ever, and none is lost. */
#include "io.h"

#include <sys/resource.h>

enum { MOST = 64, ENOUGH = 8 };

static int count(void)
{
    int n = 0;
    for (int fd = 0; fd < MOST; fd++)
        n += fcntl(fd, F_GETFD) >= 0;
    return n;
}

/* Rank who has room for that many descriptors. */
static int attempt(int who, int room)
{
    int taken[MOST], n = 0, class, least, most;
    if (me == who) {
        while (n < MOST && (taken[n] = open("/dev/null", O_RDONLY)) >= 0)
            n++;
        for (int i = 0; i < room && n > 0; i++)
            close(taken[--n]);
    }
    int before = count();
    MPI_File f;
    int code = MPI_File_open(MPI_COMM_WORLD, io_path("file"),
                             MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &f);
    CHECK_MPI(MPI_Error_class(code, &class));
    if (code == MPI_SUCCESS)
        CHECK_MPI(MPI_File_close(&f));
    CHECK_MSG(count() == before, "%d descriptors before, %d after, with room for %d on rank %d", before, count(), room, who);
    while (n > 0)
        close(taken[--n]);
    CHECK_MPI(MPI_Allreduce(&class, &least, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD));
    CHECK_MPI(MPI_Allreduce(&class, &most, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD));
    CHECK_MSG((least == MPI_SUCCESS) == (most == MPI_SUCCESS), "error classes from %d to %d, with room for %d on rank %d", least, most, room, who);
    return most;
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    struct rlimit few = {MOST, MOST};
    CHECK(setrlimit(RLIMIT_NOFILE, &few) == 0);
    CHECK_EQ(attempt(0, ENOUGH), MPI_SUCCESS);
    for (int who = 0; who < np; who++) {
        CHECK(attempt(who, 0) != MPI_SUCCESS);
        for (int room = 1; room < ENOUGH; room++)
            attempt(who, room);
        CHECK_EQ(attempt(who, ENOUGH), MPI_SUCCESS);
    }
    return check_finish();
}
