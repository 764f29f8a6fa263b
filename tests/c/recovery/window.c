/*
 * Windows that have lost a rank: what waits for it fails with MPIX_ERR_PROC_FAILED, in every kind of epoch,
 * also where the dead one holds a lock. Windows without it go on, and a window can be freed, with an epoch
 * open as well.
 *
 *     window KIND: 0 allocated, 1 created over private memory, 2 shared
 */
#include "recovery.h"

enum { CELLS = 64 };

static int kind;

static int make(MPI_Comm c, long **base, MPI_Win *w)
{
    static long own[CELLS];
    MPI_Aint bytes = CELLS * sizeof(long);
    int rc;

    switch (kind) {
    case 1:
        *base = own;
        rc = MPI_Win_create(own, bytes, sizeof(long), MPI_INFO_NULL, c, w);
        break;
    case 2: rc = MPI_Win_allocate_shared(bytes, sizeof(long), MPI_INFO_NULL, c, base, w); break;
    default: rc = MPI_Win_allocate(bytes, sizeof(long), MPI_INFO_NULL, c, base, w);
    }
    if (rc == MPI_SUCCESS)
        MPI_Win_set_errhandler(*w, MPI_ERRORS_RETURN);
    return rc;
}

/* The epochs in which the last rank of c dies; returns the error of another rank. */
static int lose(int epoch, MPI_Comm c, MPI_Win w)
{
    MPI_Group all, last, others;
    int rank, size, rc = MPI_SUCCESS, dies;
    long one = 1, got;

    MPI_Comm_rank(c, &rank);
    MPI_Comm_size(c, &size);
    dies = size - 1;
    MPI_Comm_group(c, &all);
    MPI_Group_incl(all, 1, &dies, &last);
    MPI_Group_difference(all, last, &others);
    recovery_await_others(c, dies, dies);
    switch (epoch) {
    case 0: /* fences */
        MPI_Win_fence(0, w);
        if (rank == dies)
            recovery_die(0);
        while (rc == MPI_SUCCESS)
            rc = MPI_Win_fence(0, w);
        break;
    case 1: /* it holds the lock that all want */
        if (rank == dies)
            MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, w);
        MPI_Barrier(c);
        if (rank == dies)
            recovery_die(0);
        rc = MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, w);
        break;
    case 2: /* exposed to it */
        if (rank == dies) {
            MPI_Win_start(others, 0, w);
            recovery_die(0);
        }
        rc = MPI_Win_post(last, 0, w);
        if (rc == MPI_SUCCESS)
            rc = MPI_Win_wait(w);
        break;
    case 3: /* it is to expose its memory */
        if (rank == dies)
            recovery_die(0);
        rc = MPI_Win_start(last, 0, w);
        break;
    case 4: /* operations on its memory, until it is told */
        MPI_Win_lock_all(0, w);
        if (rank == dies)
            recovery_die_after(30000);
        for (double since = MPI_Wtime(); rc == MPI_SUCCESS && MPI_Wtime() - since < RECOVERY_PATIENCE;) {
            rc = MPI_Fetch_and_op(&one, &got, MPI_LONG, dies, 0, MPI_SUM, w);
            if (rc == MPI_SUCCESS)
                rc = MPI_Accumulate(&one, 1, MPI_LONG, dies, 1, 1, MPI_LONG, MPI_SUM, w);
            if (rc == MPI_SUCCESS)
                rc = MPI_Win_flush(dies, w);
            /* the memory of a rank that has died is still there where it is mapped */
            if (failures(c) > 0 && kind != 1)
                rc = MPIX_ERR_PROC_FAILED;
        }
        break;
    }
    MPI_Group_free(&all);
    MPI_Group_free(&last);
    MPI_Group_free(&others);
    return rc;
}

int main(int argc, char **argv)
{
    MPI_Comm cur, rest;
    MPI_Win w, v;
    long *base, *mine, one = 1;
    int rank, size, lost = 0;

    kind = argc > 1 ? atoi(argv[1]) : 0;
    recovery_begin(&argc, &argv);
    CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &cur));
    for (int epoch = 0; epoch < 5 && lost < np - 1; epoch++, lost++) {
        MPI_Comm_rank(cur, &rank);
        MPI_Comm_size(cur, &size);
        MPI_Comm_split(cur, rank == size - 1, 0, &rest);
        MPI_Comm_set_errhandler(rest, MPI_ERRORS_RETURN);
        CHECK_MPI(make(cur, &base, &w));
        CHECK_MPI(MPI_Win_allocate(sizeof(long), sizeof(long), MPI_INFO_NULL, rest, &mine, &v));
        *mine = 0;
        int rc = lose(epoch, cur, w);
        CHECK_MSG(error_class(rc) == MPIX_ERR_PROC_FAILED, "epoch %d ends with class %d", epoch, error_class(rc));
        CHECK_MPI(MPI_Win_free(&w));
        CHECK_CLASS(make(cur, &base, &w), MPIX_ERR_PROC_FAILED);
        /* The other window has not noticed. */
        for (int i = 0; i < 10; i++) {
            CHECK_MPI(MPI_Win_fence(0, v));
            CHECK_MPI(MPI_Accumulate(&one, 1, MPI_LONG, (rank + 1) % (size - 1), 0, 1, MPI_LONG, MPI_SUM, v));
            CHECK_MPI(MPI_Win_fence(0, v));
        }
        CHECK_EQ(*mine, 10);
        CHECK_MPI(MPI_Win_free(&v));
        CHECK_MPI(MPI_Comm_free(&cur));
        cur = rest;
        CHECK_MPI(make(cur, &base, &w));
        CHECK_MPI(MPI_Win_fence(0, w));
        CHECK_MPI(MPI_Win_free(&w));
    }
    CHECK_MPI(MPI_Comm_free(&cur));
    return recovery_end(lost);
}
