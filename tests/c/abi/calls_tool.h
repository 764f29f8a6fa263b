/* The calls of the tool interface: each needs an index, a handle or an event that another has given. */
#ifndef CALLS_TOOL_H
#define CALLS_TOOL_H

#include "calls_world.h"

static char name[1024], about[4096], value[4096];
static int name_len, about_len;
static int told;

static void room_for_names(void)
{
    name_len = sizeof name;
    about_len = sizeof about;
}

static void call_controls(void)
{
    int n, index, verbosity, bind, scope, count, items, item, written = 0, enumerated = 0;
    CALL(MPI_T_cvar_get_num(&n));
    for (int i = 0; i < n; i++) {
        MPI_Datatype type;
        MPI_T_enum e = MPI_T_ENUM_NULL;
        MPI_T_cvar_handle h;
        room_for_names();
        CALL(
            MPI_T_cvar_get_info(i, name, &name_len, &verbosity, &type, &e, about, &about_len, &bind, &scope));
        CALL(MPI_T_cvar_get_index(name, &index));
        CHECK_EQ(index, i);
        CALL(MPI_T_cvar_handle_alloc(i, NULL, &h, &count));
        CALL(MPI_T_cvar_read(h, value));
        if (scope != MPI_T_SCOPE_CONSTANT && scope != MPI_T_SCOPE_READONLY && type == MPI_INT) {
            CALL(MPI_T_cvar_write(h, value));
            written++;
        }
        CALL(MPI_T_cvar_handle_free(&h));
        if (e == MPI_T_ENUM_NULL || enumerated++)
            continue;
        room_for_names();
        CALL(MPI_T_enum_get_info(e, &items, name, &name_len));
        room_for_names();
        CALL(MPI_T_enum_get_item(e, 0, &item, name, &name_len));
    }
    CHECK(written > 0 && enumerated > 0);
}

static void call_counters(void)
{
    int n, index, verbosity, class, bind, readonly, continuous, atomic, count;
    MPI_T_pvar_session s;
    MPI_Comm self = MPI_COMM_SELF;
    MPI_Win window;
    DO(MPI_Win_create_dynamic(MPI_INFO_NULL, self, &window));
    CALL(MPI_T_pvar_session_create(&s));
    CALL(MPI_T_pvar_get_num(&n));
    for (int i = 0; i < n; i++) {
        MPI_Datatype type;
        MPI_T_enum e;
        MPI_T_pvar_handle h;
        room_for_names();
        CALL(MPI_T_pvar_get_info(i, name, &name_len, &verbosity, &class, &type, &e, about, &about_len, &bind,
                                 &readonly, &continuous, &atomic));
        CALL(MPI_T_pvar_get_index(name, class, &index));
        CHECK_EQ(index, i);
        void *object = bind == MPI_T_BIND_MPI_COMM  ? (void *)&self
                       : bind == MPI_T_BIND_MPI_WIN ? (void *)&window
                                                    : NULL;
        CALL(MPI_T_pvar_handle_alloc(s, i, object, &h, &count));
        if (!continuous) {
            CALL(MPI_T_pvar_start(s, h));
            CALL(MPI_T_pvar_stop(s, h));
        }
        CALL(MPI_T_pvar_read(s, h, value));
        if (!readonly) {
            CALL(MPI_T_pvar_write(s, h, value));
            CALL(MPI_T_pvar_reset(s, h));
        }
        if (!readonly && atomic)
            CALL(MPI_T_pvar_readreset(s, h, value));
        CALL(MPI_T_pvar_handle_free(s, &h));
    }
    CALL(MPI_T_pvar_start(s, MPI_T_PVAR_ALL_HANDLES));
    CALL(MPI_T_pvar_stop(s, MPI_T_PVAR_ALL_HANDLES));
    CALL(MPI_T_pvar_session_free(&s));
    DO(MPI_Win_free(&window));
}

