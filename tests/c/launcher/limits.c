/*
 * Limits that are too small end a program, and mpiexec, with one line that names the limit, and no trace of
 * the Go runtime; at limits that suffice both work. argv: mpiexec; or child, a rank.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "mpi.h"

static int failed;

static struct attempt {
    int resource;
    rlim_t limit;
    const char *name;   /* of the limit, as the line says it */
    int mpiexec, alone; /* whether they work */
} attempts[] = {
    {RLIMIT_AS, (rlim_t)500000 << 10, "ulimit -v", 0, 0},
    {RLIMIT_AS, (rlim_t)1200000 << 10, "ulimit -v", 0, 0},
    {RLIMIT_AS, (rlim_t)2400000 << 10, "ulimit -v", 1, 1}, /* a thread more takes 128 MiB */
    {RLIMIT_DATA, (rlim_t)40000 << 10, "ulimit -d", 0, 0},
    {RLIMIT_DATA, (rlim_t)60000 << 10, "ulimit -d", 0, 0},
    {RLIMIT_DATA, (rlim_t)400000 << 10, "ulimit -d", 1, 1},
    {RLIMIT_STACK, (rlim_t)64 << 10, "ulimit -s", 1, 1},
    {RLIMIT_NOFILE, 4, "ulimit -n", 0, 0},
    {RLIMIT_NOFILE, 64, "ulimit -n", 1, 1},
    {RLIMIT_NPROC, 3, "ulimit -u", 0, 0},
};

/* Runs a command under the limit; its output is to be empty, or one line with the name, or several such with
 * mpiexec's own. */
static void attempt(const struct attempt *a, char *const command[], int works, int lines)
{
    char said[65536];
    size_t n = 0;
    ssize_t got;
    int out[2], status, count = 0;
    if (pipe(out) != 0)
        exit(2);
    pid_t pid = fork();
    if (pid == 0) {
        struct rlimit limit = {a->limit, a->limit};
        dup2(out[1], 1);
        dup2(out[1], 2);
        close(out[0]);
        close(out[1]);
        if (a->resource == RLIMIT_NPROC &&
            (setuid(54321) != 0 || access(command[0], X_OK) != 0)) /* root has no such limit */
            _exit(77);
        if (setrlimit(a->resource, &limit) != 0)
            _exit(2);
        execv(command[0], command);
        _exit(3);
    }
    close(out[1]);
    while (n < sizeof said - 1 && (got = read(out[0], said + n, sizeof said - 1 - n)) > 0)
        n += (size_t)got;
    said[n] = '\0';
    close(out[0]);
    waitpid(pid, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
        return;
    for (const char *p = said; (p = strchr(p, '\n')) != NULL; p++)
        count++;
    int good = works ? status == 0 && n == 0
                     : status != 0 && count >= 1 && count <= lines && strstr(said, a->name) != NULL &&
                           strstr(said, "goroutine") == NULL;
    if (!good) {
        fprintf(stderr, "%s %s at %llu: status %#x, %s\n", command[0], a->name, (unsigned long long)a->limit, status, said);
        failed = 1;
    }
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "child") == 0) {
        MPI_Init(&argc, &argv);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Finalize();
        return 0;
    }
    char *alone[] = {argv[0], "child", NULL};
    char *job[] = {argv[1], "-n", "2", argv[0], "child", NULL};
    for (size_t i = 0; i < sizeof attempts / sizeof *attempts; i++) {
        attempt(&attempts[i], alone, attempts[i].alone, 1);
        attempt(&attempts[i], job, attempts[i].mpiexec,
                4); /* a line of each rank, and of mpiexec on their ends */
    }
    return failed;
}
