/* A signal that mpiexec gets (run.sh sends it) reaches every rank, even one that is blocked in MPI. */
#include "check.h"
#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t seen;

static void handler(int sig) { seen = sig; }

int main(int argc, char **argv)
{
    struct sigaction a;
    memset(&a, 0, sizeof a);
    a.sa_handler = handler;
    int sig = argc > 1 && strcmp(argv[1], "USR2") == 0  ? SIGUSR2
              : argc > 1 && strcmp(argv[1], "HUP") == 0 ? SIGHUP
                                                        : SIGUSR1;
    sigaction(sig, &a, NULL);
    check_init(&argc, &argv);
    printf("ready\n");
    fflush(stdout);

    int v = 0;
    if (me == 0) {
        /* The others sit in a receive until rank 0 has had the signal. */
        for (int i = 0; i < 10000 && !seen; i++)
            usleep(10000);
        usleep(100000);
        for (int to = 1; to < np; to++)
            CHECK_MPI(MPI_Send(&v, 1, MPI_INT, to, 1, MPI_COMM_WORLD));
    } else {
        CHECK_MPI(MPI_Recv(&v, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    }
    /* mpiexec signals one rank after the other. */
    for (int i = 0; i < 10000 && !seen; i++)
        usleep(10000);
    CHECK_EQ(seen, sig);
    return check_finish();
}