static void call_categories(void)
{
    int n, index, stamp, list[256], cvars, pvars, categories, events;
    CALL(MPI_T_category_changed(&stamp));
    CALL(MPI_T_category_get_num(&n));
    for (int i = 0; i < n; i++) {
        room_for_names();
        CALL(MPI_T_category_get_info(i, name, &name_len, about, &about_len, &cvars, &pvars, &categories));
        CALL(MPI_T_category_get_num_events(i, &events));
        CALL(MPI_T_category_get_index(name, &index));
        CHECK_EQ(index, i);
        CALL(MPI_T_category_get_cvars(i, cvars < 256 ? cvars : 256, list));
        CALL(MPI_T_category_get_pvars(i, pvars < 256 ? pvars : 256, list));
        CALL(MPI_T_category_get_categories(i, categories < 256 ? categories : 256, list));
        CALL(MPI_T_category_get_events(i, events < 256 ? events : 256, list));
    }
}

static void on_event(MPI_T_event_instance e, MPI_T_event_registration r, MPI_T_cb_safety safety, void *user)
{
    int element, source;
    MPI_Count stamp;
    (void)r, (void)safety, (void)user;
    CALL(MPI_T_event_read(e, 0, &element));
    CALL(MPI_T_event_copy(e, value));
    CALL(MPI_T_event_get_timestamp(e, &stamp));
    CALL(MPI_T_event_get_source(e, &source));
    told++;
}

static void on_dropped(MPI_Count n, MPI_T_event_registration r, int source, MPI_T_cb_safety safety,
                       void *user)
{
    (void)n, (void)r, (void)source, (void)safety, (void)user;
}

static void on_event_free(MPI_T_event_registration r, MPI_T_cb_safety safety, void *user)
{
    (void)r, (void)safety;
    *(int *)user = 1;
}

static void call_sources(void)
{
    int n;
    MPI_Count ticks, most, stamp;
    MPI_T_source_order order;
    MPI_Info info = MPI_INFO_NULL;
    CALL(MPI_T_source_get_num(&n));
    for (int i = 0; i < n; i++) {
        room_for_names();
        CALL(MPI_T_source_get_info(i, name, &name_len, about, &about_len, &order, &ticks, &most, &info));
        free_info(&info);
        CALL(MPI_T_source_get_timestamp(i, &stamp));
    }
}

static void call_events(void)
{
    int n, index, verbosity, bind, elements = 16, freed = 0;
    MPI_Datatype some[16];
    MPI_Aint at[16];
    MPI_T_enum e;
    MPI_Info info = MPI_INFO_NULL;
    MPI_T_event_registration r;
    MPI_Request send[2];
    CALL(MPI_T_event_get_num(&n));
    CHECK(n > 0);
    CALL(MPI_T_event_get_index("unexpected_message_arrived", &index));
    room_for_names();
    CALL(MPI_T_event_get_info(index, name, &name_len, &verbosity, some, at, &elements, &e, &info, about,
                              &about_len, &bind));
    free_info(&info);
    CALL(MPI_T_event_handle_alloc(index, NULL, MPI_INFO_NULL, &r));
    CALL(MPI_T_event_register_callback(r, MPI_T_CB_REQUIRE_NONE, MPI_INFO_NULL, NULL, on_event));
    CALL(MPI_T_event_set_dropped_handler(r, on_dropped));
    CALL(MPI_T_event_handle_set_info(r, the_info));
    CALL(MPI_T_event_handle_get_info(r, &info));
    free_info(&info);
    CALL(MPI_T_event_callback_set_info(r, MPI_T_CB_REQUIRE_NONE, the_info));
    CALL(MPI_T_event_callback_get_info(r, MPI_T_CB_REQUIRE_NONE, &info));
    free_info(&info);
    send_right(&send[0]); /* comes before the next and is received after it */
    DO(MPI_Isend(out, 4, MPI_INT, right, TAG + 1, the_comm, &send[1]));
    DO(MPI_Recv(in, 4, MPI_INT, left, TAG + 1, the_comm, &done));
    DO(MPI_Recv(in, 4, MPI_INT, left, TAG, the_comm, &done));
    DO(MPI_Waitall(2, send, MPI_STATUSES_IGNORE));
    CHECK(told > 0);
    CALL(MPI_T_event_handle_free(r, &freed, on_event_free));
    for (int i = 0; i < 1000 && !freed; i++)
        DO(MPI_Barrier(the_comm));
    CHECK(freed);
}

static void call_tool(void)
{
    int provided;
    CALL(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided));
    call_controls();
    call_counters();
    call_categories();
    call_sources();
    if (np > 1) /* a message to oneself arrives from nowhere */
        call_events();
    CALL(MPI_T_finalize());
}

#endif
