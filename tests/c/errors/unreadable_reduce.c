/*
 * A reduction of one rank whose buffer has a hole in the middle fails on that rank. The others do not wait
 * for it, and what comes after it is right.
 */
#include "check.h"
#include <sys/mman.h>
#include <unistd.h>

static void one(int n, int who, int sends, int root)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), bytes = (size_t)n * sizeof(double);
    size_t room = (bytes + page - 1) / page * page;
    double *a = check_alloc(bytes), *b = check_alloc(bytes), *hole, *send = a, *recv = b;
    hole = mmap(NULL, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(hole != MAP_FAILED);
    CHECK_EQ(mprotect((char *)hole + room / page / 2 * page, page, PROT_NONE), 0);
    for (int i = 0; i < n; i++)
        a[i] = me + i;
    if (me == who && sends)
        send = hole;
    else if (me == who)
        recv = hole;
    int error = root < 0 ? MPI_Allreduce(send, recv, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD)
                         : MPI_Reduce(send, recv, n, MPI_DOUBLE, MPI_SUM, root, MPI_COMM_WORLD);
    if (me == who && (sends || root < 0 || root == me))
        CHECK_CLASS(error, MPI_ERR_BUFFER);
    for (int i = 0; i < n; i++)
        a[i] = me + i;
    CHECK_MPI(MPI_Allreduce(a, b, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD));
    for (int i = 0; i < n; i++)
        if (b[i] != np * (np - 1) / 2.0 + np * (double)i) {
            CHECK_MSG(0, "element %d of %d is %g after rank %d has failed", i, n, b[i], who);
            break;
        }
    munmap(hole, room);
    check_free(a);
    check_free(b);
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    for (int n = 2500; n <= 8000; n += 5500)
        for (int who = 0; who < np; who++)
            for (int sends = 0; sends < 2; sends++)
                for (int root = -1; root < np; root++)
                    one(n, who, sends, root);
    return check_finish();
}
