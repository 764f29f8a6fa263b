/* What the programs of this chapter share: opening sessions and making communicators from them. */
#ifndef GOMPI_TESTS_SESSION_H
#define GOMPI_TESTS_SESSION_H

#include "check.h"

/* A session with the given thread level, NULL for none in particular. */
CHECK_UNUSED
static MPI_Session open_session(const char *level)
{
    MPI_Session s = MPI_SESSION_NULL;
    MPI_Info info = MPI_INFO_NULL;

    if (level != NULL) {
        CHECK_MPI(MPI_Info_create(&info));
        CHECK_MPI(MPI_Info_set(info, "thread_level", level));
    }
    CHECK_MPI(MPI_Session_init(info, MPI_ERRORS_RETURN, &s));
    CHECK(s != MPI_SESSION_NULL);
    if (info != MPI_INFO_NULL)
        CHECK_MPI(MPI_Info_free(&info));
    return s;
}

/* A communicator of the processes in a set. */
CHECK_UNUSED
static MPI_Comm comm_of(MPI_Session s, const char *set, const char *tag)
{
    MPI_Group g = MPI_GROUP_NULL;
    MPI_Comm c = MPI_COMM_NULL;

    CHECK_MPI(MPI_Group_from_session_pset(s, set, &g));
    CHECK_MPI(MPI_Comm_create_from_group(g, tag, MPI_INFO_NULL, MPI_ERRORS_RETURN, &c));
    CHECK(c != MPI_COMM_NULL);
    CHECK_MPI(MPI_Group_free(&g));
    return c;
}

/* Messages and a reduction among all ranks of a communicator. */
CHECK_UNUSED
static void use(MPI_Comm c)
{
    int rank = -1, size = 0, from = -1, sum = -1, one = 1;

    CHECK_MPI(MPI_Comm_rank(c, &rank));
    CHECK_MPI(MPI_Comm_size(c, &size));
    int right = (rank + 1) % size, left = (rank + size - 1) % size;
    CHECK_MPI(MPI_Sendrecv(&rank, 1, MPI_INT, right, 5, &from, 1, MPI_INT, left, 5, c, MPI_STATUS_IGNORE));
    CHECK_EQ(from, left);
    CHECK_MPI(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, c));
    CHECK_EQ(sum, size);
}

/* A large message from rank 0 to the others, which its sender need not wait for. */
CHECK_UNUSED
static void send_large(MPI_Comm c, uint64_t seed)
{
    enum { bytes = 300000 };
    int rank = -1, size = 0;
    char *b = check_alloc(bytes);

    CHECK_MPI(MPI_Comm_rank(c, &rank));
    CHECK_MPI(MPI_Comm_size(c, &size));
    if (rank == 0) {
        check_fill(b, bytes, seed);
        for (int r = 1; r < size; r++)
            CHECK_MPI(MPI_Send(b, bytes, MPI_BYTE, r, 1, c));
    } else {
        CHECK_MPI(MPI_Recv(b, bytes, MPI_BYTE, 0, 1, c, MPI_STATUS_IGNORE));
        CHECK_DATA(b, bytes, seed);
    }
    check_free(b);
}

#endif
