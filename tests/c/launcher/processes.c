/* A rank may start other programs: system, popen, fork and exec, posix_spawn; its own MPI goes on meanwhile.
 */
#define _GNU_SOURCE
#include "check.h"
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    for (int i = 0; i < 5; i++) {
        CHECK_EQ(system("exit 7"), 7 << 8);

        char line[64] = "";
        FILE *p = popen("echo from a child", "r");
        CHECK(p != NULL && fgets(line, sizeof line, p) != NULL && strcmp(line, "from a child\n") == 0);
        if (p != NULL)
            CHECK_EQ(pclose(p), 0);

        pid_t pid = fork();
        if (pid == 0) {
            execlp("sh", "sh", "-c", "exit 3", (char *)NULL);
            _exit(99);
        }
        int status = 0;
        CHECK_EQ(waitpid(pid, &status, 0), pid);
        CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 3);

        char *args[] = {"true", NULL};
        CHECK_EQ(posix_spawnp(&pid, "true", NULL, NULL, args, environ), 0);
        CHECK_EQ(waitpid(pid, &status, 0), pid);
        CHECK_EQ(status, 0);

        int sum = -1;
        CHECK_MPI(MPI_Allreduce(&me, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
        CHECK_EQ(sum, np * (np - 1) / 2);
    }

#ifdef TEST_GOMPI
    /* What the library has open is not handed down to the programs that a rank starts. */
    char listing[4096] = "";
    FILE *p = popen("ls -l /proc/self/fd", "r");
    size_t n = p == NULL ? 0 : fread(listing, 1, sizeof listing - 1, p);
    listing[n] = '\0';
    CHECK_EQ(p == NULL ? -1 : pclose(p), 0);
    CHECK_MSG(strstr(listing, "memfd:") == NULL && strstr(listing, "socket:") == NULL, "a child inherits: %s", listing);
#endif
    return check_finish();
}
