/* Signal handlers of the program work as without MPI: for faults of its own, for SIGPIPE, and an alternate
 * stack. */
#include "check.h"
#include <setjmp.h>
#include <signal.h>
#include <unistd.h>

static sigjmp_buf back;
static volatile sig_atomic_t seen;

static void handler(int sig)
{
    seen = sig;
    siglongjmp(back, 1);
}

static void catch(int sig, int flags)
{
    struct sigaction a;
    memset(&a, 0, sizeof a);
    a.sa_handler = handler;
    a.sa_flags = flags;
    CHECK_EQ(sigaction(sig, &a, NULL), 0);
}

static void fault(void) { *(volatile int *)(uintptr_t)24 = 1; }

static void expect(int sig, void (*cause)(void))
{
    seen = 0;
    if (sigsetjmp(back, 1) == 0) {
        cause();
        CHECK_MSG(0, "signal %d did not come", sig);
    }
    CHECK_EQ(seen, sig);
}

static void broken_pipe(void)
{
    int fd[2];
    CHECK_EQ(pipe(fd), 0);
    close(fd[0]);
    if (write(fd[1], "x", 1) < 0)
        check_count();
    close(fd[1]);
}

static void by_zero(void) { raise(SIGFPE); }

int main(int argc, char **argv)
{
    int early = argc > 1 && strcmp(argv[1], "early") == 0;
    if (early) {
        catch(SIGSEGV, 0);
        catch(SIGFPE, 0);
        catch(SIGPIPE, 0);
    }
    check_init(&argc, &argv);
    if (!early) {
        catch(SIGSEGV, SA_ONSTACK);
        catch(SIGFPE, 0);
        catch(SIGPIPE, SA_RESTART);
    }
    for (int i = 0; i < 3; i++) {
        int sum = -1;
        expect(SIGSEGV, fault);
        expect(SIGFPE, by_zero);
        expect(SIGPIPE, broken_pipe);
        CHECK_MPI(MPI_Allreduce(&me, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
        CHECK_EQ(sum, np * (np - 1) / 2);
    }
    signal(SIGPIPE, SIG_IGN);
    broken_pipe();
    return check_finish();
}
