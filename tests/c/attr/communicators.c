/*
 * Attributes of communicators: copying at MPI_Comm_dup, deletion in reverse order, callbacks that fail or
 * call MPI, keys freed while in use, the MPI-1 names, the predefined attributes, and what is deleted in
 * MPI_Finalize.
 */
#include "check.h"

static char calls[256]; /* one letter for each callback */
static int fail;        /* error code for callbacks to return */
static int keep = 1;
static MPI_Comm seen;

static void note(char c)
{
    size_t n = strlen(calls);
    if (n + 1 < sizeof calls) {
        calls[n] = c;
        calls[n + 1] = '\0';
    }
}

static int copy(MPI_Comm comm, int keyval, void *extra, void *in, void *out, int *flag)
{
    int size;
    (void)keyval;
    seen = comm;
    note(*(char *)extra);
    MPI_Comm_size(comm, &size);
    *(void **)out = (char *)in + size;
    *flag = keep;
    return fail;
}

static int delete(MPI_Comm comm, int keyval, void *value, void *extra)
{
    int rank = -1;
    (void)keyval;
    (void)value;
    seen = comm;
    MPI_Comm_rank(comm, &rank);
    CHECK(rank >= 0);
    note((char)(*(char *)extra - 'a' + 'A'));
    return fail;
}

static void expect(const char *want)
{
    CHECK_MSG(strcmp(calls, want) == 0, "callbacks \"%s\", want \"%s\"", calls, want);
    calls[0] = '\0';
}

static void value_is(MPI_Comm comm, int key, int set, intptr_t want)
{
    void *value = NULL;
    int flag = -1;
    CHECK_MPI(MPI_Comm_get_attr(comm, key, &value, &flag));
    CHECK_EQ(flag, set);
    if (set)
        CHECK_EQ((intptr_t)value, want);
}

static void life(void)
{
    MPI_Comm a, b;
    int k[3], saved;
    static char names[] = "abc";
    CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &a));
    CHECK_MPI(MPI_Comm_set_errhandler(a, MPI_ERRORS_RETURN));
    for (int i = 0; i < 3; i++) {
        CHECK_MPI(MPI_Comm_create_keyval(copy, delete, &k[i], names + i));
        value_is(a, k[i], 0, 0);
        CHECK_MPI(MPI_Comm_set_attr(a, k[i], (void *)(intptr_t)(1000 * i)));
    }
    expect("");
    CHECK_MPI(MPI_Comm_dup(a, &b));
    expect("abc");
    CHECK(seen == a);
    for (int i = 0; i < 3; i++) {
        value_is(a, k[i], 1, 1000 * i);
        value_is(b, k[i], 1, 1000 * i + np);
    }
    CHECK_MPI(MPI_Comm_set_attr(b, k[0], (void *)7)); /* deletes, and is set last now */
    expect("A");
    CHECK_MPI(MPI_Comm_delete_attr(b, k[1]));
    expect("B");
    value_is(b, k[1], 0, 0);

    /* A callback that fails: the operation fails with its code, and everything is as before. */
    fail = MPI_ERR_OTHER;
    CHECK_CLASS(MPI_Comm_free(&b), MPI_ERR_OTHER);
    CHECK(b != MPI_COMM_NULL);
    expect("A");
    value_is(b, k[0], 1, 7);
    CHECK_CLASS(MPI_Comm_delete_attr(b, k[2]), MPI_ERR_OTHER);
    CHECK_CLASS(MPI_Comm_set_attr(b, k[2], NULL), MPI_ERR_OTHER);
    expect("CC");
    value_is(b, k[2], 1, 2000 + np);
    fail = MPI_SUCCESS;
    CHECK_MPI(MPI_Barrier(b));

    /* A freed key lives as long as attributes hang on it. */
    saved = k[2];
    CHECK_MPI(MPI_Comm_free_keyval(&k[2]));
    CHECK_EQ(k[2], MPI_KEYVAL_INVALID);
    value_is(b, saved, 1, 2000 + np);
    CHECK_MPI(MPI_Comm_free(&b));
    CHECK(b == MPI_COMM_NULL);
    expect("AC");
    keep = 0;
    CHECK_MPI(MPI_Comm_dup(a, &b));
    expect("abc");
    value_is(b, k[0], 0, 0);
    keep = 1;
    CHECK_MPI(MPI_Comm_free(&b));
    expect("");
    CHECK_MPI(MPI_Comm_free(&a));
    expect("CBA");
    CHECK_MPI(MPI_Comm_free_keyval(&k[0]));
    CHECK_MPI(MPI_Comm_free_keyval(&k[1]));
}

