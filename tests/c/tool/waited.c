/*
 * The time that a process waits for others in MPI calls is counted, whatever the call and however it waits,
 * and no more than that: not the time that it computes, nor that of calls that return at once. Argument
 * "threads": at MPI_THREAD_MULTIPLE.
 */
#include "check.h"

#include <unistd.h>

enum { RECV, WAIT, WAITANY, PROBE, SENDRECV, SSEND, BARRIER, BCAST, ALLREDUCE, IBARRIER, FENCE, CASES };

static MPI_T_pvar_session session;
static MPI_T_pvar_handle waited, asleep;
static MPI_Win win;
static int data, more;

static double value(MPI_T_pvar_handle h)
{
    double v = -1;
    CHECK_MPI(MPI_T_pvar_read(session, h, &v));
    return v;
}

/* Rank 0 comes late, all others wait for it. */
static void call(int which)
{
    MPI_Request r[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    MPI_Comm comm = MPI_COMM_WORLD;
    int index;
    if (me == 0 && which == SSEND) {
        for (int i = 1; i < np; i++)
            CHECK_MPI(MPI_Recv(&data, 1, MPI_INT, i, 1, comm, MPI_STATUS_IGNORE));
    } else if (me == 0 && which < SSEND) {
        for (int i = 1; i < np; i++)
            CHECK_MPI(MPI_Send(&data, 1, MPI_INT, i, 1, comm));
    }
    switch (which) {
    case RECV:
        if (me > 0)
            CHECK_MPI(MPI_Recv(&data, 1, MPI_INT, 0, 1, comm, MPI_STATUS_IGNORE));
        break;
    case WAIT:
    case WAITANY:
        if (me > 0)
            CHECK_MPI(MPI_Irecv(&data, 1, MPI_INT, 0, 1, comm, r));
        if (which == WAIT)
            CHECK_MPI(MPI_Wait(r, MPI_STATUS_IGNORE));
        else
            CHECK_MPI(MPI_Waitany(2, r, &index, MPI_STATUS_IGNORE));
        break;
    case PROBE:
        if (me > 0) {
            CHECK_MPI(MPI_Probe(0, 1, comm, MPI_STATUS_IGNORE));
            CHECK_MPI(MPI_Recv(&data, 1, MPI_INT, 0, 1, comm, MPI_STATUS_IGNORE));
        }
        break;
    case SENDRECV:
        if (me > 0)
            CHECK_MPI(MPI_Sendrecv(&more, 0, MPI_INT, MPI_PROC_NULL, 0, &data, 1, MPI_INT, 0, 1, comm,
                                   MPI_STATUS_IGNORE));
        break;
    case SSEND:
        if (me > 0)
            CHECK_MPI(MPI_Ssend(&data, 1, MPI_INT, 0, 1, comm));
        break;
    case BARRIER:
        CHECK_MPI(MPI_Barrier(comm));
        break;
    case BCAST:
        CHECK_MPI(MPI_Bcast(&data, 1, MPI_INT, 0, comm));
        break;
    case ALLREDUCE:
        CHECK_MPI(MPI_Allreduce(&data, &more, 1, MPI_INT, MPI_MAX, comm));
        break;
    case IBARRIER:
        CHECK_MPI(MPI_Ibarrier(comm, r));
        CHECK_MPI(MPI_Wait(r, MPI_STATUS_IGNORE));
        break;
    case FENCE:
        CHECK_MPI(MPI_Win_fence(0, win));
        break;
    }
}

int main(int argc, char **argv)
{
    int provided, index, count, flag;
    MPI_Request r;
    CHECK_MPI(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided));
    if (argc > 1) {
        MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
        check_know_world();
    } else {
        check_init(&argc, &argv);
    }
    CHECK_MPI(MPI_T_pvar_session_create(&session));
    CHECK_MPI(MPI_T_pvar_get_index("time_waited", MPI_T_PVAR_CLASS_TIMER, &index));
    CHECK_MPI(MPI_T_pvar_handle_alloc(session, index, NULL, &waited, &count));
    CHECK_MPI(MPI_T_pvar_get_index("time_asleep", MPI_T_PVAR_CLASS_TIMER, &index));
    CHECK_MPI(MPI_T_pvar_handle_alloc(session, index, NULL, &asleep, &count));
    CHECK_MPI(MPI_T_pvar_start(session, waited));
    CHECK_MPI(MPI_T_pvar_start(session, asleep));
    CHECK_MPI(MPI_Win_create(&data, sizeof data, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    CHECK_MPI(MPI_Win_fence(0, win));
    CHECK_MPI(MPI_Win_fence(0, win));

    for (int which = 0; which < CASES; which++) {
        /* Where other programs are busy, a rank may get no processor for a while, in its call or before: once
         * more then. */
        for (int try = 0, enough = 0; !enough; try++) {
            const double late = 0.1, most = late * 32;
            CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
            double before = value(waited), began = MPI_Wtime();
            if (me == 0)
                usleep((useconds_t)(late * 1e6) << try);
            if (me == 0)
                CHECK_MSG(value(waited) == before, "%g s were counted as waited in which the rank was not in MPI", value(waited) - before);
            call(which);
            double lasted = MPI_Wtime() - began, counted = value(waited) - before;
            enough = me == 0 || counted > late * (1 << try) / 2;
            CHECK_MSG(counted <= lasted + 1e-4, "case %d has waited for %g of %g s", which, counted, lasted);
            if (late * (1 << try) >= most) {
                CHECK_MSG(enough, "case %d has waited for %g of %g s", which, counted, lasted);
                enough = 1;
            }
            CHECK_MPI(MPI_Allreduce(MPI_IN_PLACE, &enough, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD));
        }
    }
    CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
    double before = value(waited);
    CHECK_MPI(MPI_Irecv(&data, 1, MPI_INT, me, 2, MPI_COMM_WORLD, &r));
    for (int i = 0; i < 20000; i++) {
        CHECK_MPI(MPI_Test(&r, &flag, MPI_STATUS_IGNORE));
        CHECK_MPI(MPI_Iprobe(MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE));
    }
    CHECK_MSG(value(waited) == before, "%g s were counted as waited in calls that do not wait", value(waited) - before);
    CHECK_MPI(MPI_Send(&more, 1, MPI_INT, me, 2, MPI_COMM_WORLD));
    CHECK_MPI(MPI_Wait(&r, MPI_STATUS_IGNORE));
    if (me > 0)
        CHECK_MSG(value(asleep) <= value(waited) + 1e-3, "%g s waited, %g asleep", value(waited), value(asleep));
    CHECK_MPI(MPI_Win_free(&win));
    int rc = check_finish();
    CHECK_MPI(MPI_T_pvar_session_free(&session));
    CHECK_MPI(MPI_T_finalize());
    return rc || check_failed;
}
