/*
 * Agreements: all ranks that return have the same flag and the same result, while ranks die before, in the
 * middle and after, the first ones first. An agreement fails with MPIX_ERR_PROC_FAILED, on all, as long as
 * not all have acknowledged each failure. What the ranks have seen goes around by agreements of the
 * outcomes.
 *
 *     agree LOSSES [SEED]
 */
#include "recovery.h"

enum { ROUNDS = 60, MOST = 64 };

/* Flags and results of the rounds of this rank, which all others must have had, too. */
static int outcome[ROUNDS][2];

static void unacknowledged(void)
{
    int flag, acked;

    flag = 1 << me;
    flag = ~flag;
    CHECK_CLASS(MPIX_Comm_agree(MPI_COMM_WORLD, &flag), MPIX_ERR_PROC_FAILED);
    CHECK_EQ(flag & (1 << me), 0);
    if (me == 0) /* one that has acknowledged is not enough */
        CHECK_MPI(MPIX_Comm_failure_ack(MPI_COMM_WORLD));
    flag = -1;
    CHECK_CLASS(MPIX_Comm_agree(MPI_COMM_WORLD, &flag), np - 1 > 1 ? MPIX_ERR_PROC_FAILED : MPI_SUCCESS);
    CHECK_EQ(flag, -1);
    CHECK_MPI(MPIX_Comm_ack_failed(MPI_COMM_WORLD, np, &acked));
    CHECK_EQ(acked, 1);
    flag = 6;
    CHECK_MPI(MPIX_Comm_agree(MPI_COMM_WORLD, &flag));
    CHECK_EQ(flag, 6);
}

/* Several at once, completed in any order. */
static void nonblocking(void)
{
    int flags[8];
    MPI_Request r[8];

    for (int i = 0; i < 8; i++) {
        flags[i] = ~(i + me);
        CHECK_MPI(MPIX_Comm_iagree(MPI_COMM_WORLD, &flags[i], &r[i]));
    }
    CHECK_MPI(MPI_Wait(&r[5], MPI_STATUS_IGNORE));
    CHECK_MPI(MPI_Waitall(8, r, MPI_STATUSES_IGNORE));
    for (int i = 0; i < 8; i++) {
        int want = -1;
        for (int rank = 0; rank < np - 1; rank++)
            want &= ~(i + rank);
        CHECK_EQ(flags[i], want);
    }
}

int main(int argc, char **argv)
{
    int losses = argc > 1 ? atoi(argv[1]) : 1, when[MOST];
    unsigned seed = argc > 2 ? (unsigned)atoi(argv[2]) : 0;

    recovery_begin(&argc, &argv);
    if (losses == 1) {
        if (me == np - 1)
            recovery_die(0);
        await_failures(MPI_COMM_WORLD, 1);
        unacknowledged();
        nonblocking();
        return recovery_end(1);
    }
    if (seed == 0)
        seed = (unsigned)(MPI_Wtime() * 1e6);
    MPI_Bcast(&seed, 1, MPI_UNSIGNED, 0, MPI_COMM_WORLD);
    srand(seed);
    for (int i = 0; i < losses; i++)
        when[i] = rand() % 4000;
    MPI_Barrier(MPI_COMM_WORLD);
    if (me < losses)
        recovery_die_after(1 + when[me]);
    for (int i = 0; i < ROUNDS; i++) {
        int flag = rand() | 1 << 20;
        MPIX_Comm_failure_ack(MPI_COMM_WORLD);
        outcome[i][1] = error_class(MPIX_Comm_agree(MPI_COMM_WORLD, &flag));
        outcome[i][0] = flag;
        CHECK_MSG(outcome[i][1] == MPI_SUCCESS || outcome[i][1] == MPIX_ERR_PROC_FAILED, "round %d: class %d", i,
                  outcome[i][1]);
        if (i % 4 == me % 4)
            usleep(rand() % 200);
    }
    usleep(me < losses ? 100000 : 0); /* this rank was too quick */
    MPI_Comm rest = living(MPI_COMM_WORLD);
    int first[ROUNDS][2];
    memcpy(first, outcome, sizeof first);
    CHECK_MPI(MPI_Bcast(first, 2 * ROUNDS, MPI_INT, 0, rest));
    for (int i = 0; i < ROUNDS; i++) {
        CHECK_MSG(first[i][0] == outcome[i][0], "round %d, seed %u: flag %x, another rank has %x", i, seed,
                  outcome[i][0], first[i][0]);
        CHECK_MSG(first[i][1] == outcome[i][1], "round %d, seed %u: class %d, another rank has %d", i, seed,
                  outcome[i][1], first[i][1]);
    }
    MPI_Comm_free(&rest);
    return recovery_end(losses);
}
