/*
 * What there is to see and set by MPI_T: before MPI_Init, while MPI runs and after MPI_Finalize. Every
 * variable, category and enumeration tells of itself, whatever the program leaves out; a setting written
 * before MPI_Init is in force after it; handles and indices that are none are refused with the error classes
 * of the tool interface, and without an error handler.
 */
#include "check.h"

enum { TEXT = 256 };

static int controls, performances, categories;

static MPI_Comm self = MPI_COMM_NULL; /* for variables that belong to objects, while MPI runs */
static MPI_Win window = MPI_WIN_NULL;

static void see_enum(MPI_T_enum e)
{
    char name[TEXT];
    int items, value, len = TEXT;
    CHECK_MPI(MPI_T_enum_get_info(e, &items, name, &len));
    CHECK(items > 0);
    CHECK_EQ(len, (int)strlen(name) + 1);
    for (int i = 0; i < items; i++) {
        len = TEXT;
        CHECK_MPI(MPI_T_enum_get_item(e, i, &value, name, &len));
        CHECK_EQ(value, i);
    }
    CHECK_EQ(MPI_T_enum_get_item(e, items, &value, NULL, NULL), MPI_T_ERR_INVALID_ITEM);
}

static void see_controls(void)
{
    CHECK_MPI(MPI_T_cvar_get_num(&controls));
    CHECK(controls >= 4);
    for (int i = 0; i < controls; i++) {
        char name[TEXT], again[4], desc[1024];
        int len = TEXT, short_len = sizeof again, desc_len = sizeof desc, verbosity, bind, scope, count,
            index;
        MPI_Datatype type;
        MPI_T_enum e;
        MPI_T_cvar_handle h;
        CHECK_MPI(MPI_T_cvar_get_info(i, name, &len, &verbosity, &type, &e, desc, &desc_len, &bind, &scope));
        CHECK_EQ(len, (int)strlen(name) + 1);
        CHECK_EQ(desc_len, (int)strlen(desc) + 1);
        CHECK_EQ(bind, MPI_T_BIND_NO_OBJECT);
        CHECK_MPI(MPI_T_cvar_get_info(i, again, &short_len, NULL, NULL, NULL, NULL, NULL, NULL, NULL));
        CHECK_EQ(short_len, len);
        CHECK(strncmp(name, again, 3) == 0 && again[3] == 0);
        CHECK_MPI(MPI_T_cvar_get_index(name, &index));
        CHECK_EQ(index, i);
        if (e != MPI_T_ENUM_NULL)
            see_enum(e);
        CHECK_MPI(MPI_T_cvar_handle_alloc(i, NULL, &h, &count));
        if (type == MPI_INT) {
            int value = -1;
            CHECK_EQ(count, 1);
            CHECK_MPI(MPI_T_cvar_read(h, &value));
            CHECK_MSG(value >= 0, "%s is %d", name, value);
            if (scope == MPI_T_SCOPE_READONLY)
                CHECK_EQ(MPI_T_cvar_write(h, &value), MPI_T_ERR_CVAR_SET_NEVER);
        } else {
            CHECK(type == MPI_CHAR);
            char *value = check_alloc(count);
            CHECK_MPI(MPI_T_cvar_read(h, value));
            CHECK_EQ((int)strlen(value) + 1, count);
            check_free(value);
        }
        CHECK_MPI(MPI_T_cvar_handle_free(&h));
        CHECK(h == MPI_T_CVAR_HANDLE_NULL);
        CHECK_EQ(MPI_T_cvar_read(h, desc), MPI_T_ERR_INVALID_HANDLE);
    }
    int index;
    MPI_T_cvar_handle h;
    CHECK_EQ(MPI_T_cvar_get_index("GOMPI_NONSENSE", &index), MPI_T_ERR_INVALID_NAME);
    CHECK_EQ(MPI_T_cvar_handle_alloc(controls, NULL, &h, &index), MPI_T_ERR_INVALID_INDEX);
    CHECK_EQ(MPI_T_cvar_get_num(NULL), MPI_T_ERR_INVALID);
}

