/*
 * What the programs of this chapter have in common. Some ranks die on purpose, in each way that there is;
 * the others check, shrink MPI_COMM_WORLD in the end, and tell on standard output that all went well. The
 * exit code of the job is that of the first rank that has died.
 */
#ifndef GOMPI_TESTS_RECOVERY_H
#define GOMPI_TESTS_RECOVERY_H

#include "check.h"

#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#define RECOVERY_PATIENCE 60.0 /* seconds after which a failure will not be noticed any more */

CHECK_UNUSED
static void recovery_begin(int *argc, char ***argv)
{
    MPI_Init(argc, argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Called by all ranks of c before those from first to last die. These return when all others have called it:
 * a failure may end an operation for those that are still in it. Ranks that have failed are left out. */
CHECK_UNUSED
static void recovery_await_others(MPI_Comm c, int first, int last)
{
    enum { TAG = 31000 };
    int rank, size;

    MPI_Comm_rank(c, &rank);
    MPI_Comm_size(c, &size);
    for (int to = first; to <= last; to++)
        if (to != rank)
            MPI_Send(NULL, 0, MPI_BYTE, to, TAG, c);
    for (int from = 0; from < size; from++)
        if (from != rank && first <= rank && rank <= last)
            MPI_Recv(NULL, 0, MPI_BYTE, from, TAG, c, MPI_STATUS_IGNORE);
}

/* The ways to die. First the others get the time to wait for this rank. */
CHECK_UNUSED __attribute__((noreturn))
static void recovery_die(int how)
{
    usleep(30000);
    switch (how % 4) {
    case 0:
        raise(SIGKILL);
        break;
    case 1:
        _exit(9);
    case 2:
        exit(0);
    case 3:
        signal(SIGSEGV, SIG_DFL);
        raise(SIGSEGV);
        break;
    }
    _exit(1);
}

static void recovery_alarm(int sig)
{
    (void)sig;
    raise(SIGKILL);
}

/* Dies so many microseconds from now, whatever the rank is doing then. */
CHECK_UNUSED
static void recovery_die_after(long microseconds)
{
    struct itimerval when = {{0, 0}, {microseconds / 1000000, microseconds % 1000000}};

    signal(SIGALRM, recovery_alarm);
    setitimer(ITIMER_REAL, &when, NULL);
}

CHECK_UNUSED
static int error_class(int rc)
{
    int class;

    MPI_Error_class(rc, &class);
    return class;
}

/* Counts the processes of c that are known to have failed. */
CHECK_UNUSED
static int failures(MPI_Comm c)
{
    MPI_Group g;
    int n;

    CHECK_MPI(MPIX_Comm_get_failed(c, &g));
    MPI_Group_size(g, &n);
    if (g != MPI_GROUP_EMPTY)
        MPI_Group_free(&g);
    return n;
}

/* Waits until n processes of c are known to have failed. */
CHECK_UNUSED
static void await_failures(MPI_Comm c, int n)
{
    double since = MPI_Wtime();

    while (failures(c) < n && MPI_Wtime() - since < RECOVERY_PATIENCE)
        usleep(200);
    CHECK_EQ(failures(c), n);
}

/* A communicator of all that live, in which collectives work. */
CHECK_UNUSED
static MPI_Comm living(MPI_Comm c)
{
    MPI_Comm rest;
    int sum, one = 1, size;

    CHECK_MPI(MPIX_Comm_shrink(c, &rest));
    MPI_Comm_size(rest, &size);
    CHECK_MPI(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, rest));
    CHECK_EQ(sum, size);
    return rest;
}

CHECK_UNUSED
static int recovery_end(int lost)
{
    MPI_Comm rest = living(MPI_COMM_WORLD);
    int failed = 0, size, rank;

    MPI_Comm_size(rest, &size);
    MPI_Comm_rank(rest, &rank);
    CHECK_EQ(size, np - lost);
    CHECK_MPI(MPI_Reduce(&check_failed, &failed, 1, MPI_INT, MPI_SUM, 0, rest));
    if (rank == 0 && failed == 0)
        printf("recovered without %d of %d\n", lost, np);
    MPI_Comm_free(&rest);
    MPI_Finalize();
    return failed != 0;
}

#endif
