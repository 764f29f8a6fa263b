/*
 * A solver that loses ranks at random moments and ends with the right answer. The ranks share the rows of a
 * field that cools down, and exchange the rows at their borders. After some steps each keeps its rows, and
 * those of the rank before it as well, so that after failures of some ranks, no two of them neighbors,
 * nothing is lost. Then all agree on whether all have got there. If not they shrink the communicator, share
 * the rows anew, and go on from what all have kept. What comes out has to be equal, bit by bit, to what one
 * rank computes alone.
 *
 *     solver LOSSES [SEED]
 */
#include "recovery.h"

enum { ROWS = 60, COLUMNS = 16, STEPS = 240, KEEP_EVERY = 12 };

static double now[ROWS + 2][COLUMNS], next[ROWS + 2][COLUMNS];

/* What was kept: rows of this rank and of the one before it, at a step. Two copies, of which one is whole. */
struct kept {
    int step, first, end, before_first, before_end;
    double own[ROWS][COLUMNS], before[ROWS][COLUMNS];
};
static struct kept kept[2];
static int newest; /* index of the copy that all have */

static int first_row(int rank, int size) { return rank * ROWS / size; }

static void start(void)
{
    for (int i = 0; i < ROWS + 2; i++)
        for (int j = 0; j < COLUMNS; j++)
            now[i][j] = next[i][j] = (i * 7 + j * 13) % 101;
}

static void compute(int first, int end)
{
    for (int i = first + 1; i <= end; i++)
        for (int j = 0; j < COLUMNS; j++)
            next[i][j] = 0.25 * (now[i - 1][j] + now[i + 1][j] +
                                 now[i][(j + 1) % COLUMNS] + now[i][(j + COLUMNS - 1) % COLUMNS]);
    memcpy(now[first + 1], next[first + 1], (end - first) * sizeof now[0]);
}

/* One step of all ranks of c. */
static int step(MPI_Comm c, int first, int end)
{
    int rank, size, rc;

    MPI_Comm_rank(c, &rank);
    MPI_Comm_size(c, &size);
    int up = rank > 0 ? rank - 1 : MPI_PROC_NULL, down = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    rc = MPI_Sendrecv(now[first + 1], COLUMNS, MPI_DOUBLE, up, 1, now[end + 1], COLUMNS, MPI_DOUBLE, down, 1,
                      c, MPI_STATUS_IGNORE);
    if (rc == MPI_SUCCESS)
        rc = MPI_Sendrecv(now[end], COLUMNS, MPI_DOUBLE, down, 2, now[first], COLUMNS, MPI_DOUBLE, up, 2, c,
                          MPI_STATUS_IGNORE);
    if (rc == MPI_SUCCESS)
        compute(first, end);
    return rc;
}

/* Does the steps up to the next one at which the state is kept, and keeps it in the other copy. */
static int work(MPI_Comm c, int *at, int first, int end)
{
    struct kept *k = &kept[1 - newest];
    int rank, size, rc = MPI_SUCCESS;

    for (int i = 0; i < KEEP_EVERY && rc == MPI_SUCCESS; i++) {
        rc = step(c, first, end);
        usleep(20);
    }
    *at += KEEP_EVERY;
    MPI_Comm_rank(c, &rank);
    MPI_Comm_size(c, &size);
    int after = (rank + 1) % size, before = (rank + size - 1) % size;
    k->step = *at;
    k->first = first;
    k->end = end;
    k->before_first = first_row(before, size);
    k->before_end = first_row(before + 1, size);
    memcpy(k->own, now[first + 1], (end - first) * sizeof now[0]);
    if (rc == MPI_SUCCESS)
        rc = MPI_Sendrecv(k->own, (end - first) * COLUMNS, MPI_DOUBLE, after, 3, k->before,
                          (k->before_end - k->before_first) * COLUMNS, MPI_DOUBLE, before, 3, c,
                          MPI_STATUS_IGNORE);
    return rc;
}

static double whole[ROWS][COLUMNS];

