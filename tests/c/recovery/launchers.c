/*
 * Two jobs, each with a launcher of its own, that have connected. Started without a launcher, with the path
 * of one and a case, the program starts both as itself. Of the first job, which survives deaths, those that
 * live always come to an end:
 *
 *   one      one of the second job dies, which survives that: all others of both agree, and shrink
 *   all      the second job is gone at once, its launcher first
 *   mortal   the second job does not survive a death: all of it have failed
 *   cut      one of the first dies, and the second, which does not survive deaths, is cut off by that: each
 *            job is all that is left for its own processes
 */
#include "recovery.h"

#include <errno.h>
#include <sys/wait.h>

enum { SIZE = 3 };

static pid_t start(char **argv, const char *number, const char *service, int recovers)
{
    pid_t pid = fork();

    if (pid == 0) {
        execl(argv[1], argv[1], recovers ? "--enable-recovery" : "--disable-recovery", "-n", "3", argv[0], "-", argv[2],
              number, service, (char *)NULL);
        perror("exec");
        _exit(99);
    }
    return pid;
}

static int await(pid_t pid)
{
    int status = 0;

    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        continue;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static int lead(char **argv)
{
    char service[64];
    int mortal = !strcmp(argv[2], "mortal"), cut = !strcmp(argv[2], "cut");

    snprintf(service, sizeof service, "launchers-%d", (int)getpid());
    pid_t first = start(argv, "0", service, 1), second = start(argv, "1", service, !mortal && !cut);
    int a = await(first), b = await(second);
    if ((cut ? a != 137 : a != 0) || (cut ? b != 0 : b == 0)) {
        fprintf(stderr, "case %s: the jobs have ended with %d and %d\n", argv[2], a, b);
        return 1;
    }
    return 0;
}

static MPI_Comm meet(int job, const char *service)
{
    char port[MPI_MAX_PORT_NAME] = "";
    MPI_Comm inter;

    if (job == 0) {
        if (me == 0) {
            CHECK_MPI(MPI_Open_port(MPI_INFO_NULL, port));
            CHECK_MPI(MPI_Publish_name(service, MPI_INFO_NULL, port));
        }
        CHECK_MPI(MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &inter));
        return inter;
    }
    if (me == 0)
        while (MPI_Lookup_name(service, MPI_INFO_NULL, port) != MPI_SUCCESS)
            usleep(2000);
    CHECK_MPI(MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &inter));
    return inter;
}

/* Those that are left of c, of which n have failed. */
static void survive(MPI_Comm c, int n)
{
    MPI_Comm rest;
    int size, left, flag = 1, sum, one = 1;

    MPI_Comm_size(c, &size);
    await_failures(c, n);
    CHECK_CLASS(MPIX_Comm_agree(c, &flag), MPIX_ERR_PROC_FAILED);
    CHECK_MPI(MPIX_Comm_revoke(c));
    CHECK_MPI(MPIX_Comm_shrink(c, &rest));
    MPI_Comm_size(rest, &left);
    CHECK_EQ(left, size - n);
    CHECK_MPI(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, rest));
    CHECK_EQ(sum, left);
    CHECK_MPI(MPI_Comm_disconnect(&rest));
}

int main(int argc, char **argv)
{
    MPI_Comm inter, all;
    int flag = 1;

    if (strcmp(argv[1], "-"))
        return lead(argv);
    char *which = argv[2];
    int job = atoi(argv[3]), one = !strcmp(which, "one"), cut = !strcmp(which, "cut");
    recovery_begin(&argc, &argv);
    inter = meet(job, argv[4]);
    CHECK_MPI(MPI_Intercomm_merge(inter, job, &all));
    MPI_Comm_set_errhandler(inter, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(all, MPI_ERRORS_RETURN);
    /* The one that dies waits until the others have come out of the barrier. */
    CHECK_MPI(MPI_Barrier(all));
    int victim = cut ? 1 : SIZE + 1;
    if (me + job * SIZE != victim)
        CHECK_MPI(MPI_Send(NULL, 0, MPI_BYTE, victim, 7, all));
    else {
        for (int i = 1; i < 2 * SIZE; i++)
            CHECK_MPI(MPI_Recv(NULL, 0, MPI_BYTE, MPI_ANY_SOURCE, 7, all, MPI_STATUS_IGNORE));
        if (!strcmp(which, "all"))
            kill(getppid(), SIGKILL);
        else
            raise(SIGKILL);
        sleep(30);
    }
    if (cut && job == 1) {
        CHECK_CLASS(MPI_Barrier(all), MPI_ERR_PROC_ABORTED);
        CHECK_CLASS(MPIX_Comm_agree(all, &flag), MPI_ERR_PROC_ABORTED);
        CHECK_CLASS(MPIX_Comm_agree(inter, &flag), MPI_ERR_PROC_ABORTED);
        CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
    } else if (job == 1 && !one) {
        MPI_Barrier(MPI_COMM_WORLD);
        sleep(30); /* it is being ended */
    } else {
        CHECK_CLASS(MPI_Barrier(all), MPIX_ERR_PROC_FAILED);
        survive(all, one ? 1 : cut ? SIZE + 1 : SIZE);
        await_failures(inter, one ? 1 : cut ? SIZE + 1 : SIZE);
        CHECK_CLASS(MPIX_Comm_agree(inter, &flag), MPIX_ERR_PROC_FAILED);
    }
    CHECK_MPI(MPI_Comm_disconnect(&all));
    CHECK_MPI(MPI_Comm_disconnect(&inter));
    MPI_Finalize();
    return check_failed != 0;
}
