/*
 * Attributes across languages (MPI 5.0, 19.3.7), and functions that are not called as C's: what a library of
 * another language says by gompi_with_callers. Here the other language is C too: its functions take what they
 * get in another order, and values of its attributes are integers.
 */
#include "check.h"

#include "../../../capi/callers.h"

#include <stdint.h>

typedef int other_copy(intptr_t *state, intptr_t *in, intptr_t *out, int *keep);
typedef int other_delete(intptr_t *state, intptr_t *value);

static int copies, deletes;
static intptr_t deleted;
static int of_c;

static int call_copy(uintptr_t function, uintptr_t handle, int keyval, uintptr_t extra, uintptr_t value,
                     uintptr_t *copied, int *flag)
{
    intptr_t in = (intptr_t)value, out = 0, state = (intptr_t)extra;
    CHECK(handle != 0 && keyval != MPI_KEYVAL_INVALID);
    int code = ((other_copy *)function)(&state, &in, &out, flag);
    *copied = (uintptr_t)out;
    return code;
}

static int call_delete(uintptr_t function, uintptr_t handle, int keyval, uintptr_t value, uintptr_t extra)
{
    intptr_t in = (intptr_t)value, state = (intptr_t)extra;
    CHECK(handle != 0 && keyval != MPI_KEYVAL_INVALID);
    return ((other_delete *)function)(&state, &in);
}

static int grequest_steps;

static int call_query(uintptr_t function, uintptr_t extra, MPI_Status *status)
{
    (void)function;
    CHECK_EQ((long)extra, -5);
    grequest_steps |= 1;
    CHECK_MPI(MPI_Status_set_elements(status, MPI_INT, 3));
    return MPI_SUCCESS;
}

static int call_free(uintptr_t function, uintptr_t extra)
{
    (void)function;
    CHECK_EQ((long)extra, -5);
    grequest_steps |= 2;
    return MPI_SUCCESS;
}

static const struct gompi_callers other = {
    .integers = 1, .copy = call_copy, .delete_value = call_delete, .query = call_query,
    .free_state = call_free};

#define OTHER(call)                                                                                          \
    do {                                                                                                     \
        gompi_with_callers(&other);                                                                          \
        CHECK_MPI(call);                                                                                     \
        gompi_with_callers(NULL);                                                                            \
    } while (0)

/* What the other language reads. */
static intptr_t read_other(MPI_Comm comm, int key)
{
    intptr_t value = 0;
    int flag = 0;
    OTHER(MPI_Comm_get_attr(comm, key, &value, &flag));
    CHECK(flag);
    return value;
}

static void *read_c(MPI_Comm comm, int key)
{
    void *value = NULL;
    int flag = 0;
    CHECK_MPI(MPI_Comm_get_attr(comm, key, &value, &flag));
    CHECK(flag);
    return value;
}

static int copy(intptr_t *state, intptr_t *in, intptr_t *out, int *keep)
{
    int *ub = NULL, flag = 0;

    CHECK_EQ(*state, 77);
    *out = *in + 1;
    *keep = 1;
    copies++;
    /* C, called by a function of another language, is C. */
    CHECK_MPI(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &ub, &flag));
    CHECK(flag && (uintptr_t)ub > 4096 && *ub >= 32767);
    return MPI_SUCCESS;
}

static int delete_value(intptr_t *state, intptr_t *value)
{
    CHECK_EQ(*state, 77);
    deletes++;
    deleted = *value;
    return MPI_SUCCESS;
}

static int copy_c(MPI_Comm comm, int key, void *extra, void *in, void *out, int *flag)
{
    (void)comm, (void)key, (void)extra;
    CHECK_EQ(*(int *)in, -8);
    *(void **)out = &of_c;
    *flag = 1;
    return MPI_SUCCESS;
}