static void see_performances(void)
{
    MPI_T_pvar_session s, other;
    CHECK_MPI(MPI_T_pvar_get_num(&performances));
    CHECK(performances >= 8);
    CHECK_MPI(MPI_T_pvar_session_create(&s));
    CHECK_MPI(MPI_T_pvar_session_create(&other));
    for (int i = 0; i < performances; i++) {
        char name[TEXT], desc[TEXT];
        int len = TEXT, desc_len = TEXT, verbosity, class, bind, readonly, continuous, atomic, count, index;
        MPI_Datatype type;
        MPI_T_enum e;
        MPI_T_pvar_handle h;
        unsigned long long value;
        CHECK_MPI(MPI_T_pvar_get_info(i, name, &len, &verbosity, &class, &type, &e, desc, &desc_len, &bind,
                                      &readonly, &continuous, &atomic));
        CHECK(e == MPI_T_ENUM_NULL);
        CHECK_MPI(MPI_T_pvar_get_index(name, class, &index));
        CHECK_EQ(index, i);
        CHECK_EQ(MPI_T_pvar_get_index(name, MPI_T_PVAR_CLASS_GENERIC, &index), MPI_T_ERR_INVALID_NAME);
        void *object = bind == MPI_T_BIND_MPI_COMM  ? (void *)&self
                       : bind == MPI_T_BIND_MPI_WIN ? (void *)&window
                                                    : NULL;
        if (object != NULL) {
            CHECK_EQ(MPI_T_pvar_handle_alloc(s, i, NULL, &h, &count), MPI_T_ERR_INVALID);
            if (self == MPI_COMM_NULL) {
                CHECK_EQ(MPI_T_pvar_handle_alloc(s, i, object, &h, &count), MPI_T_ERR_INVALID_HANDLE);
                continue;
            }
        } else {
            CHECK_EQ(bind, MPI_T_BIND_NO_OBJECT);
        }
        CHECK_MPI(MPI_T_pvar_handle_alloc(s, i, object, &h, &count));
        CHECK_EQ(count, 1);
        CHECK(type == MPI_UNSIGNED_LONG_LONG || type == MPI_DOUBLE);
        CHECK_EQ(MPI_T_pvar_start(s, h), continuous ? MPI_T_ERR_PVAR_NO_STARTSTOP : MPI_SUCCESS);
        CHECK_EQ(MPI_T_pvar_stop(s, h), continuous ? MPI_T_ERR_PVAR_NO_STARTSTOP : MPI_SUCCESS);
        CHECK_EQ(MPI_T_pvar_reset(s, h), readonly ? MPI_T_ERR_PVAR_NO_WRITE : MPI_SUCCESS);
        CHECK_MPI(MPI_T_pvar_read(s, h, &value));
        if (!readonly) {
            double seconds = 1.5, seconds_back;
            unsigned long long number = 7, back;
            CHECK_MPI(MPI_T_pvar_write(s, h, type == MPI_DOUBLE ? (void *)&seconds : &number));
            CHECK(atomic);
            CHECK_MPI(MPI_T_pvar_readreset(s, h, type == MPI_DOUBLE ? (void *)&seconds_back : &back));
            if (type == MPI_DOUBLE)
                CHECK(seconds_back == seconds);
            else
                CHECK_EQ(back, number);
            CHECK_MPI(MPI_T_pvar_read(s, h, &value));
            CHECK_EQ(value, 0);
        } else {
            CHECK_EQ(MPI_T_pvar_readreset(s, h, &value), MPI_T_ERR_PVAR_NO_ATOMIC);
        }
        CHECK_EQ(MPI_T_pvar_read(other, h, &value), MPI_T_ERR_INVALID_HANDLE);
        if (i % 2 == 0)
            CHECK_MPI(MPI_T_pvar_handle_free(s, &h)); /* the others go with the session */
    }
    CHECK_MPI(MPI_T_pvar_start(s, MPI_T_PVAR_ALL_HANDLES));
    CHECK_MPI(MPI_T_pvar_stop(s, MPI_T_PVAR_ALL_HANDLES));
    CHECK_MPI(MPI_T_pvar_reset(s, MPI_T_PVAR_ALL_HANDLES));
    CHECK_MPI(MPI_T_pvar_session_free(&s));
    CHECK(s == MPI_T_PVAR_SESSION_NULL);
    CHECK_EQ(MPI_T_pvar_session_free(&s), MPI_T_ERR_INVALID_SESSION);
    CHECK_MPI(MPI_T_pvar_session_free(&other));
}

