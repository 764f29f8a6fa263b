/*
 * Delete functions that fail, and that change the attributes of the object, or their key, while they are
 * called: for communicators, datatypes and windows alike.
 */
#include "check.h"

enum { MORE = 20 };

enum action { NOTHING, FAIL, TAKE_OUT, FREE_KEY, ADD_MORE, SET_AGAIN };

static enum action action;
static int key, more[MORE], calls, wanted, code;
static char values[4];

/* What is called for each kind of object. */
static int (*set)(void *, int, void *), (*take_out)(void *, int), (*get)(void *, int, void *, int *);

#define FUNCTIONS(Kind, KIND, handle) \
	static int set_##Kind(void *o, int k, void *v) { return MPI_##Kind##_set_attr(*(handle *)o, k, v); } \
	static int take_out_##Kind(void *o, int k) { return MPI_##Kind##_delete_attr(*(handle *)o, k); } \
	static int get_##Kind(void *o, int k, void *v, int *f) \
	{ \
		return MPI_##Kind##_get_attr(*(handle *)o, k, v, f); \
	} \
	static int on_delete_##Kind(handle o, int k, void *value, void *extra) \
	{ \
		CHECK(extra == values + 3); \
		return deleting(&o, k, value); \
	} \
	static int make_##Kind(int *k) \
	{ \
		set = set_##Kind; \
		take_out = take_out_##Kind; \
		get = get_##Kind; \
		return MPI_##Kind##_create_keyval(MPI_##KIND##_NULL_COPY_FN, on_delete_##Kind, k, values + 3); \
	} \
	static int free_##Kind(int *k) { return MPI_##Kind##_free_keyval(k); }

static int (*free_key)(int *);

static int deleting(void *o, int k, void *value)
{
    enum action now = action;
    int flag = -1, same = k;
    void *v = NULL;

    calls++;
    CHECK(value == values + wanted);
    CHECK_MPI(get(o, k, &v, &flag));
    CHECK_EQ(flag, 1);
    CHECK(v == value);
    action = NOTHING;
    switch (now) {
    case FAIL:
        return code;
    case TAKE_OUT:
        CHECK_MPI(take_out(o, k));
        break;
    case FREE_KEY:
        CHECK_MPI(free_key(&same));
        CHECK_EQ(same, MPI_KEYVAL_INVALID);
        break;
    case ADD_MORE:
        for (int i = 0; i < MORE; i++)
            CHECK_MPI(set(o, more[i], values));
        break;
    case SET_AGAIN:
        CHECK_MPI(set(o, k, values + 2));
        wanted = 2;
        break;
    case NOTHING:
        break;
    }
    return MPI_SUCCESS;
}

FUNCTIONS(Comm, COMM, MPI_Comm)
FUNCTIONS(Type, TYPE, MPI_Datatype)
FUNCTIONS(Win, WIN, MPI_Win)

static void check_value(void *o, int k, int value)
{
    int flag = -1;
    void *v = NULL;

    CHECK_MPI(get(o, k, &v, &flag));
    CHECK_EQ(flag, value >= 0);
    if (flag == 1 && value >= 0)
        CHECK(v == values + value);
}

/* A value is set, and replaced or deleted; expected is how often the function has been called then. */
static void attempt(void *o, enum action what, int replaces, int fails, int expected, int left)
{
    CHECK_MPI(set(o, key, values));
    calls = wanted = 0;
    action = what;
    int rc = replaces ? set(o, key, values + 1) : take_out(o, key);
    if (fails)
        CHECK_EQ(rc, code);
    else
        CHECK_MPI(rc);
    CHECK_EQ(calls, expected);
    if (what != FREE_KEY)
        check_value(o, key, left);
    action = NOTHING;
    wanted = left;
    if (left >= 0)
        CHECK_MPI(take_out(o, key));
}

static void check_kind(void *o, int (*make)(int *), int (*release)(int *))
{
    free_key = release;
    for (int i = 0; i < MORE; i++)
        CHECK_MPI(make(&more[i]));
    for (int room = 0; room < 2; room++) { /* before the first attribute, and then */
        CHECK_MPI(make(&key));
        for (int replaces = 0; replaces < 2; replaces++) {
            int left = replaces ? 1 : -1;

            attempt(o, NOTHING, replaces, 0, 1, left);
            attempt(o, FAIL, replaces, 1, 1, 0);
            attempt(o, TAKE_OUT, replaces, 0, 2, left);
            attempt(o, SET_AGAIN, replaces, 0, 2, left);
            attempt(o, ADD_MORE, replaces, 0, 1, left);
            wanted = 0;
            for (int i = 0; i < MORE; i++)
                CHECK_MPI(take_out(o, more[i]));
        }
        attempt(o, FREE_KEY, room, 0, 1, room ? 1 : -1);
    }
    for (int i = 0; i < MORE; i++)
        CHECK_MPI(release(&more[i]));
}

int main(int argc, char **argv)
{
    MPI_Comm comm;
    MPI_Datatype type;
    MPI_Win win;

    check_init(&argc, &argv);
    CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    CHECK_MPI(MPI_Add_error_class(&code));

    CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    check_kind(&comm, make_Comm, free_Comm);
    CHECK_MPI(MPI_Comm_free(&comm));

    CHECK_MPI(MPI_Type_contiguous(3, MPI_INT, &type));
    check_kind(&type, make_Type, free_Type);
    CHECK_MPI(MPI_Type_free(&type));

    CHECK_MPI(MPI_Win_create(NULL, 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    CHECK_MPI(MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN));
    check_kind(&win, make_Win, free_Win);
    CHECK_MPI(MPI_Win_free(&win));
    return check_finish();
}