/* Gives all ranks of c what all have kept. */
static int restore(MPI_Comm c)
{
    static double mine[ROWS][COLUMNS];
    struct kept *k = &kept[newest];
    int rank, rc, steps[2] = {k->step, -k->step}, has[ROWS] = {0}, have[ROWS];

    rc = MPI_Allreduce(MPI_IN_PLACE, steps, 2, MPI_INT, MPI_MIN, c);
    if (rc != MPI_SUCCESS)
        return rc;
    CHECK_EQ(steps[0], -steps[1]);
    MPI_Comm_rank(c, &rank);
    for (int i = k->before_first; i < k->before_end; i++)
        has[i] = rank + 1;
    for (int i = k->first; i < k->end; i++)
        has[i] = rank + 1;
    rc = MPI_Allreduce(has, have, ROWS, MPI_INT, MPI_MAX, c);
    if (rc != MPI_SUCCESS)
        return rc;
    memset(mine, 0, sizeof mine);
    for (int i = 0; i < ROWS; i++) {
        CHECK_MSG(have[i] > 0, "row %d is lost", i);
        if (have[i] == rank + 1)
            memcpy(mine[i],
                   i >= k->first && i < k->end ? k->own[i - k->first] : k->before[i - k->before_first],
                   sizeof mine[i]);
    }
    return MPI_Allreduce(mine, whole, ROWS * COLUMNS, MPI_DOUBLE, MPI_SUM, c);
}

/* Makes *c a communicator of those that live, and has them go on from what all have kept. */
static void repair(MPI_Comm *c, int *at)
{
    int good = 0;

    while (!good) {
        MPI_Comm rest;

        CHECK_MPI(MPIX_Comm_shrink(*c, &rest));
        MPI_Comm_free(c);
        *c = rest;
        good = restore(rest) == MPI_SUCCESS;
        if (!good)
            MPIX_Comm_revoke(rest);
        MPIX_Comm_failure_ack(rest);
        MPIX_Comm_agree(rest, &good);
    }
    struct kept *k = &kept[newest];
    k->first = k->before_first = k->before_end = 0;
    k->end = ROWS;
    memcpy(k->own, whole, sizeof whole);
    memcpy(now[1], whole, sizeof whole);
    *at = k->step;
}

/* Whether the ranks before and behind r in a ring of n live on. */
static int lonely(int r, const int *dies, int n) { return !dies[(r + 1) % n] && !dies[(r + n - 1) % n]; }

int main(int argc, char **argv)
{
    int losses = argc > 1 ? atoi(argv[1]) : 2, at = 0, rank, size, first, end, dies[64] = {0};
    unsigned seed = argc > 2 ? (unsigned)atoi(argv[2]) : 0;
    MPI_Comm c;

    recovery_begin(&argc, &argv);
    if (seed == 0)
        seed = (unsigned)(MPI_Wtime() * 1e6) ^ (unsigned)getpid();
    MPI_Bcast(&seed, 1, MPI_UNSIGNED, 0, MPI_COMM_WORLD);
    srand(seed);
    for (int i = 0; i < losses;) {
        int r = rand() % np;
        if (!dies[r] && lonely(r, dies, np)) {
            dies[r] = 1 + rand() % 12000;
            i++;
        }
    }
    MPI_Comm_dup(MPI_COMM_WORLD, &c);
    start();
    kept[newest].end = ROWS; /* all know the beginning */
    memcpy(kept[newest].own, now[1], sizeof kept[newest].own);
    MPI_Barrier(MPI_COMM_WORLD);
    if (dies[me])
        recovery_die_after(dies[me]);
    while (at < STEPS) {
        int good;

        MPI_Comm_rank(c, &rank);
        MPI_Comm_size(c, &size);
        int rc = work(c, &at, first_row(rank, size), first_row(rank + 1, size));
        good = rc == MPI_SUCCESS;
        if (!good) {
            CHECK_MSG(error_class(rc) == MPIX_ERR_PROC_FAILED || error_class(rc) == MPIX_ERR_REVOKED,
                      "the steps up to %d fail with class %d", at, error_class(rc));
            MPIX_Comm_revoke(c);
        }
        MPIX_Comm_agree(c, &good);
        if (good)
            newest = 1 - newest;
        else
            repair(&c, &at);
    }
    /* The same alone. */
    static double mine[ROWS][COLUMNS];
    MPI_Comm_rank(c, &rank);
    MPI_Comm_size(c, &size);
    first = first_row(rank, size);
    end = first_row(rank + 1, size);
    memcpy(mine[first], now[first + 1], (end - first) * sizeof now[0]);
    start();
    for (int i = 0; i < STEPS; i++)
        compute(0, ROWS);
    CHECK_MSG(memcmp(mine[first], now[first + 1], (end - first) * sizeof now[0]) == 0,
              "the result is wrong, with seed %u", seed);
    if (dies[me])
        usleep(20000); /* this rank was too quick */
    MPI_Comm_free(&c);
    return recovery_end(losses);
}
