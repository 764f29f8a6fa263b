/*
 * Attributes that are looked up again and again, while they change between the look-ups: by setting,
 * deleting, freeing keys and communicators, in callbacks, and in other threads. What a look-up remembers must
 * never be seen afterwards.
 */
#include "check.h"

#include <pthread.h>

static char values[64];
static int key, other;
static MPI_Comm inside;

static void *get(MPI_Comm c, int k)
{
    void *first = NULL, *value = NULL;
    int flag = -1, again = -1;

    CHECK_MPI(MPI_Comm_get_attr(c, k, &first, &flag));
    CHECK_MPI(MPI_Comm_get_attr(c, k, &value, &again));
    CHECK_EQ(flag, again);
    if (flag)
        CHECK(first == value);
    return flag ? value : NULL;
}

/* Sees the attribute that is about to go, and the other one. */
static int on_delete(MPI_Comm c, int k, void *value, void *extra)
{
    (void)extra;
    CHECK(get(c, k) == value);
    if (inside != MPI_COMM_NULL)
        CHECK(get(c, other) == values + 60);
    return MPI_SUCCESS;
}

static void *elsewhere(void *arg)
{
    int step = *(int *)arg;
    CHECK(get(MPI_COMM_WORLD, key) == values + step);
    return NULL;
}

int main(int argc, char **argv)
{
    int level, flag, *ub = NULL;
    MPI_Comm c, keep;
    void *value;
    pthread_t t;

    CHECK_MPI(MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level));
    check_know_world();
    CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    inside = MPI_COMM_NULL;
    CHECK_MPI(MPI_Comm_create_keyval(MPI_COMM_DUP_FN, on_delete, &key, NULL));
    CHECK_MPI(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &other, NULL));

    CHECK(get(MPI_COMM_WORLD, key) == NULL);
    for (int i = 0; i < 50; i++) {
        CHECK_MPI(MPI_Comm_set_attr(MPI_COMM_WORLD, key, values + i));
        CHECK(get(MPI_COMM_WORLD, key) == values + i);
        CHECK(get(MPI_COMM_SELF, key) == NULL);
        if (level == MPI_THREAD_MULTIPLE && i % 10 == 0) {
            CHECK_EQ(pthread_create(&t, NULL, elsewhere, &i), 0);
            pthread_join(t, NULL);
        }
    }
    CHECK_MPI(MPI_Comm_set_attr(MPI_COMM_WORLD, other, values + 60));
    inside = MPI_COMM_WORLD;
    CHECK_MPI(MPI_Comm_delete_attr(MPI_COMM_WORLD, key));
    inside = MPI_COMM_NULL;
    CHECK(get(MPI_COMM_WORLD, key) == NULL);
    CHECK(get(MPI_COMM_WORLD, other) == values + 60);

    /* Handles and keys that are gone. */
    CHECK_MPI(MPI_Comm_set_attr(MPI_COMM_WORLD, key, values + 1));
    for (int i = 0; i < 300; i++) {
        CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &c));
        CHECK(get(c, key) == values + 1);
        CHECK_MPI(MPI_Comm_set_attr(c, key, values + 2));
        CHECK(get(c, key) == values + 2);
        CHECK(get(MPI_COMM_WORLD, key) == values + 1);
        CHECK_MPI(MPI_Comm_get_attr(c, MPI_TAG_UB, &ub, &flag));
        CHECK(flag && *ub >= 32767);
        keep = c;
        CHECK_MPI(MPI_Comm_free(&c));
        CHECK_CLASS(MPI_Comm_get_attr(keep, MPI_TAG_UB, &ub, &flag), MPI_ERR_COMM);
        CHECK_CLASS(MPI_Comm_get_attr(keep, key, &value, &flag), MPI_ERR_COMM);
    }
    int was = key;
    CHECK_MPI(MPI_Comm_free_keyval(&key));
    CHECK(get(MPI_COMM_WORLD, was) == values + 1);
    CHECK_MPI(MPI_Comm_delete_attr(MPI_COMM_WORLD, was));
    CHECK_CLASS(MPI_Comm_get_attr(MPI_COMM_WORLD, was, &value, &flag), MPI_ERR_KEYVAL);

    /* The one predefined attribute that changes. */
    int *last, before, class;
    CHECK_MPI(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_LASTUSEDCODE, &last, &flag));
    before = *last;
    CHECK_MPI(MPI_Add_error_class(&class));
    CHECK_MPI(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_LASTUSEDCODE, &last, &flag));
    CHECK(*last > before);

    /* NULL where the result goes is found out although the attribute is known. */
    CHECK_MPI(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &ub, &flag));
    CHECK_CLASS(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, NULL, &flag), MPI_ERR_ARG);
    CHECK_CLASS(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &ub, NULL), MPI_ERR_ARG);

    /* The same for datatypes. */
    int tkey;
    CHECK_MPI(MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, &tkey, NULL));
    for (int i = 0; i < 5; i++) {
        CHECK_MPI(MPI_Type_set_attr(MPI_INT, tkey, values + i));
        for (int k = 0; k < 2; k++) {
            CHECK_MPI(MPI_Type_get_attr(MPI_INT, tkey, &value, &flag));
            CHECK(flag && value == values + i);
        }
    }
    CHECK_MPI(MPI_Type_delete_attr(MPI_INT, tkey));
    CHECK_MPI(MPI_Type_get_attr(MPI_INT, tkey, &value, &flag));
    CHECK_EQ(flag, 0);
    CHECK_MPI(MPI_Type_free_keyval(&tkey));
    return check_finish();
}
