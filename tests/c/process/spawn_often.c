/* Children come and go 50 times, and nothing of them stays: descriptors, memory, processes. */
#include <dirent.h>
#include <unistd.h>

#include "check.h"

/* How many entries a folder of /proc has. */
static int entries(const char *folder)
{
    int n = 0;
    DIR *d = opendir(folder);
    if (!d)
        return -1;
    while (readdir(d))
        n++;
    closedir(d);
    return n;
}

/* How many mappings of shared memory this process has. */
static int segments(void)
{
    int n = 0;
    char line[4096];
    FILE *f = fopen("/proc/self/maps", "r");
    while (f && fgets(line, sizeof line, f))
        n += strstr(line, "/memfd:gompi") != NULL;
    if (f)
        fclose(f);
    return n;
}

int main(int argc, char **argv)
{
    MPI_Comm parent, inter;
    int files = 0, maps = 0, one = 1, sum;
    check_init(&argc, &argv);
    CHECK_MPI(MPI_Comm_get_parent(&parent));
    if (parent != MPI_COMM_NULL) {
        CHECK_MPI(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, parent));
        CHECK_MPI(MPI_Comm_disconnect(&parent));
        return check_finish();
    }
    for (int round = 0; round < 50; round++) {
        sum = 0;
        CHECK_MPI(MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 2, MPI_INFO_NULL, round % np, MPI_COMM_WORLD, &inter, MPI_ERRCODES_IGNORE));
        CHECK_MPI(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, inter));
        CHECK_EQ(sum, 2);
        CHECK_MPI(MPI_Comm_disconnect(&inter));
        if (round == 4) {
            files = entries("/proc/self/fd");
            maps = segments();
        }
    }
    CHECK_MSG(entries("/proc/self/fd") <= files + 2, "%d descriptors after 5 rounds, %d after 50", files, entries("/proc/self/fd"));
    CHECK_MSG(segments() <= maps + 2, "%d mappings after 5 rounds, %d after 50", maps, segments());
    return check_finish();
}