/* A copy callback fails on one rank: that rank gets no communicator, the others do. */
static void failing_copy(void)
{
    MPI_Comm a, b = MPI_COMM_NULL;
    int k;
    static char name[] = "a";
    CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &a));
    CHECK_MPI(MPI_Comm_set_errhandler(a, MPI_ERRORS_RETURN));
    CHECK_MPI(MPI_Comm_create_keyval(copy, delete, &k, name));
    CHECK_MPI(MPI_Comm_set_attr(a, k, NULL));
    fail = MPI_ERR_OTHER;
    CHECK_CLASS(MPI_Comm_dup(a, &b), MPI_ERR_OTHER);
    fail = MPI_SUCCESS;
    expect("a");
    CHECK_MPI(MPI_Comm_free(&a));
    expect("A");
    CHECK_MPI(MPI_Comm_free_keyval(&k));
}

static void constants(void)
{
    MPI_Comm a;
    int null, dup, old;
    CHECK_MPI(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &null, NULL));
    CHECK_MPI(MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &dup, NULL));
    CHECK_MPI(MPI_Keyval_create(MPI_DUP_FN, MPI_NULL_DELETE_FN, &old, NULL));
    CHECK_MPI(MPI_Comm_set_attr(MPI_COMM_WORLD, null, (void *)1));
    CHECK_MPI(MPI_Comm_set_attr(MPI_COMM_WORLD, dup, (void *)2));
    CHECK_MPI(MPI_Attr_put(MPI_COMM_WORLD, old, (void *)3));
    CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &a));
    value_is(a, null, 0, 0);
    value_is(a, dup, 1, 2);
    value_is(a, old, 1, 3);
    CHECK_MPI(MPI_Attr_delete(MPI_COMM_WORLD, old));
    value_is(MPI_COMM_WORLD, old, 0, 0);
    CHECK_MPI(MPI_Comm_delete_attr(MPI_COMM_WORLD, null));
    CHECK_MPI(MPI_Comm_delete_attr(MPI_COMM_WORLD, dup));
    CHECK_MPI(MPI_Comm_free(&a));
    CHECK_MPI(MPI_Keyval_free(&old));
    CHECK_EQ(old, MPI_KEYVAL_INVALID);
    CHECK_MPI(MPI_Comm_free_keyval(&null));
    CHECK_MPI(MPI_Comm_free_keyval(&dup));
}

static int *predefined(int key)
{
    int *value = NULL, flag = -1;
    CHECK_MPI(MPI_Comm_get_attr(MPI_COMM_WORLD, key, &value, &flag));
    return flag ? value : NULL;
}

static void predefined_ones(void)
{
    int *v = predefined(MPI_TAG_UB);
    CHECK(v != NULL && *v >= 32767);
    CHECK(predefined(MPI_IO) != NULL && predefined(MPI_HOST) != NULL);
    v = predefined(MPI_WTIME_IS_GLOBAL);
    CHECK(v != NULL && (*v == 0 || *v == 1));
    v = predefined(MPI_LASTUSEDCODE);
    CHECK(v != NULL && *v >= MPI_ERR_LASTCODE);
    v = predefined(MPI_UNIVERSE_SIZE);
    CHECK(v == NULL || *v >= np);
    CHECK(predefined(MPI_APPNUM) == NULL || *predefined(MPI_APPNUM) >= 0);
}

static void refused(void)
{
    int key = MPI_TAG_UB, flag;
    void *value;
    CHECK_CLASS(MPI_Comm_set_attr(MPI_COMM_WORLD, MPI_TAG_UB, NULL), MPI_ERR_KEYVAL);
    CHECK_CLASS(MPI_Comm_delete_attr(MPI_COMM_WORLD, MPI_TAG_UB), MPI_ERR_KEYVAL);
    CHECK_CLASS(MPI_Comm_free_keyval(&key), MPI_ERR_KEYVAL);
    CHECK_CLASS(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_KEYVAL_INVALID, &value, &flag), MPI_ERR_KEYVAL);
    CHECK_CLASS(MPI_Comm_set_attr(MPI_COMM_WORLD, 123456789, NULL), MPI_ERR_KEYVAL);
    CHECK_CLASS(MPI_Comm_get_attr(MPI_COMM_NULL, MPI_TAG_UB, &value, &flag), MPI_ERR_COMM);
}

int main(int argc, char **argv)
{
    static char names[] = "xyz";
    int k;
    check_init(&argc, &argv);
    CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    life();
    failing_copy();
    constants();
    predefined_ones();
    refused();
    for (int i = 0; i < 3; i++) {
        CHECK_MPI(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, delete, &k, names + i));
        CHECK_MPI(MPI_Comm_set_attr(MPI_COMM_SELF, k, NULL));
        CHECK_MPI(MPI_Comm_free_keyval(&k));
    }
    MPI_Finalize();
    expect("ZYX"); /* reverse order, while MPI still worked */
    return check_result();
}
