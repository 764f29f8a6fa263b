/*
 * However many communicators there are, and in whatever order their ranks are: small messages and collective
 * operations on each take the way of those on MPI_COMM_WORLD: the fast path leaves few of them to the rest of
 * the library.
 */
#include "refusals.h"

enum { COMMS = 300, ROUNDS = 20 };


/* Messages of every form, each rank with each. */
static void talk(MPI_Comm comm)
{
    int rank, size, flag;
    CHECK_MPI(MPI_Comm_rank(comm, &rank));
    CHECK_MPI(MPI_Comm_size(comm, &size));
    for (int d = 1; d < size; d++) {
        int to = (rank + d) % size, from = (rank + size - d) % size, out = 1000 * rank + d, in = -1;
        MPI_Request r[2];
        MPI_Status s;
        CHECK_MPI(MPI_Sendrecv(&out, 1, MPI_INT, to, 3, &in, 1, MPI_INT, from, 3, comm, &s));
        CHECK_STATUS(s, from, 3);
        CHECK_EQ(in, 1000 * from + d);
        in = -1;
        CHECK_MPI(MPI_Irecv(&in, 1, MPI_INT, from, 4, comm, &r[0]));
        CHECK_MPI(MPI_Isend(&out, 1, MPI_INT, to, 4, comm, &r[1]));
        CHECK_MPI(MPI_Waitall(2, r, MPI_STATUSES_IGNORE));
        CHECK_EQ(in, 1000 * from + d);
        in = -1;
        CHECK_MPI(MPI_Send(&out, 1, MPI_INT, to, 5, comm));
        CHECK_MPI(MPI_Probe(from, 5, comm, &s));
        CHECK_STATUS(s, from, 5);
        CHECK_MPI(MPI_Iprobe(from, 5, comm, &flag, &s));
        CHECK(flag);
        CHECK_MPI(MPI_Recv(&in, 1, MPI_INT, from, 5, comm, MPI_STATUS_IGNORE));
        CHECK_EQ(in, 1000 * from + d);
    }
}

/* Collective operations, blocking and not. */
static void meet(MPI_Comm comm)
{
    int rank, size, sum = -1;
    MPI_Request r;
    CHECK_MPI(MPI_Comm_rank(comm, &rank));
    CHECK_MPI(MPI_Comm_size(comm, &size));
    CHECK_MPI(MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm));
    CHECK_EQ(sum, size * (size - 1) / 2);
    int first = rank == 0 ? 77 : -1;
    CHECK_MPI(MPI_Bcast(&first, 1, MPI_INT, 0, comm));
    CHECK_EQ(first, 77);
    CHECK_MPI(MPI_Ibarrier(comm, &r));
    CHECK_MPI(MPI_Wait(&r, MPI_STATUS_IGNORE));
    CHECK_MPI(MPI_Barrier(comm));
}

/* Few calls on a communicator are not plain to the fast path: of each round those that wait for requests that
 * have been taken over meanwhile, because the others let this rank wait. The first round opens what the
 * communicator needs. */
static void few(MPI_Comm comm, const char *which, int number)
{
    talk(comm);
    meet(comm);
    unsigned long long before = refused(), n;
    for (int i = 0; i < ROUNDS; i++)
        talk(comm);
    n = refused() - before;
    CHECK_MSG(n <= (unsigned long long)ROUNDS * (np - 1), "%s %d: messages: %llu calls are not plain", which,
              number, n);
    before = refused();
    for (int i = 0; i < ROUNDS; i++)
        meet(comm);
    n = refused() - before;
    CHECK_MSG(n <= ROUNDS, "%s %d: collective operations: %llu calls are not plain", which, number, n);
}

int main(int argc, char **argv)
{
    refusals_begin(&argc, &argv);
    few(MPI_COMM_WORLD, "MPI_COMM_WORLD", 0);

    static MPI_Comm comms[COMMS];
    for (int i = 0; i < COMMS; i++) {
        switch (i % 3) {
        case 0:
            CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]));
            break;
        case 1: /* back to front */
            CHECK_MPI(MPI_Comm_split(MPI_COMM_WORLD, 0, -me, &comms[i]));
            break;
        default: /* no order at all */
            CHECK_MPI(MPI_Comm_split(MPI_COMM_WORLD, 0, (me * me * (i + 1) + 3 * me) % 11, &comms[i]));
        }
    }
    for (int i = 0; i < COMMS; i += i < 8 || i > COMMS - 8 ? 1 : 13)
        few(comms[i], "communicator", i);
    for (int i = 0; i < COMMS; i++)
        CHECK_MPI(MPI_Comm_free(&comms[i]));
    return refusals_finish();
}
