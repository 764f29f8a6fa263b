/*
 * Errors of sessions (MPI 5.0, 9.3 and 11.3): before anything is initialized, through the handler of the
 * session, through the handler given for an object that could not be made, and MPI_COMM_WORLD where there is
 * none.
 */
#include "session.h"

static int calls, last_code, comm_calls;
static MPI_Session last_session;
static MPI_Comm last_comm;

static void on_session(MPI_Session *session, int *code, ...)
{
    calls++;
    last_session = *session;
    last_code = *code;
}

static void on_comm(MPI_Comm *comm, int *code, ...)
{
    comm_calls++;
    last_comm = *comm;
    last_code = *code;
}

int main(void)
{
    MPI_Session s = MPI_SESSION_NULL, none;
    MPI_Errhandler h, comm, got;
    MPI_Info info;
    MPI_Group g;
    MPI_Comm c;
    int n;

    /* Handlers are made before there is a session. */
    CHECK_MPI(MPI_Session_create_errhandler(on_session, &h));
    CHECK_MPI(MPI_Session_init(MPI_INFO_NULL, h, &s));
    CHECK_MPI(MPI_Comm_create_errhandler(on_comm, &comm));
    CHECK_CLASS(MPI_Session_init(MPI_INFO_NULL, comm, &none), MPI_ERR_ERRHANDLER);
    CHECK_EQ(comm_calls, 1);
    me = 0;

    CHECK_MPI(MPI_Session_get_errhandler(s, &got));
    CHECK(got == h);
    CHECK_MPI(MPI_Errhandler_free(&got));
    CHECK_CLASS(MPI_Session_set_errhandler(s, comm), MPI_ERR_ERRHANDLER);
    CHECK_EQ(calls, 1);
    CHECK(last_session == s);
    CHECK_MPI(MPI_Errhandler_free(&h));

    CHECK_CLASS(MPI_Group_from_session_pset(s, "mpi://NOWHERE", &g), MPI_ERR_ARG);
    CHECK_CLASS(MPI_Session_get_pset_info(s, "", &info), MPI_ERR_ARG);
    n = 10;
    CHECK_CLASS(MPI_Session_get_nth_pset(s, MPI_INFO_NULL, 99, &n, NULL), MPI_ERR_ARG);
    CHECK_CLASS(MPI_Session_get_nth_pset(s, MPI_INFO_NULL, 0, &n, NULL), MPI_ERR_ARG);
    n = -1;
    CHECK_CLASS(MPI_Session_get_nth_pset(s, MPI_INFO_NULL, 0, &n, NULL), MPI_ERR_ARG);
    CHECK_EQ(calls, 6);
    CHECK_MPI(MPI_Session_call_errhandler(s, MPI_ERR_OTHER));
    CHECK_EQ(calls, 7);
    CHECK_EQ(last_code, MPI_ERR_OTHER);

    /* The handler of the communicator to be made hears of what went wrong in making it. */
    char tag[2 * MPI_MAX_STRINGTAG_LEN];
    memset(tag, 'x', sizeof tag);
    tag[sizeof tag - 1] = 0;
    last_comm = MPI_COMM_WORLD;
    CHECK_MPI(MPI_Group_from_session_pset(s, "mpi://WORLD", &g));
    CHECK_CLASS(MPI_Comm_create_from_group(g, tag, MPI_INFO_NULL, comm, &c), MPI_ERR_ARG);
    CHECK_EQ(comm_calls, 2);
    CHECK(last_comm == MPI_COMM_NULL);
    CHECK_CLASS(MPI_Comm_create_from_group(MPI_GROUP_NULL, "x", MPI_INFO_NULL, comm, &c), MPI_ERR_GROUP);
    CHECK_EQ(comm_calls, 3);

    /* The communicator has it. */
    CHECK_MPI(MPI_Comm_create_from_group(g, "gompi/tests/errors", MPI_INFO_NULL, comm, &c));
    MPI_Comm_rank(c, &me);
    MPI_Comm_size(c, &np);
    CHECK_CLASS(MPI_Send(NULL, 0, MPI_INT, np, 0, c), MPI_ERR_RANK);
    CHECK_EQ(comm_calls, 4);
    CHECK(last_comm == c);
    CHECK_MPI(MPI_Errhandler_free(&comm));
    CHECK_MPI(MPI_Comm_free(&c));
    CHECK_MPI(MPI_Group_free(&g));

    none = s;
    CHECK_MPI(MPI_Session_finalize(&s));
    CHECK(s == MPI_SESSION_NULL);
    CHECK_EQ(calls, 7);

    /* The session is gone; the initial error handler, which returns here, hears of it. */
    CHECK_CLASS(MPI_Session_call_errhandler(none, MPI_ERR_OTHER), MPI_ERR_SESSION);
    CHECK_CLASS(MPI_Session_get_info(none, &info), MPI_ERR_OTHER);
    s = open_session(NULL);
    CHECK_CLASS(MPI_Session_get_info(none, &info), MPI_ERR_SESSION);
    none = MPI_SESSION_NULL;
    CHECK_CLASS(MPI_Session_finalize(&none), MPI_ERR_SESSION);
    CHECK_CLASS(MPI_Comm_size(MPI_COMM_WORLD, &n), MPI_ERR_COMM);
    CHECK_CLASS(MPI_Send(&n, 1, MPI_INT, 0, 0, MPI_COMM_WORLD), MPI_ERR_COMM);
    CHECK_CLASS(MPI_Finalize(), MPI_ERR_OTHER);
    CHECK_MPI(MPI_Session_finalize(&s));
    return check_result();
}