int main(int argc, char **argv)
{
    int key, dup_key, c_key;
    MPI_Comm a, b;
    MPI_Request request;
    MPI_Status status;

    check_init(&argc, &argv);
    CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &a));

    /* Set as an integer: C reads its address, where int and MPI_Aint both are (on little-endian machines). */
    OTHER(MPI_Comm_create_keyval((MPI_Comm_copy_attr_function *)(uintptr_t)copy,
                                 (MPI_Comm_delete_attr_function *)(uintptr_t)delete_value, &key, (void *)77));
    OTHER(MPI_Comm_set_attr(a, key, (void *)(intptr_t)-8));
    CHECK_EQ(read_other(a, key), -8);
    CHECK_EQ(*(MPI_Aint *)read_c(a, key), -8);
    CHECK_EQ(*(int *)read_c(a, key), -8);
    CHECK_EQ(read_other(a, key), -8);

    /* Predefined ones are values. */
    CHECK_EQ(read_other(a, MPI_TAG_UB), *(int *)read_c(a, MPI_TAG_UB));

    /* Set as a pointer: the other language reads the address. */
    CHECK_MPI(MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &dup_key, NULL));
    CHECK_MPI(MPI_Comm_set_attr(a, dup_key, &of_c));
    CHECK(read_other(a, dup_key) == (intptr_t)&of_c);
    CHECK(read_c(a, dup_key) == &of_c);

    /* Copies: by the function of the language that made the key; MPI_COMM_DUP_FN keeps the language. */
    CHECK_MPI(MPI_Comm_dup(a, &b));
    CHECK_EQ(copies, 1);
    CHECK_EQ(read_other(b, key), -7);
    CHECK_EQ(*(int *)read_c(b, key), -7);
    CHECK(read_c(b, dup_key) == &of_c);
    CHECK_MPI(MPI_Comm_free(&b));
    CHECK_EQ(deletes, 1);
    CHECK_EQ(deleted, -7);
    OTHER(MPI_Comm_set_attr(a, dup_key, (void *)12));
    CHECK_MPI(MPI_Comm_dup(a, &b));
    CHECK_EQ(read_other(b, dup_key), 12);
    CHECK_EQ(*(int *)read_c(b, dup_key), 12);
    CHECK(read_c(b, dup_key) != read_c(a, dup_key));
    CHECK_MPI(MPI_Comm_free(&b));

    /* A function of C sees what C reads, and what it returns is C's. */
    CHECK_MPI(MPI_Comm_create_keyval(copy_c, MPI_COMM_NULL_DELETE_FN, &c_key, NULL));
    OTHER(MPI_Comm_set_attr(a, c_key, (void *)(intptr_t)-8));
    CHECK_MPI(MPI_Comm_dup(a, &b));
    CHECK(read_c(b, c_key) == &of_c);
    CHECK_MPI(MPI_Comm_free(&b));

    /* The value that is replaced goes to the delete function in the middle of the call. */
    deletes = 0;
    OTHER(MPI_Comm_set_attr(a, key, (void *)4));
    CHECK_EQ(deletes, 1);
    CHECK_EQ(deleted, -8);
    OTHER(MPI_Comm_delete_attr(a, key));
    CHECK_EQ(deleted, 4);

    OTHER(MPI_Grequest_start((MPI_Grequest_query_function *)(uintptr_t)copy,
                             (MPI_Grequest_free_function *)(uintptr_t)copy,
                             (MPI_Grequest_cancel_function *)(uintptr_t)copy, (void *)(intptr_t)-5,
                             &request));
    CHECK_MPI(MPI_Grequest_complete(request));
    CHECK_MPI(MPI_Wait(&request, &status));
    CHECK_COUNT(status, MPI_INT, 3);
    CHECK_EQ(grequest_steps, 3);

    CHECK_MPI(MPI_Comm_free(&a));
    CHECK_MPI(MPI_Comm_free_keyval(&key));
    CHECK_MPI(MPI_Comm_free_keyval(&dup_key));
    CHECK_MPI(MPI_Comm_free_keyval(&c_key));
    return check_finish();
}
