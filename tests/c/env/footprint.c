/*
 * gompi keeps its shared memory in memfds: no mapping and no descriptor of a rank stands for a name in a file
 * system that someone would have to clean up. And a rank is small.
 */
#include "check.h"
#include <dirent.h>
#include <unistd.h>

static int names_shared_place(const char *path)
{
    return strstr(path, "/dev/shm") != NULL || strncmp(path, "/tmp/", 5) == 0 || strstr(path, "/var/tmp/") != NULL;
}

static void look_at_mappings(void)
{
    char line[4096];
    FILE *f = fopen("/proc/self/maps", "r");
    CHECK(f != NULL);
    while (f != NULL && fgets(line, sizeof line, f) != NULL) {
        const char *path = strchr(line, '/');
        if (path == NULL || strstr(line, "r-xp") != NULL)
            continue; /* code is where it was built, which may be under /tmp */
        if (strstr(line, " rw-s ") == NULL)
            continue;
        CHECK_MSG(!names_shared_place(path), "shared mapping of a named file: %s", path);
    }
    if (f != NULL)
        fclose(f);
}

static void look_at_descriptors(void)
{
    DIR *dir = opendir("/proc/self/fd");
    CHECK(dir != NULL);
    for (struct dirent *e; dir != NULL && (e = readdir(dir)) != NULL;) {
        char path[4096];
        ssize_t n = readlinkat(dirfd(dir), e->d_name, path, sizeof path - 1);
        int fd = atoi(e->d_name);
        if (n < 0 || fd <= 2)
            continue;
        path[n] = '\0';
        CHECK_MSG(!names_shared_place(path), "descriptor %d is open on %s", fd, path);
        /* The Go runtime keeps the processor limits of the control group open. */
        CHECK_MSG(strncmp(path, "/sys/fs/cgroup/", 15) == 0 || strcmp(path, "/dev/null") == 0 ||
                      strncmp(path, "socket:", 7) == 0 || strncmp(path, "/memfd:", 7) == 0 || strncmp(path, "pipe:", 5) == 0 ||
                      strncmp(path, "anon_inode:", 11) == 0 || strncmp(path, "/proc/", 6) == 0,
                  "descriptor %d is open on %s", fd, path);
    }
    if (dir != NULL)
        closedir(dir);
}

static long peak_rss_kb(void)
{
    char line[256];
    long kb = -1;
    FILE *f = fopen("/proc/self/status", "r");
    while (f != NULL && fgets(line, sizeof line, f) != NULL)
        sscanf(line, "VmHWM: %ld kB", &kb);
    if (f != NULL)
        fclose(f);
    return kb;
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    int right = (me + 1) % np, left = (me + np - 1) % np, got = -1;
    CHECK_MPI(MPI_Sendrecv(&me, 1, MPI_INT, right, 0, &got, 1, MPI_INT, left, 0, MPI_COMM_WORLD,
                           MPI_STATUS_IGNORE));
    CHECK_EQ(got, left);
    CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));

    look_at_mappings();
    look_at_descriptors();
    long kb = peak_rss_kb();
    CHECK_MSG(kb > 0 && kb < 32 * 1024, "the peak resident size is %ld kB", kb);
    return check_finish();
}
