/* MPI_Wtime runs forward at the speed of the clock on the wall, MPI_Wtick is a resolution it keeps. */
#include "check.h"
#include <time.h>

static double clock_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    double tick = MPI_Wtick();
    CHECK_MSG(tick > 0 && tick <= 1e-5, "MPI_Wtick is %g", tick);

    double last = MPI_Wtime();
    int steps = 0;
    for (int i = 0; i < 100000; i++) {
        double now = MPI_Wtime();
        CHECK_MSG(now >= last, "time ran back by %g s", last - now);
        if (now > last) {
            steps++;
            CHECK_MSG(now - last >= tick * 0.5, "a step of %g s is below the tick of %g s", now - last, tick);
        }
        last = now;
    }
    CHECK(steps > 0);

    /* The clock is read around both readings of MPI_Wtime, so that it does not matter how long a busy machine
     * takes in between. */
    double most = -clock_seconds(), mpi = -MPI_Wtime(), least = -clock_seconds();
    struct timespec pause = {0, 200 * 1000 * 1000};
    nanosleep(&pause, NULL);
    least += clock_seconds();
    mpi += MPI_Wtime();
    most += clock_seconds();
    const double slack = 1e-3 * most; /* the clocks may run at speeds that differ a little */
    CHECK_MSG(mpi >= least - slack && mpi <= most + slack, "slept %g to %g s by the clock, %g s by MPI_Wtime", least, most, mpi);
    return check_finish();
}
