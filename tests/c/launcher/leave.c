/*
 * Ways in which one rank (argument 2, default the last) leaves the job: argument 1. The others are in a
 * barrier, or in what argument 3 names. The job must end at once, with the right code.
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
    } else if (strncmp(how, "sent-", 5) == 0) {
        /* By another process, while this one is in the library. */
        pid_t target = getpid();
        char never;
        if (fork() == 0) {
            usleep(100000);
            kill(target, atoi(how + 5));
            _exit(0);
        }
        MPI_Recv(&never, 1, MPI_CHAR, me, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (strncmp(how, "exit", 4) == 0)
        exit(atoi(how + 4));
    else if (strncmp(how, "_exit", 5) == 0)
        _exit(atoi(how + 5));
}

/* Waits for the one that leaves, in any of the ways in which a rank can wait. */
static void stay(const char *where)
{
    static char large[3000000];
    int gone = np - 1, v = 0, sum = 0, flag = 0;
    MPI_Request r;
    if (strcmp(where, "recv") == 0) {
        MPI_Recv(&v, 1, MPI_INT, gone, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (strcmp(where, "any") == 0) {
        MPI_Recv(&v, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (strcmp(where, "send") == 0) {
        MPI_Send(large, sizeof large, MPI_BYTE, gone, 1, MPI_COMM_WORLD);
    } else if (strcmp(where, "flood") == 0) {
        for (;;)
            MPI_Send(large, 100, MPI_BYTE, gone, 1, MPI_COMM_WORLD);
    } else if (strcmp(where, "wait") == 0) {
        MPI_Irecv(&v, 1, MPI_INT, gone, 1, MPI_COMM_WORLD, &r);
        MPI_Wait(&r, MPI_STATUS_IGNORE);
    } else if (strcmp(where, "test") == 0) {
        MPI_Irecv(&v, 1, MPI_INT, gone, 1, MPI_COMM_WORLD, &r);
        while (!flag)
            MPI_Test(&r, &flag, MPI_STATUS_IGNORE);
    } else if (strcmp(where, "probe") == 0) {
        MPI_Probe(gone, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (strcmp(where, "allreduce") == 0) {
        MPI_Allreduce(&v, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    } else if (strcmp(where, "compute") == 0) {
        for (;;)
            __asm__ volatile("");
    } else if (strcmp(where, "stubborn") == 0) {
        signal(SIGTERM, SIG_IGN);
        for (;;)
            sleep(1);
    } else {
        MPI_Barrier(MPI_COMM_WORLD);
    }
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
        stay(argc > 3 ? argv[3] : "barrier");
}
