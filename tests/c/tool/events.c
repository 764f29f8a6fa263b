/*
 * Events of MPI_T: the program is told of messages that come before their receive and of long ones that are
 * announced, in order, with their data and time, in a place where it may call MPI itself. More than can be
 * kept are counted for the handler of dropped events. Nothing comes after the registration has been freed.
 */
#include "check.h"

enum { COUNT = 5, MANY = 3000, BIG = 300000, TELLTALE = 7777, TO_SELF = 8888 };

static int to_self, told, freed, wrong, context = -1;
static MPI_Count last_stamp, dropped;
static MPI_T_event_registration unexpected, announced;

static int element(MPI_T_event_instance e, int i)
{
    int v = -1;
    CHECK_MPI(MPI_T_event_read(e, i, &v));
    return v;
}

static void on_unexpected(MPI_T_event_instance e, MPI_T_event_registration r, MPI_T_cb_safety safety,
                          void *user)
{
    unsigned long long bytes;
    unsigned char data[64];
    MPI_Count stamp;
    int source, rank;
    CHECK(r == unexpected && user == &told && safety == MPI_T_CB_REQUIRE_NONE);
    if (element(e, 1) == TO_SELF && element(e, 0) == me)
        to_self++;
    if (element(e, 1) == TELLTALE)
        context = element(e, 2);
    if (element(e, 1) == TELLTALE || element(e, 2) != context)
        return; /* collective operations have messages as well */
    CHECK_MPI(MPI_T_event_read(e, 3, &bytes));
    CHECK_MPI(MPI_T_event_copy(e, data));
    CHECK(memcmp(data + 16, &bytes, sizeof bytes) == 0);
    wrong += element(e, 0) != 0 || (element(e, 1) == told) != (told < COUNT) || bytes != 8;
    CHECK_EQ(MPI_T_event_read(e, 4, &bytes), MPI_T_ERR_INVALID_INDEX);
    CHECK_MPI(MPI_T_event_get_timestamp(e, &stamp));
    CHECK(stamp >= last_stamp);
    last_stamp = stamp;
    CHECK_MPI(MPI_T_event_get_source(e, &source));
    CHECK_EQ(source, 0);
    CHECK_MPI(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    /* A message to itself: a callback may communicate. */
    CHECK_MPI(
        MPI_Sendrecv(&rank, 1, MPI_INT, 0, 0, &source, 1, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE));
    told++;
}

static void on_announced(MPI_T_event_instance e, MPI_T_event_registration r, MPI_T_cb_safety safety,
                         void *user)
{
    unsigned long long bytes;
    CHECK(r == announced && safety == MPI_T_CB_REQUIRE_NONE);
    CHECK_MPI(MPI_T_event_read(e, 3, &bytes));
    CHECK_EQ(bytes, BIG);
    CHECK_EQ(element(e, 0), 1);
    ++*(int *)user;
}

static void on_dropped(MPI_Count count, MPI_T_event_registration r, int source, MPI_T_cb_safety safety,
                       void *user)
{
    CHECK(r == unexpected && source == 0 && safety == MPI_T_CB_REQUIRE_NONE && user == &told);
    dropped += count;
}

static void on_free(MPI_T_event_registration r, MPI_T_cb_safety safety, void *user)
{
    (void)r;
    CHECK(safety == MPI_T_CB_REQUIRE_NONE);
    ++*(int *)user;
}

static MPI_T_event_registration ask(const char *name, MPI_T_event_cb_function *fn, void *user)
{
    MPI_T_event_registration r;
    int index;
    CHECK_MPI(MPI_T_event_get_index(name, &index));
    CHECK_MPI(MPI_T_event_handle_alloc(index, NULL, MPI_INFO_NULL, &r));
    CHECK_MPI(MPI_T_event_register_callback(r, MPI_T_CB_REQUIRE_NONE, MPI_INFO_NULL, user, fn));
    return r;
}

/* count messages that rank 1 receives only once all are there */
static void send_early(int count, MPI_Comm comm)
{
    double value = 0;
    if (me == 0) {
        for (int i = 0; i < count; i++)
            CHECK_MPI(MPI_Send(&value, 1, MPI_DOUBLE, 1, i, comm));
        CHECK_MPI(MPI_Ssend(&value, 0, MPI_DOUBLE, 1, MANY + 1, comm));
    } else if (me == 1) {
        CHECK_MPI(MPI_Recv(&value, 0, MPI_DOUBLE, 0, MANY + 1, comm, MPI_STATUS_IGNORE));
        for (int i = 0; i < count; i++)
            CHECK_MPI(MPI_Recv(&value, 1, MPI_DOUBLE, 0, i, comm, MPI_STATUS_IGNORE));
    }
}

int main(int argc, char **argv)
{
    int provided, begun = 0, sources, n, elements = 8;
    MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    unexpected = ask("unexpected_message_arrived", on_unexpected, &told);
    CHECK_MPI(MPI_T_event_set_dropped_handler(unexpected, on_dropped));
    check_init(&argc, &argv);
    announced = ask("rendezvous_begun", on_announced, &begun);

    MPI_Count ticks, most, t0, t1;
    MPI_T_source_order order;
    char name[64];
    int len = sizeof name;
    CHECK_MPI(MPI_T_source_get_num(&sources));
    CHECK_EQ(sources, 1);
    CHECK_MPI(MPI_T_source_get_info(0, name, &len, NULL, NULL, &order, &ticks, &most, NULL));
    CHECK(order == MPI_T_SOURCE_ORDERED && ticks == 1000000000 && most > ticks);
    CHECK_MPI(MPI_T_source_get_timestamp(0, &t0));
    CHECK_MPI(MPI_T_source_get_timestamp(0, &t1));
    CHECK(t1 >= t0);
    CHECK_EQ(MPI_T_source_get_timestamp(1, &t0), MPI_T_ERR_INVALID_INDEX);

    MPI_Datatype types[8];
    MPI_Aint at[8];
    MPI_Info info;
    CHECK_MPI(MPI_T_event_get_index("unexpected_message_arrived", &n));
    CHECK_MPI(MPI_T_event_get_info(n, NULL, NULL, NULL, types, at, &elements, NULL, NULL, NULL, NULL, NULL));
    CHECK_EQ(elements, 4);
    CHECK(types[0] == MPI_INT && types[3] == MPI_UNSIGNED_LONG_LONG && at[0] == 0 && at[3] == 16);
    CHECK_MPI(MPI_T_event_handle_get_info(unexpected, &info));
    CHECK_MPI(MPI_Info_free(&info));
    CHECK_MPI(MPI_T_event_callback_get_info(unexpected, MPI_T_CB_REQUIRE_NONE, &info));
    CHECK_MPI(MPI_Info_free(&info));

    MPI_Comm comm; /* of its own, for whatever else goes on between the ranks */
    CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    if (me == 0) {
        CHECK_MPI(MPI_Send(&n, 1, MPI_INT, 1, TELLTALE, comm));
        CHECK_MPI(MPI_Ssend(&n, 1, MPI_INT, 1, 0, comm));
    } else if (me == 1) {
        CHECK_MPI(MPI_Recv(&n, 1, MPI_INT, 0, 0, comm, MPI_STATUS_IGNORE));
        CHECK_MPI(MPI_Recv(&n, 1, MPI_INT, 0, TELLTALE, comm, MPI_STATUS_IGNORE));
        CHECK(context >= 0);
    }
    /* One is told of a message to oneself before the call returns that sends it, however it is sent. */
    MPI_Request request;
    CHECK_MPI(MPI_Send(&n, 1, MPI_INT, me, TO_SELF, comm));
    CHECK_EQ(to_self, 1);
    CHECK_MPI(MPI_Isend(&n, 1, MPI_INT, me, TO_SELF, comm, &request));
    CHECK_EQ(to_self, 2);
    CHECK_MPI(MPI_Recv(&n, 1, MPI_INT, me, TO_SELF, comm, MPI_STATUS_IGNORE));
    CHECK_MPI(MPI_Recv(&n, 1, MPI_INT, me, TO_SELF, comm, MPI_STATUS_IGNORE));
    CHECK_MPI(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK_MPI(MPI_Irecv(&n, 1, MPI_INT, me, TO_SELF, comm, &request));
    CHECK_MPI(MPI_Send(&n, 1, MPI_INT, me, TO_SELF, comm)); /* expected */
    CHECK_MPI(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK_EQ(to_self, 2);

    told = wrong = 0; /* before the barrier: rank 0 may send before rank 1 has left it */
    CHECK_MPI(MPI_Barrier(comm));
    send_early(COUNT, comm);
    CHECK_EQ(told, me == 1 ? COUNT : 0);
    CHECK_EQ(wrong, 0);

    if (me == 0) {
        char *big = check_alloc(BIG);
        CHECK_MPI(MPI_Send(big, BIG, MPI_BYTE, 1, 0, comm));
        check_free(big);
        CHECK_EQ(begun, 1);
    } else if (me == 1) {
        char *big = check_alloc(BIG);
        CHECK_MPI(MPI_Recv(big, BIG, MPI_BYTE, 0, 0, comm, MPI_STATUS_IGNORE));
        check_free(big);
    }

    told = wrong = 0, dropped = 0;
    CHECK_MPI(MPI_Barrier(comm));
    send_early(MANY, comm);
    CHECK_MSG(told + dropped == (me == 1 ? MANY : 0), "told of %d, %lld dropped", told, (long long)dropped);

    CHECK_MPI(MPI_T_event_handle_free(unexpected, &freed, on_free));
    CHECK_MPI(MPI_T_event_handle_free(announced, &freed, NULL));
    CHECK_EQ(freed, 1);
    CHECK_EQ(MPI_T_event_handle_free(announced, &freed, NULL), MPI_T_ERR_INVALID_HANDLE);
    told = 0;
    send_early(COUNT, comm);
    CHECK_EQ(told, 0);
    CHECK_MPI(MPI_Comm_free(&comm));
    CHECK_MPI(MPI_T_finalize());
    return check_finish();
}
