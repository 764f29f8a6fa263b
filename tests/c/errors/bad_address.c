/*
 * A buffer that is no memory of the process. gompi reports it as MPI_ERR_BUFFER; it must not overwrite
 * anything, nor bring down a rank that has done nothing wrong.
 */
#include "expect.h"
#include <sys/mman.h>

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    static const int sizes[] = {1, 2, 3, 4, 7, 8, 15, 16, 17, 100, 511, 512, 5000, 20000};
    size_t room = 1 << 20;
    char *wall = mmap(NULL, room, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    char *fixed = mmap(NULL, room, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    static char good[100000];
    MPI_Request r;
    CHECK(wall != MAP_FAILED && fixed != MAP_FAILED);

    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        int n = sizes[i];
        /* Receive into memory that cannot be written, from itself, so that no other rank is left waiting. */
        CHECK_MPI(MPI_Isend(good, n, MPI_BYTE, me, 1, MPI_COMM_WORLD, &r));
        EXPECT(MPI_Recv(fixed, n, MPI_BYTE, me, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE), MPI_ERR_BUFFER, "address");
        CHECK_MPI(MPI_Wait(&r, MPI_STATUS_IGNORE));
        EXPECT(MPI_Isend(wall + room - n, n, MPI_BYTE, me, 1, MPI_COMM_WORLD, &r), MPI_ERR_BUFFER, "address");
        EXPECT(MPI_Sendrecv(good, n, MPI_BYTE, me, 1, fixed, n, MPI_BYTE, me, 1, MPI_COMM_WORLD,
                            MPI_STATUS_IGNORE),
               MPI_ERR_BUFFER, "address");
        CHECK_MPI(MPI_Sendrecv(fixed, n, MPI_BYTE, me, 1, good, n, MPI_BYTE, me, 1, MPI_COMM_WORLD,
                               MPI_STATUS_IGNORE));
    }
    /* Data with gaps: the first block is memory, and another one is not. */
    MPI_Datatype t;
    char *edge = mmap(NULL, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(edge != MAP_FAILED && mprotect(edge + 8192, 4096, PROT_NONE) == 0);
    CHECK_MPI(MPI_Type_vector(4, 8, 4096, MPI_BYTE, &t));
    CHECK_MPI(MPI_Type_commit(&t));
    CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    for (int posted = 0; posted < 2; posted++) {
        if (posted)
            CHECK_MPI(MPI_Irecv(edge, 1, t, me, 5, MPI_COMM_WORLD, &r));
        CHECK_MPI(MPI_Send(good, 1, t, me, 5, MPI_COMM_WORLD));
        if (posted)
            EXPECT(MPI_Wait(&r, MPI_STATUS_IGNORE), MPI_ERR_BUFFER, "address");
        else
            EXPECT(MPI_Recv(edge, 1, t, me, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE), MPI_ERR_BUFFER, "address");
        EXPECT(MPI_Send(edge, 1, t, me, 5, MPI_COMM_WORLD), MPI_ERR_BUFFER, "address");
        EXPECT(MPI_Allgather(good, 1, t, edge, 1, t, MPI_COMM_SELF), MPI_ERR_BUFFER, "address");
        EXPECT(MPI_Alltoall(edge, 1, t, good, 1, t, MPI_COMM_SELF), MPI_ERR_BUFFER, "address");
    }
    CHECK_MPI(MPI_Sendrecv(good, 1, t, me, 5, good + 16384, 1, t, me, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    CHECK_MPI(MPI_Type_free(&t));
    /* A receive buffer with a hole that its beginning does not show: the sender goes on, the receiver hears
     * of it. */
    if (np > 1 && me < 2) {
        char *hole = mmap(NULL, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        CHECK(hole != MAP_FAILED && mprotect(hole + 65536, 4096, PROT_NONE) == 0);
        if (me == 0) {
            CHECK_MPI(MPI_Send(good, 100000, MPI_BYTE, 1, 2, MPI_COMM_WORLD));
            CHECK_MPI(MPI_Ssend(good, 20000, MPI_BYTE, 1, 3, MPI_COMM_WORLD));
        } else {
            EXPECT(MPI_Recv(hole, 100000, MPI_BYTE, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE), MPI_ERR_BUFFER,
                   "address");
            EXPECT(MPI_Recv(hole + 61000, 20000, MPI_BYTE, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE),
                   MPI_ERR_BUFFER, "address");
        }
    }
    EXPECT(MPI_Send(wall, 8, MPI_BYTE, me, 1, MPI_COMM_WORLD), MPI_ERR_BUFFER, "address");
    return check_finish();
}
