/* A value that is set again under its key counts as set last: copy functions are called in that order when
 * the object is duplicated. Values of keys without a delete function are replaced without one, and a key that
 * has been freed takes none (MPI 5.0, 7.7.2). */
#include "check.h"

enum { KEYS = 6 };

static int keys[KEYS], calls[KEYS], called;

static int copy(MPI_Comm comm, int key, void *extra, void *in, void *out, int *flag)
{
    (void)comm;
    (void)extra;
    calls[called++] = key;
    *(void **)out = in;
    *flag = 1;
    return MPI_SUCCESS;
}

static int copy_of_type(MPI_Datatype type, int key, void *extra, void *in, void *out, int *flag)
{
    (void)type;
    return copy(MPI_COMM_NULL, key, extra, in, out, flag);
}

static void check_order(const int *order)
{
    CHECK_EQ(called, KEYS);
    for (int i = 0; i < KEYS && i < called; i++)
        CHECK_MSG(calls[i] == keys[order[i]], "call %d: key %d, want %d", i, calls[i], keys[order[i]]);
    called = 0;
}

int main(int argc, char **argv)
{
    static const int again[] = {3, 0, 4, 3}, order[] = {1, 2, 5, 0, 4, 3};
    char values[KEYS * 2];
    MPI_Comm c, d;
    MPI_Datatype t, u;
    void *v;
    int flag, freed;

    check_init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    CHECK_MPI(MPI_Comm_dup(MPI_COMM_SELF, &c));
    MPI_Comm_set_errhandler(c, MPI_ERRORS_RETURN);
    for (int i = 0; i < KEYS; i++) {
        CHECK_MPI(MPI_Comm_create_keyval(copy, MPI_COMM_NULL_DELETE_FN, &keys[i], NULL));
        CHECK_MPI(MPI_Comm_set_attr(c, keys[i], &values[i]));
    }
    for (int i = 0; i < 4; i++)
        CHECK_MPI(MPI_Comm_set_attr(c, keys[again[i]], &values[KEYS + again[i]]));
    CHECK_MPI(MPI_Comm_dup(c, &d));
    check_order(order);
    for (int i = 0; i < KEYS; i++) {
        CHECK_MPI(MPI_Comm_get_attr(d, keys[i], &v, &flag));
        CHECK(flag && v == &values[i == 0 || i == 3 || i == 4 ? KEYS + i : i]);
    }
    freed = keys[2];
    CHECK_MPI(MPI_Comm_free_keyval(&keys[2]));
    CHECK_CLASS(MPI_Comm_set_attr(c, freed, NULL), MPI_ERR_KEYVAL);
    CHECK_MPI(MPI_Comm_get_attr(c, freed, &v, &flag));
    CHECK(flag && v == &values[2]);
    CHECK_MPI(MPI_Comm_delete_attr(c, freed));
    CHECK_MPI(MPI_Comm_free(&d));
    CHECK_MPI(MPI_Comm_free(&c));

    CHECK_MPI(MPI_Type_contiguous(2, MPI_INT, &t));
    for (int i = 0; i < KEYS; i++) {
        CHECK_MPI(MPI_Type_create_keyval(copy_of_type, MPI_TYPE_NULL_DELETE_FN, &keys[i], NULL));
        CHECK_MPI(MPI_Type_set_attr(t, keys[i], &values[i]));
    }
    for (int i = 0; i < 4; i++)
        CHECK_MPI(MPI_Type_set_attr(t, keys[again[i]], &values[KEYS + again[i]]));
    CHECK_MPI(MPI_Type_dup(t, &u));
    check_order(order);
    CHECK_MPI(MPI_Type_get_attr(u, keys[3], &v, &flag));
    CHECK(flag && v == &values[KEYS + 3]);
    CHECK_MPI(MPI_Type_free(&t));
    CHECK_MPI(MPI_Type_free(&u));
    return check_finish();
}
