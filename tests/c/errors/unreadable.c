/*
 * A send out of memory with a hole in the middle fails, and so does its receive: nobody waits for data that
 * cannot come. What comes after it arrives. Argument 1: the smallest message that is tried, in bytes.
 */
#include "check.h"
#include <sys/mman.h>
#include <unistd.h>

static void one(size_t n, int expected)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), room = (n + page - 1) / page * page;
    int other = me ^ 1, x = -1;
    MPI_Status s;
    if (other >= np)
        return;
    if (me < other) {
        char *p = mmap(NULL, room + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        CHECK(p != MAP_FAILED);
        CHECK_EQ(mprotect(p + room / page / 2 * page, page, PROT_NONE), 0);
        if (expected)
            CHECK_MPI(MPI_Recv(NULL, 0, MPI_INT, other, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        CHECK_CLASS(MPI_Send(p, (int)n, MPI_BYTE, other, 1, MPI_COMM_WORLD), MPI_ERR_BUFFER);
        x = 42;
        CHECK_MPI(MPI_Send(&x, 1, MPI_INT, other, 2, MPI_COMM_WORLD));
        munmap(p, room + page);
    } else {
        char *in = check_alloc(n);
        MPI_Request r;
        if (expected) {
            CHECK_MPI(MPI_Irecv(in, (int)n, MPI_BYTE, other, 1, MPI_COMM_WORLD, &r));
            CHECK_MPI(MPI_Send(NULL, 0, MPI_INT, other, 3, MPI_COMM_WORLD));
            CHECK_CLASS(MPI_Wait(&r, &s), MPI_ERR_OTHER);
        } else {
            CHECK_MPI(MPI_Probe(other, 1, MPI_COMM_WORLD, &s));
            CHECK_CLASS(MPI_Recv(in, (int)n, MPI_BYTE, other, 1, MPI_COMM_WORLD, &s), MPI_ERR_OTHER);
        }
        CHECK_MPI(MPI_Recv(&x, 1, MPI_INT, other, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        CHECK_EQ(x, 42);
        check_free(in);
    }
}

int main(int argc, char **argv)
{
    static const size_t sizes[] = {12000, 20000, 40000, 300000, 3000000};
    check_init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    size_t least = argc > 1 ? (size_t)atol(argv[1]) : 0;
    for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (sizes[i] >= least) {
            one(sizes[i], 0);
            one(sizes[i], 1);
        }
    return check_finish();
}
