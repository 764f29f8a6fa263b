/* Children come and go again and again, and nothing of them stays: descriptors, memory, processes. argv: how
 * often, and how many at a time. */
#include <dirent.h>
#include <stdlib.h>
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

/* The memory that this process has, in KiB. */
static long resident(void)
{
    long pages = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    CHECK(f != NULL && fscanf(f, "%*d %ld", &pages) == 1);
    if (f)
        fclose(f);
    return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

int main(int argc, char **argv)
{
    MPI_Comm parent, inter;
    int files = 0, maps = 0, one = 1, sum;
    long memory = 0;
    check_init(&argc, &argv);
    CHECK_MPI(MPI_Comm_get_parent(&parent));
    if (parent != MPI_COMM_NULL) {
        CHECK_MPI(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, parent));
        CHECK_MPI(MPI_Comm_disconnect(&parent));
        return check_finish();
    }
    int rounds = atoi(argv[1]), children = atoi(argv[2]), early = rounds / 10;
    for (int round = 0; round < rounds; round++) {
        sum = 0;
        CHECK_MPI(MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, children, MPI_INFO_NULL, round % np, MPI_COMM_WORLD,
                                 &inter, MPI_ERRCODES_IGNORE));
        CHECK_MPI(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, inter));
        CHECK_EQ(sum, children);
        CHECK_MPI(MPI_Comm_disconnect(&inter));
        if (round == early) {
            files = entries("/proc/self/fd");
            maps = segments();
            memory = resident();
        }
    }
    CHECK_MSG(entries("/proc/self/fd") <= files + 2, "%d descriptors after %d rounds, %d after %d", files, early + 1, entries("/proc/self/fd"), rounds);
    CHECK_MSG(segments() <= maps + 2, "%d mappings after %d rounds, %d after %d", maps, early + 1, segments(), rounds);
    /* gompi's heap may grow to 20 MB before it is collected for the first time. */
    CHECK_MSG(resident() <= memory + 24 * 1024, "%ld KiB after %d rounds, %ld after %d", memory, early + 1, resident(), rounds);
    return check_finish();
}
