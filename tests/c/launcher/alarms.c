/*
 * Timer signals all the time, with handlers that do not restart system calls: blocking calls go on waiting,
 * nothing is lost, and the handler runs.
 */
#include "check.h"
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

static volatile sig_atomic_t ticks;

static void tick(int sig)
{
    (void)sig;
    ticks++;
}

int main(int argc, char **argv)
{
    struct sigaction a;
    struct itimerval every = {{0, 1000}, {0, 1000}}, off = {{0, 0}, {0, 0}};
    check_init(&argc, &argv);
    memset(&a, 0, sizeof a);
    a.sa_handler = tick;
    CHECK_EQ(sigaction(SIGALRM, &a, NULL), 0);
    CHECK_EQ(setitimer(ITIMER_REAL, &every, NULL), 0);

    enum { N = 400000 };
    unsigned char *out = check_alloc(N), *in = check_alloc(N);
    int to = (me + 1) % np, from = (me + np - 1) % np, v = me;

    /* Long waits, until each rank has been interrupted often. */
    for (int fewest = 0; fewest <= 20;) {
        if (me == 0) {
            struct timeval begin, now;
            gettimeofday(&begin, NULL);
            do
                gettimeofday(&now, NULL);
            while ((now.tv_sec - begin.tv_sec) * 1000000 + now.tv_usec - begin.tv_usec < 400000);
        }
        int own = ticks;
        CHECK_MPI(MPI_Allreduce(&own, &fewest, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD));
    }

    for (int i = 0; i < 150; i++) {
        int n = i % 3 == 0 ? N - i : i * 10;
        MPI_Request r;
        check_fill(out, n, me * 1000 + i);
        CHECK_MPI(MPI_Isend(out, n, MPI_BYTE, to, 2, MPI_COMM_WORLD, &r));
        CHECK_MPI(MPI_Recv(in, N, MPI_BYTE, from, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        CHECK_MPI(MPI_Wait(&r, MPI_STATUS_IGNORE));
        CHECK_DATA(in, n, from * 1000 + i);
        CHECK_MPI(MPI_Bcast(&v, 1, MPI_INT, i % np, MPI_COMM_WORLD));
    }
    setitimer(ITIMER_REAL, &off, NULL);
    check_free(out);
    check_free(in);
    return check_finish();
}
