/*
 * Sessions beside MPI_COMM_WORLD (MPI 5.0, 11.3): opened before MPI_Init, between, after MPI_Finalize; ended
 * in any order. The argument says which of the two is there first and which is the last to go: inside   the
 * session lives within MPI_Init and MPI_Finalize around   MPI_Init and MPI_Finalize lie within the session
 *   first    the session is opened first and ended first
 *   last     the session is opened last and ended last
 */
#include "session.h"

static MPI_Session s;
static MPI_Comm c;

static void begin_session(void)
{
    s = open_session("MPI_THREAD_FUNNELED");
    c = comm_of(s, "mpi://WORLD", "gompi/tests/world");
    use(c);
}

static void end_session(void)
{
    use(c);
    send_large(c, 7);
    CHECK_MPI(MPI_Comm_free(&c));
    CHECK_MPI(MPI_Session_finalize(&s));
}

static void begin_world(void)
{
    int provided = -1, level = -1, main_thread = 0, flag = 0;

    CHECK_MPI(MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided));
    CHECK(provided >= MPI_THREAD_FUNNELED);
    check_know_world();
    CHECK_MPI(MPI_Query_thread(&level));
    CHECK_EQ(level, provided);
    CHECK_MPI(MPI_Is_thread_main(&main_thread));
    CHECK_EQ(main_thread, 1);
    CHECK_MPI(MPI_Initialized(&flag));
    CHECK_EQ(flag, 1);
    use(MPI_COMM_WORLD);
}

static void end_world(void)
{
    int flag = 0;

    use(MPI_COMM_WORLD);
    send_large(MPI_COMM_WORLD, 9);
    CHECK_MPI(MPI_Finalize());
    CHECK_MPI(MPI_Finalized(&flag));
    CHECK_EQ(flag, 1);
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "inside";

    if (strcmp(how, "inside") == 0) {
        begin_world();
        begin_session();
        use(MPI_COMM_WORLD);
        end_session();
        end_world();
        begin_session(); /* and once more, when MPI_COMM_WORLD is gone */
        end_session();
    } else if (strcmp(how, "around") == 0) {
        begin_session();
        begin_world();
        use(c);
        end_world();
        use(c);
        end_session();
    } else if (strcmp(how, "first") == 0) {
        begin_session();
        begin_world();
        end_session();
        end_world();
    } else {
        begin_world();
        begin_session();
        end_world();
        end_session();
    }
    return check_result();
}
