/*
 * Error handlers of the program: called with the communicator and the code, allowed to call MPI, and what
 * they leave behind is what the failing call returns. Also MPI_Comm_call_errhandler, and the life of a
 * handler that was freed.
 */
#include "check.h"

static int calls, last_code, inside_rank;
static MPI_Comm last_comm;

static void handler(MPI_Comm *comm, int *code, ...)
{
    calls++;
    last_comm = *comm;
    last_code = *code;
    MPI_Comm_rank(*comm, &inside_rank);
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    MPI_Errhandler h = MPI_ERRHANDLER_NULL, got = MPI_ERRHANDLER_NULL;
    int b = 0, class = -1;

    CHECK_MPI(MPI_Comm_create_errhandler(handler, &h));
    CHECK(h != MPI_ERRHANDLER_NULL);
    CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_WORLD, h));
    CHECK_MPI(MPI_Comm_get_errhandler(MPI_COMM_WORLD, &got));
    CHECK(got == h);
    CHECK_MPI(MPI_Errhandler_free(&got));
    CHECK(got == MPI_ERRHANDLER_NULL);
    /* The communicator keeps it alive. */
    CHECK_MPI(MPI_Errhandler_free(&h));
    CHECK(h == MPI_ERRHANDLER_NULL);

    int rc = MPI_Send(&b, 1, MPI_INT, np + 5, 0, MPI_COMM_WORLD);
    CHECK_EQ(calls, 1);
    CHECK(last_comm == MPI_COMM_WORLD);
    CHECK_EQ(last_code, rc);
    CHECK_EQ(inside_rank, me);
    CHECK_MPI(MPI_Error_class(rc, &class));
    CHECK_EQ(class, MPI_ERR_RANK);

    /* Each failing call, none for what succeeds. */
    for (int i = 0; i < 100; i++) {
        CHECK_CLASS(MPI_Recv(&b, -1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE), MPI_ERR_COUNT);
        CHECK_MPI(
            MPI_Sendrecv(&i, 1, MPI_INT, me, 0, &b, 1, MPI_INT, me, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    }
    CHECK_EQ(calls, 101);

    CHECK_MPI(MPI_Comm_call_errhandler(MPI_COMM_WORLD, MPI_ERR_OTHER));
    CHECK_EQ(calls, 102);
    CHECK_EQ(last_code, MPI_ERR_OTHER);

    CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    CHECK_CLASS(MPI_Send(&b, 1, MPI_INT, np + 5, 0, MPI_COMM_WORLD), MPI_ERR_RANK);
    CHECK_EQ(calls, 102);
    return check_finish();
}
