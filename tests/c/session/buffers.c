/*
 * Buffers for messages in buffered mode that are attached to sessions (MPI 5.0, 3.6): they serve the
 * communicators that come from their session, by whatever way, but not those of another; a communicator's own
 * buffer comes first. The session's end waits for the messages in its buffer.
 */
#include "session.h"

enum { LENGTH = 3000, MANY = 5 };

static const int size = LENGTH + MPI_BSEND_OVERHEAD;

static void ring(MPI_Comm comm, int n)
{
    int rank, ranks;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    int to = (rank + 1) % ranks, from = (rank + ranks - 1) % ranks;
    char *out = check_alloc(LENGTH), *in = check_alloc(LENGTH);
    for (int i = 0; i < n; i++) {
        check_fill(out, LENGTH, rank * 10 + i);
        CHECK_MPI(MPI_Bsend(out, LENGTH, MPI_BYTE, to, i, comm));
    }
    for (int i = n - 1; i >= 0; i--) {
        CHECK_MPI(MPI_Recv(in, LENGTH, MPI_BYTE, from, i, comm, MPI_STATUS_IGNORE));
        CHECK_DATA(in, LENGTH, from * 10 + i);
    }
    check_free(out);
    check_free(in);
}

int main(void)
{
    MPI_Session a, b;
    MPI_Group group, part;
    MPI_Comm of_a, of_b, dup, split;
    MPI_Request r;
    void *back;
    int n;
    char *room = malloc(MANY * (size_t)size), *own = malloc(MANY * (size_t)size);

    CHECK_MPI(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &a));
    CHECK_MPI(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &b));
    CHECK_MPI(MPI_Group_from_session_pset(a, "mpi://WORLD", &group));
    CHECK_MPI(MPI_Group_size(group, &np));
    CHECK_MPI(MPI_Group_rank(group, &me));
    CHECK_MPI(MPI_Group_range_incl(group, 1, (int[][3]){{np - 1, 0, -1}}, &part));
    CHECK_MPI(MPI_Comm_create_from_group(part, "of a", MPI_INFO_NULL, MPI_ERRORS_RETURN, &of_a));
    CHECK_MPI(MPI_Group_free(&group));
    CHECK_MPI(MPI_Group_free(&part));
    CHECK_MPI(MPI_Group_from_session_pset(b, "mpi://WORLD", &group));
    CHECK_MPI(MPI_Comm_create_from_group(group, "of b", MPI_INFO_NULL, MPI_ERRORS_RETURN, &of_b));
    CHECK_MPI(MPI_Group_free(&group));
    CHECK_MPI(MPI_Comm_dup(of_a, &dup));
    CHECK_MPI(MPI_Comm_split(of_a, me % 2, me, &split));

    CHECK_CLASS(MPI_Session_detach_buffer(a, &back, &n), MPI_ERR_BUFFER);
    CHECK_CLASS(MPI_Bsend(room, 1, MPI_BYTE, 0, 0, of_a), MPI_ERR_BUFFER);
    CHECK_MPI(MPI_Session_attach_buffer(a, room, MANY * size));
    CHECK_CLASS(MPI_Session_attach_buffer(a, own, size), MPI_ERR_BUFFER);
    CHECK_CLASS(MPI_Bsend(room, 1, MPI_BYTE, 0, 0, of_b), MPI_ERR_BUFFER);
    ring(of_a, MANY);
    CHECK_MPI(MPI_Session_flush_buffer(a));
    ring(dup, MANY);
    CHECK_MPI(MPI_Session_iflush_buffer(a, &r));
    CHECK_MPI(MPI_Wait(&r, MPI_STATUS_IGNORE));
    ring(split, MANY);
    CHECK_MPI(MPI_Session_flush_buffer(b));

    /* One that a communicator has goes before it, and is too small for some messages. */
    CHECK_MPI(MPI_Comm_attach_buffer(dup, own, size));
    CHECK_CLASS(MPI_Bsend(room, LENGTH + 1, MPI_BYTE, 0, 0, dup), MPI_ERR_BUFFER);
    ring(dup, 1);
    CHECK_MPI(MPI_Comm_detach_buffer(dup, &back, &n));
    CHECK(back == own && n == size);
    CHECK_MPI(MPI_Session_detach_buffer(a, &back, &n));
    CHECK(back == room && n == MANY * size);
    CHECK_CLASS(MPI_Bsend(room, 1, MPI_BYTE, 0, 0, of_a), MPI_ERR_BUFFER);

    CHECK_MPI(MPI_Session_attach_buffer_c(b, MPI_BUFFER_AUTOMATIC, 0));
    ring(of_b, 3 * MANY);
    CHECK_MPI(MPI_Comm_free(&dup));
    CHECK_MPI(MPI_Comm_free(&split));
    CHECK_MPI(MPI_Comm_free(&of_a));
    CHECK_MPI(MPI_Comm_free(&of_b));
    CHECK_MPI(MPI_Session_finalize(&a));
    CHECK_MPI(MPI_Session_finalize(&b));
    free(room);
    free(own);
    return check_result();
}
