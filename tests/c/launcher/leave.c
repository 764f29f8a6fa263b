/*
 * Ways in which one rank (argument 2, default the last) leaves the job while the others are in a barrier: argument 1.
 * The job must end at once, with the right code.
 */
#include "check.h"
#include <alloca.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

static void leave(const char *how)
{
    volatile int zero = 0, seven = 7;
    if (strcmp(how, "segv") == 0)
        *(volatile int *)(uintptr_t)8 = 1;
    else if (strcmp(how, "call") == 0)
        ((void (*)(void))(uintptr_t)16)();
    else if (strcmp(how, "fpe") == 0)
        raise(SIGFPE);
    else if (strcmp(how, "divide") == 0)
        printf("%d\n", seven / zero);
    else if (strcmp(how, "bus") == 0)
        raise(SIGBUS);
    else if (strcmp(how, "abort") == 0)
        abort();
    else if (strcmp(how, "kill") == 0)
        raise(SIGKILL);
    else if (strcmp(how, "term") == 0)
        raise(SIGTERM);
    else if (strcmp(how, "pipe") == 0) {
        int fd[2];
        if (pipe(fd) == 0) {
            close(fd[0]);
            if (write(fd[1], "x", 1) != 1)
                perror("write"); /* not reached: SIGPIPE */
        }
    } else if (strcmp(how, "stack") == 0) {
        /* An endless recursion that the compiler cannot see through. */
        char *deep = alloca(100000);
        deep[0] = (char)zero;
        leave(how);
        deep[1] = deep[0];
    } else if (strncmp(how, "exit", 4) == 0)
        exit(atoi(how + 4));
    else if (strncmp(how, "_exit", 5) == 0)
        _exit(atoi(how + 5));
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "segv";
    if (strncmp(how, "early-", 6) == 0)
        leave(how + 6);
    check_init(&argc, &argv);
    if (me == (argc > 2 ? atoi(argv[2]) : np - 1))
        leave(how);
    for (;;)
        MPI_Barrier(MPI_COMM_WORLD);
}
