/*
 * Each collective operation, with little and with much data, blocking and not: after a rank has died in it,
 * all others get an error and nobody hangs, and on the communicator of those that live the same operation
 * gives the right result. The dead one dies while the others are in the operation already, or is the one
 * that they wait for.
 *
 * Each operation loses the last rank of those that are left, until one is left alone.
 *
 *     collectives SIZE SLEEPS FIRST
 */
#include "recovery.h"

enum { KINDS = 22, MOST = 64 };

static int *out, *in, counts[MOST], displs[MOST], n;

static int run(int kind, MPI_Comm c)
{
    MPI_Request r = MPI_REQUEST_NULL;
    int size, root, rc = MPI_SUCCESS;

    MPI_Comm_size(c, &size);
    root = size - 1;
    for (int i = 0; i < size; i++) {
        counts[i] = n;
        displs[i] = i * n;
    }
    switch (kind) {
    case 0: return MPI_Barrier(c);
    case 1: return MPI_Bcast(out, n, MPI_INT, root, c);
    case 2: return MPI_Bcast(out, n, MPI_INT, 0, c);
    case 3: return MPI_Reduce(out, in, n, MPI_INT, MPI_SUM, 0, c);
    case 4: return MPI_Allreduce(out, in, n, MPI_INT, MPI_SUM, c);
    case 5: return MPI_Gather(out, n, MPI_INT, in, n, MPI_INT, 0, c);
    case 6: return MPI_Gatherv(out, n, MPI_INT, in, counts, displs, MPI_INT, 0, c);
    case 7: return MPI_Scatter(in, n, MPI_INT, out, n, MPI_INT, root, c);
    case 8: return MPI_Allgather(out, n, MPI_INT, in, n, MPI_INT, c);
    case 9: return MPI_Allgatherv(out, n, MPI_INT, in, counts, displs, MPI_INT, c);
    case 10: return MPI_Alltoall(out, n, MPI_INT, in, n, MPI_INT, c);
    case 11: return MPI_Alltoallv(out, counts, displs, MPI_INT, in, counts, displs, MPI_INT, c);
    case 12: return MPI_Reduce_scatter_block(out, in, n, MPI_INT, MPI_SUM, c);
    case 13: return MPI_Scan(out, in, n, MPI_INT, MPI_SUM, c);
    case 14: return MPI_Exscan(out, in, n, MPI_INT, MPI_SUM, c);
    case 15: rc = MPI_Ibarrier(c, &r); break;
    case 16: rc = MPI_Ibcast(out, n, MPI_INT, root, c, &r); break;
    case 17: rc = MPI_Iallreduce(out, in, n, MPI_INT, MPI_SUM, c, &r); break;
    case 18: rc = MPI_Iallgather(out, n, MPI_INT, in, n, MPI_INT, c, &r); break;
    case 19: rc = MPI_Ialltoall(out, n, MPI_INT, in, n, MPI_INT, c, &r); break;
    case 20: rc = MPI_Ireduce(out, in, n, MPI_INT, MPI_SUM, 0, c, &r); break;
    case 21: rc = MPI_Iscan(out, in, n, MPI_INT, MPI_SUM, c, &r); break;
    }
    return rc != MPI_SUCCESS ? rc : MPI_Wait(&r, MPI_STATUS_IGNORE);
}

/* The result of some operations on c is right. */
static void verify(int kind, MPI_Comm c)
{
    int size, rank;

    MPI_Comm_size(c, &size);
    MPI_Comm_rank(c, &rank);
    for (int i = 0; i < size * n; i++) {
        out[i] = rank * 1000 + i;
        in[i] = kind == 7 ? i : -1;
    }
    int rc = run(kind, c);
    CHECK_MSG(rc == MPI_SUCCESS, "kind %d afterwards: class %d", kind, error_class(rc));
    for (int i = 0; i < n; i += n > 100 ? 97 : 1) {
        int sum = 0, before = 0;

        for (int q = 0; q < size; q++) {
            sum += q * 1000 + i;
            before += q <= rank ? q * 1000 + i : 0;
        }
        if (kind == 4 || kind == 17 || ((kind == 3 || kind == 20) && rank == 0))
            CHECK_EQ(in[i], sum);
        if (kind == 13 || kind == 21)
            CHECK_EQ(in[i], before);
        if (kind == 1 || kind == 16)
            CHECK_EQ(out[i], (size - 1) * 1000 + i);
        if (kind == 7)
            CHECK_EQ(out[i], rank * n + i);
        for (int q = 0; q < size; q++) {
            if (kind == 8 || kind == 9 || kind == 18 || ((kind == 5 || kind == 6) && rank == 0))
                CHECK_EQ(in[q * n + i], q * 1000 + i);
            if (kind == 10 || kind == 11 || kind == 19)
                CHECK_EQ(in[q * n + i], q * 1000 + rank * n + i);
        }
    }
}

/* Loses the last rank of cur in an operation. Returns a communicator of the others. */
static MPI_Comm lose_one(int kind, int sleeps, MPI_Comm cur)
{
    MPI_Comm c, rest;
    int rank, size, rc = MPI_SUCCESS;

    MPI_Comm_rank(cur, &rank);
    MPI_Comm_size(cur, &size);
    CHECK_MPI(MPI_Comm_dup(cur, &c));
    verify(kind, c);
    recovery_await_others(c, size - 1, size - 1); /* a root is done before them */
    if (rank == size - 1) {
        if (sleeps)
            recovery_die(0);
        recovery_die_after(30000);
    }
    /* Who needs nothing of the dead one may go on for a while, and then hears of it as well. */
    double since = MPI_Wtime();
    while (rc == MPI_SUCCESS && (rank == size - 1 || MPI_Wtime() - since < RECOVERY_PATIENCE))
        rc = run(kind, c);
    CHECK_MSG(error_class(rc) == MPIX_ERR_PROC_FAILED, "kind %d: class %d", kind, error_class(rc));
    CHECK_CLASS(MPI_Barrier(c), MPIX_ERR_PROC_FAILED);
    CHECK_MPI(MPIX_Comm_shrink(c, &rest));
    CHECK_MPI(MPI_Comm_free(&c));
    for (int k = 0; k < KINDS; k++)
        verify(k, rest);
    /* In the memory of the lost communicator as well. */
    for (int i = 0; i < 4; i++) {
        CHECK_MPI(MPI_Comm_dup(rest, &c));
        verify(kind, c);
        verify(4, c);
        verify(17, c);
        CHECK_MPI(MPI_Comm_free(&c));
    }
    return rest;
}

int main(int argc, char **argv)
{
    int sleeps = argc > 2 ? atoi(argv[2]) : 0, first = argc > 3 ? atoi(argv[3]) : 0, lost = 0;
    MPI_Comm cur, rest;

    n = argc > 1 ? atoi(argv[1]) : 1;
    recovery_begin(&argc, &argv);
    out = calloc((size_t)n * np, sizeof *out);
    in = calloc((size_t)n * np, sizeof *in);
    CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &cur));
    for (; lost < np - 1 && first + lost < KINDS; lost++) {
        rest = lose_one(first + lost, sleeps, cur);
        CHECK_MPI(MPI_Comm_free(&cur));
        cur = rest;
    }
    CHECK_MPI(MPI_Comm_free(&cur));
    free(in);
    free(out);
    return recovery_end(lost);
}
