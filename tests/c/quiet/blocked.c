/*
 * A rank that waits uses no processor time, whatever it waits in (argument 1): rank 0 stays away from MPI for
 * some seconds, the others wait for it. They may use a twentieth of the time for that, and sleep a hundred
 * times in a second: each time that a rank has looked around, Go's monitor naps some fifty times.
 */
#include "quiet.h"

/* Too large to be sent before it is received, and small enough that its parts count for little. */
enum { LARGE = 400000 };
static char large[LARGE];

static void wait_in(const char *what)
{
    int v = -1;
    MPI_Request r;
    MPI_Status st;
    if (strcmp(what, "recv") == 0) {
        CHECK_MPI(MPI_Recv(&v, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &st));
    } else if (strcmp(what, "wait") == 0) {
        CHECK_MPI(MPI_Irecv(&v, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &r));
        CHECK_MPI(MPI_Wait(&r, &st));
    } else if (strcmp(what, "probe") == 0) {
        CHECK_MPI(MPI_Probe(0, 1, MPI_COMM_WORLD, &st));
        CHECK_MPI(MPI_Recv(&v, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &st));
    } else if (strcmp(what, "send") == 0) {
        CHECK_MPI(MPI_Send(large, LARGE, MPI_BYTE, 0, 2, MPI_COMM_WORLD));
    } else if (strcmp(what, "barrier") == 0) {
        CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
    } else if (strcmp(what, "allreduce") == 0) {
        CHECK_MPI(MPI_Allreduce(&me, &v, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    } else if (strcmp(what, "bcast") == 0) {
        CHECK_MPI(MPI_Bcast(&v, 1, MPI_INT, 0, MPI_COMM_WORLD));
    } else {
        CHECK_MSG(0, "unknown way of waiting: %s", what);
    }
}

static void let_go(const char *what)
{
    int v = 5;
    if (strcmp(what, "barrier") == 0 || strcmp(what, "allreduce") == 0 || strcmp(what, "bcast") == 0) {
        wait_in(what);
        return;
    }
    for (int to = 1; to < np; to++) {
        if (strcmp(what, "send") == 0)
            CHECK_MPI(MPI_Recv(large, LARGE, MPI_BYTE, to, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        else
            CHECK_MPI(MPI_Send(&v, 1, MPI_INT, to, 1, MPI_COMM_WORLD));
    }
}

static const char *what = "recv";

static int measure(int seconds, int last)
{
    if (me == 0) {
        stay_away(seconds);
        let_go(what);
        return 1;
    }
    struct usage begin = usage_of(RUSAGE_SELF);
    wait_in(what);
    struct usage u = usage_between(begin, usage_of(RUSAGE_SELF));
    int quiet = u.cpu < 0.05 * u.wall && (double)u.sleeps < 100 * u.wall && u.wall > 0.8 * seconds;
    CHECK_MSG(quiet || !last, "waiting in %s for %.2f of %d s used %.3f s of processor time and slept %ld times",
              what, u.wall, seconds, u.cpu, u.sleeps);
    return quiet;
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    if (argc > 1)
        what = argv[1];
    until_quiet(measure);
    return check_finish();
}
