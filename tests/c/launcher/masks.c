/*
 * What the library does to the signals of a program: nothing. The masks of the program's threads stay as they
 * were; the library's own threads have all signals blocked that a program may be waiting for; a handler with
 * SA_ONSTACK runs on the alternate stack of the program, and has room on a thread without one.
 */
#define _GNU_SOURCE
#include "check.h"
#include <dirent.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* The signals that the kernel raises for what an instruction does, and the two that the C library keeps for
 * itself. */
static int may_be_unblocked(int sig)
{
    return sig == SIGSEGV || sig == SIGBUS || sig == SIGFPE || sig == SIGILL || sig == SIGTRAP ||
           sig == SIGSTKFLT || sig == SIGKILL || sig == SIGSTOP || sig == 32 || sig == 33 || sig == 34;
}

static void library_threads_block(void)
{
    char path[64], line[256];
    int seen = 0;
    DIR *d = opendir("/proc/self/task");
    for (struct dirent *e; d && (e = readdir(d)) != NULL;) {
        if (e->d_name[0] == '.' || atoi(e->d_name) == getpid())
            continue;
        snprintf(path, sizeof path, "/proc/self/task/%.20s/status", e->d_name);
        FILE *f = fopen(path, "r");
        if (!f)
            continue;
        seen++;
        while (fgets(line, sizeof line, f)) {
            unsigned long long blocked;
            if (sscanf(line, "SigBlk: %llx", &blocked) != 1)
                continue;
            for (int sig = 1; sig <= 64; sig++)
                CHECK_MSG(blocked >> (sig - 1) & 1 || may_be_unblocked(sig), "signal %d is not blocked in thread %s", sig, e->d_name);
        }
        fclose(f);
    }
    closedir(d);
    CHECK(seen > 0);
}

static void use_library(void)
{
    int v = me, sum;
    MPI_Comm dup;
    CHECK_MPI(MPI_Allreduce(&v, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &dup));
    CHECK_MPI(MPI_Comm_free(&dup));
}

/* With a mask of its own, or with an empty one; the library leaves it. */
static void *keeps_mask(void *blocked)
{
    sigset_t before, after;
    sigfillset(&before);
    if (!blocked)
        sigemptyset(&before);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_sigmask(SIG_SETMASK, NULL, &before);
    use_library();
    pthread_sigmask(SIG_SETMASK, NULL, &after);
    for (int sig = 1; sig <= 64; sig++)
        CHECK_MSG(sigismember(&before, sig) == sigismember(&after, sig), "signal %d was %s", sig,
                  sigismember(&before, sig) ? "blocked" : "not blocked");
    return NULL;
}

/* A blocked SIGCHLD is there for sigwait. */
static void child_is_reported(void)
{
    const struct timespec long_enough = {20, 0};
    sigset_t child;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    pthread_sigmask(SIG_BLOCK, &child, NULL);
    pid_t pid = fork();
    if (pid == 0)
        _exit(0);
    CHECK_EQ(sigtimedwait(&child, NULL, &long_enough), SIGCHLD);
    CHECK_EQ(waitpid(pid, NULL, 0), pid);
    pthread_sigmask(SIG_UNBLOCK, &child, NULL);
}

static volatile uintptr_t place; /* of the last handler's frame */

static void large(int sig)
{
    volatile char room[200 << 10];
    (void)sig;
    for (size_t i = 0; i < sizeof room; i += 100)
        room[i] = 1;
    place = (uintptr_t)room;
}

static void *on_stack(void *stack)
{
    stack_t s = {.ss_sp = stack, .ss_size = 300 << 10};
    if (stack)
        CHECK_EQ(sigaltstack(&s, NULL), 0);
    use_library();
    place = 0;
    raise(SIGUSR1);
    if (stack)
        CHECK(place - (uintptr_t)stack < s.ss_size);
    CHECK(place != 0);
    use_library();
    return NULL;
}

static void in_thread(void *(*function)(void *), void *argument)
{
    pthread_t t;
    CHECK_EQ(pthread_create(&t, NULL, function, argument), 0);
    pthread_join(t, NULL);
}

int main(int argc, char **argv)
{
    struct sigaction a = {.sa_handler = large, .sa_flags = SA_ONSTACK};
    struct sigaction urgent;
    sigset_t before, after;
    int provided;
    pthread_sigmask(SIG_SETMASK, NULL, &before);
    sigaddset(&before, SIGPROF);
    sigaddset(&before, SIGCHLD);
    sigaddset(&before, SIGURG);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    CHECK_MPI(MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided));
    check_know_world();
    pthread_sigmask(SIG_SETMASK, NULL, &after);
    for (int sig = 1; sig <= 64; sig++)
        CHECK_MSG(sigismember(&before, sig) == sigismember(&after, sig), "MPI_Init has changed the mask of signal %d", sig);
    sigaction(SIGURG, NULL, &urgent);
    CHECK(urgent.sa_handler == SIG_DFL);
    use_library();
    library_threads_block();
    in_thread(keeps_mask, NULL);
    in_thread(keeps_mask, argv);
    child_is_reported();
    sigaction(SIGUSR1, &a, NULL);
    void *stack = malloc(300 << 10);
    in_thread(on_stack, stack);
    in_thread(on_stack, NULL);
    on_stack(NULL);
    library_threads_block();
    return check_finish();
}
