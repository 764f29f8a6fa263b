/*
 * A program that uses sessions and never calls MPI_Init (MPI 5.0, 11.3): process sets, communicators made
 * from them, sessions one after the other and several at once, and that MPI_COMM_WORLD is not there.
 */
#include "session.h"

static void process_sets(MPI_Session s)
{
    int n = 0, world = 0, self = 0;

    CHECK_MPI(MPI_Session_get_num_psets(s, MPI_INFO_NULL, &n));
    CHECK(n >= 2);
    for (int i = 0; i < n; i++) {
        char name[MPI_MAX_PSET_NAME_LEN], cut[4] = "xxx";
        int room = 0, length = sizeof name, three = 4;
        MPI_Info info = MPI_INFO_NULL;

        CHECK_MPI(MPI_Session_get_nth_pset(s, MPI_INFO_NULL, i, &room, NULL));
        CHECK_MPI(MPI_Session_get_nth_pset(s, MPI_INFO_NULL, i, &length, name));
        CHECK_EQ(length, room);
        CHECK_EQ((int)strlen(name) + 1, length);
        CHECK_MPI(MPI_Session_get_nth_pset(s, MPI_INFO_NULL, i, &three, cut));
        CHECK_EQ(three, length);
        CHECK(strncmp(cut, name, 3) == 0 && cut[3] == 0);

        char size[16] = "";
        int flag = 0, members = -1, bytes = sizeof size;
        MPI_Group g;
        CHECK_MPI(MPI_Session_get_pset_info(s, name, &info));
        CHECK_MPI(MPI_Info_get_string(info, "mpi_size", &bytes, size, &flag));
        CHECK(flag);
        CHECK_MPI(MPI_Info_free(&info));
        CHECK_MPI(MPI_Group_from_session_pset(s, name, &g));
        CHECK_MPI(MPI_Group_size(g, &members));
        CHECK_EQ(atoi(size), members);
        CHECK_MPI(MPI_Group_free(&g));
        world += strcmp(name, "mpi://WORLD") == 0;
        self += strcmp(name, "mpi://SELF") == 0;
    }
    CHECK_EQ(world, 1);
    CHECK_EQ(self, 1);
}

static void level(MPI_Session s)
{
    MPI_Info info;
    char value[64] = "";
    int bytes = sizeof value, flag = 0;

    CHECK_MPI(MPI_Session_get_info(s, &info));
    CHECK_MPI(MPI_Info_get_string(info, "thread_level", &bytes, value, &flag));
    CHECK(flag && strncmp(value, "MPI_THREAD_", 11) == 0);
    bytes = sizeof value;
    CHECK_MPI(MPI_Info_get_string(info, "mpi_memory_alloc_kinds", &bytes, value, &flag));
    CHECK(flag && strstr(value, "mpi") && strstr(value, "system"));
    CHECK_MPI(MPI_Info_free(&info));
}

static void no_world(void)
{
    int flag = 1, rank;

    CHECK_MPI(MPI_Initialized(&flag));
    CHECK_EQ(flag, 0);
    CHECK_MPI(MPI_Finalized(&flag));
    CHECK_EQ(flag, 0);
    (void)rank;
}

int main(void)
{
    MPI_Session first, second;
    MPI_Comm world, self, both, more;
    int rounds = 5;

    no_world();
    first = open_session(NULL);
    no_world();
    process_sets(first);
    level(first);
    world = comm_of(first, "mpi://WORLD", "world");
    MPI_Comm_rank(world, &me);
    MPI_Comm_size(world, &np);
    use(world);
    send_large(world, 1);
    self = comm_of(first, "mpi://SELF", "self");
    use(self);

    /* Another one at the same time: its communicators and those of the first do not meet. */
    second = open_session("MPI_THREAD_SINGLE");
    CHECK(second != first);
    both = comm_of(second, "mpi://WORLD", "world");
    use(both);
    use(world);
    CHECK_MPI(MPI_Comm_dup(world, &more));
    use(more);
    CHECK_MPI(MPI_Comm_free(&world));
    CHECK_MPI(MPI_Comm_free(&self));
    CHECK_MPI(MPI_Comm_free(&more));
    CHECK_MPI(MPI_Session_finalize(&first));
    CHECK(first == MPI_SESSION_NULL);
    use(both);
    send_large(both, 2);
    CHECK_MPI(MPI_Comm_free(&both));
    CHECK_MPI(MPI_Session_finalize(&second));

    /* One after the other. */
    for (int i = 0; i < rounds; i++) {
        first = open_session(i % 2 ? NULL : "MPI_THREAD_MULTIPLE");
        world = comm_of(first, "mpi://WORLD", "again");
        use(world);
        send_large(world, 3 + i);
        CHECK_MPI(MPI_Comm_free(&world));
        CHECK_MPI(MPI_Session_finalize(&first));
        no_world();
    }
    /* A rank may use sessions while the others do nothing of the kind. */
    if (me == 0) {
        first = open_session(NULL);
        self = comm_of(first, "mpi://SELF", "alone");
        use(self);
        CHECK_MPI(MPI_Comm_free(&self));
        CHECK_MPI(MPI_Session_finalize(&first));
    }
    return check_result();
}
