/* A program that closes descriptors that it has not opened, as daemons do, after MPI_Init and while objects
 * are open. Up to a number that its argument says, MPI goes on: all that needs a descriptor works. Where it
 * closes all of them, one line says so and the job ends. */
#define _GNU_SOURCE
#include "check.h"

#include <dirent.h>
#include <sys/resource.h>
#include <unistd.h>

enum { LARGE = 4 << 20 };

static void close_all(void)
{
    DIR *d = opendir("/proc/self/fd");
    int open[1024], n = 0;
    for (struct dirent *e; d && (e = readdir(d)) != NULL && n < 1024;)
        if (atoi(e->d_name) > 2)
            open[n++] = atoi(e->d_name);
    for (int i = 0; i < n; i++)
        close(open[i]);
}

static void exchange(int next, int before)
{
    static char out[LARGE], in[LARGE];
    memset(out, me, sizeof out);
    for (int n = 1; n <= LARGE; n *= 64) {
        CHECK_MPI(MPI_Sendrecv(out, n, MPI_CHAR, next, 1, in, n, MPI_CHAR, before, 1, MPI_COMM_WORLD,
                               MPI_STATUS_IGNORE));
        CHECK(in[0] == (char)before && in[n - 1] == (char)before);
    }
}

static void new_objects(void)
{
    MPI_Comm copy;
    CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &copy));
    CHECK_MPI(MPI_Barrier(copy));
    MPI_Win win;
    int *base;
    CHECK_MPI(MPI_Win_allocate(1 << 20, sizeof(int), MPI_INFO_NULL, copy, &base, &win));
    CHECK_MPI(MPI_Win_fence(0, win));
    CHECK_MPI(MPI_Put(&me, 1, MPI_INT, (me + 1) % np, 7, 1, MPI_INT, win));
    CHECK_MPI(MPI_Win_fence(0, win));
    CHECK_EQ(base[7], (me + np - 1) % np);
    CHECK_MPI(MPI_Win_free(&win));
    CHECK_MPI(MPI_Comm_free(&copy));
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    int all = strcmp(argv[1], "all") == 0, top = atoi(argv[1]), value = -1;
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_max < (rlim_t)top + 64)
        check_skip("the limit of descriptors leaves the library no higher ones");

    MPI_File f;
    char name[128];
    snprintf(name, sizeof name, "descriptors-%s-%d", argv[1], np);
    int mode = MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE;
    CHECK_MPI(MPI_File_open(MPI_COMM_WORLD, name, mode, MPI_INFO_NULL, &f));
    char port[MPI_MAX_PORT_NAME] = "";
    if (!all)
        CHECK_MPI(MPI_Open_port(MPI_INFO_NULL, port));

    for (int fd = 3; fd < top; fd++)
        close(fd);
    if (all) {
        CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
        unlink(name); /* nobody closes the file */
        if (me == np - 1)
            close_all();
    }
    /* The numbers are the program's again. */
    int own[8];
    for (int i = 0; i < 8; i++)
        CHECK((own[i] = dup(2)) >= 0);

    for (int round = 0; round < 3; round++) {
        exchange((me + 1) % np, (me + np - 1) % np);
        new_objects();
        CHECK_MPI(MPI_File_write_at_all(f, me * 4, &me, 1, MPI_INT, MPI_STATUS_IGNORE));
        CHECK_MPI(MPI_File_read_at_all(f, (np - 1 - me) * 4, &value, 1, MPI_INT, MPI_STATUS_IGNORE));
        CHECK_EQ(value, np - 1 - me);
        usleep(20000); /* the library's threads look at what they wait for */
    }
    CHECK_MPI(MPI_File_close(&f));
    CHECK_MPI(MPI_Close_port(port));
    for (int i = 0; i < 8; i++)
        CHECK(close(own[i]) == 0);
    return check_finish();
}
