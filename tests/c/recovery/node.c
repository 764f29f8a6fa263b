/*
 * All ranks of one host die at once, as if it were lost: the others hear of each, wherever they wait, and go
 * on without it.
 *
 *     node FIRST LAST: the ranks of that host
 */
#include "recovery.h"

int main(int argc, char **argv)
{
    int first = argc > 1 ? atoi(argv[1]) : 0, last = argc > 2 ? atoi(argv[2]) : 0, n = last - first + 1;
    int x = 0, rc, sum, size;
    MPI_Comm rest;
    MPI_Win w;
    long *base, one = 1;

    recovery_begin(&argc, &argv);
    CHECK_MPI(MPI_Win_allocate(sizeof *base, sizeof *base, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &w));
    MPI_Win_set_errhandler(w, MPI_ERRORS_RETURN);
    CHECK_MPI(MPI_Win_fence(0, w));
    recovery_await_others(MPI_COMM_WORLD, first, last);
    if (first <= me && me <= last)
        recovery_die(0);
    if (me % 2) {
        rc = MPI_Recv(&x, 1, MPI_INT, first, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        do
            rc = MPI_Win_fence(0, w);
        while (rc == MPI_SUCCESS && MPI_Accumulate(&one, 1, MPI_LONG, last, 0, 1, MPI_LONG, MPI_SUM, w) == 0);
    }
    CHECK_EQ(error_class(rc), MPIX_ERR_PROC_FAILED);
    await_failures(MPI_COMM_WORLD, n);
    CHECK_MPI(MPI_Win_free(&w));
    CHECK_MPI(MPIX_Comm_shrink(MPI_COMM_WORLD, &rest));
    MPI_Comm_size(rest, &size);
    CHECK_EQ(size, np - n);
    CHECK_MPI(MPI_Allreduce(&me, &sum, 1, MPI_INT, MPI_SUM, rest));
    CHECK_EQ(sum, np * (np - 1) / 2 - n * (first + last) / 2);
    CHECK_MPI(MPI_Comm_free(&rest));
    return recovery_end(n);
}