static void see_categories(void)
{
    int seen_controls = 0, seen_performances = 0, seen_events = 0, events, stamp;
    CHECK_MPI(MPI_T_category_get_num(&categories));
    CHECK_MPI(MPI_T_event_get_num(&events));
    CHECK_MPI(MPI_T_category_changed(&stamp));
    for (int i = 0; i < categories; i++) {
        char name[TEXT];
        int len = TEXT, c, p, inner, e, index, list[256];
        CHECK_MPI(MPI_T_category_get_info(i, name, &len, NULL, NULL, &c, &p, &inner));
        CHECK_MPI(MPI_T_category_get_index(name, &index));
        CHECK_EQ(index, i);
        CHECK_MPI(MPI_T_category_get_num_events(i, &e));
        CHECK_MPI(MPI_T_category_get_cvars(i, c, list));
        for (int k = 0; k < c; k++)
            CHECK(list[k] >= 0 && list[k] < controls);
        CHECK_MPI(MPI_T_category_get_pvars(i, p, list));
        for (int k = 0; k < p; k++)
            CHECK(list[k] >= 0 && list[k] < performances);
        CHECK_MPI(MPI_T_category_get_categories(i, inner, list));
        for (int k = 0; k < inner; k++)
            CHECK(list[k] > i && list[k] < categories);
        CHECK_MPI(MPI_T_category_get_events(i, e, list));
        seen_controls += c, seen_performances += p, seen_events += e;
    }
    CHECK_EQ(seen_controls, controls);
    CHECK_EQ(seen_performances, performances);
    CHECK_EQ(seen_events, events);
    CHECK_EQ(MPI_T_category_get_num_events(categories, &stamp), MPI_T_ERR_INVALID_INDEX);
}

static void see_all(void)
{
    see_controls();
    see_performances();
    see_categories();
}

static int eager(int write, int value)
{
    int index, count, got = -1;
    MPI_T_cvar_handle h;
    CHECK_MPI(MPI_T_cvar_get_index("GOMPI_EAGER", &index));
    CHECK_MPI(MPI_T_cvar_handle_alloc(index, NULL, &h, &count));
    if (write)
        CHECK_MPI(MPI_T_cvar_write(h, &value));
    CHECK_MPI(MPI_T_cvar_read(h, &got));
    value = -1;
    CHECK_EQ(MPI_T_cvar_write(h, &value), MPI_T_ERR_INVALID);
    CHECK_MPI(MPI_T_cvar_handle_free(&h));
    return got;
}

int main(int argc, char **argv)
{
    int provided, n;
    CHECK_EQ(MPI_T_cvar_get_num(&n), MPI_T_ERR_NOT_INITIALIZED);
    CHECK_EQ(MPI_T_finalize(), MPI_T_ERR_NOT_INITIALIZED);
    CHECK_MPI(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided));
    see_all();
    CHECK_EQ(eager(1, 5000), 5000);

    check_init(&argc, &argv); /* the communicators have MPI_ERRORS_ARE_FATAL, which nothing here may call */
    self = MPI_COMM_SELF;
    void *memory;
    CHECK_MPI(MPI_Win_allocate(8, 1, MPI_INFO_NULL, self, &memory, &window));
    see_all();
    CHECK_EQ(eager(0, 0), 5000);
    CHECK_EQ(eager(1, 6000), 6000);
    CHECK_MPI(MPI_T_init_thread(MPI_THREAD_MULTIPLE, &provided));
    CHECK_MPI(MPI_T_finalize());
    see_all();
    CHECK_MPI(MPI_Win_free(&window));
    self = MPI_COMM_NULL;
    int code = check_finish();
    see_all();
    CHECK_MPI(MPI_T_finalize());
    CHECK_EQ(MPI_T_cvar_get_num(&n), MPI_T_ERR_NOT_INITIALIZED);
    return code != 0 || check_failed != 0;
}
