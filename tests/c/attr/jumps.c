/*
 * Functions of attribute keys that leave by longjmp: nothing of the call has happened then, the object is as
 * it was, and MPI goes on working, however often. An object is freed with what its functions agree to.
 */
#include "check.h"
#include <setjmp.h>

enum { MANY = 20000 };

static jmp_buf back;
static int jumping, copies, deletes;

static int copy_any(void *extra, void *value, void *out, int *flag)
{
    copies++;
    if (jumping && extra)
        longjmp(back, 1);
    *(void **)out = (char *)value + 1;
    *flag = 1;
    return MPI_SUCCESS;
}

static int delete_any(void *extra)
{
    deletes++;
    if (jumping && extra)
        longjmp(back, 2);
    return MPI_SUCCESS;
}

#define FUNCTIONS(type, name)                                                                          \
    static int copy_##name(type o, int key, void *extra, void *value, void *out, int *flag)            \
    {                                                                                                  \
        (void)o, (void)key;                                                                            \
        return copy_any(extra, value, out, flag);                                                      \
    }                                                                                                  \
    static int delete_##name(type o, int key, void *value, void *extra)                                \
    {                                                                                                  \
        (void)o, (void)key, (void)value;                                                               \
        return delete_any(extra);                                                                      \
    }
FUNCTIONS(MPI_Comm, comm)
FUNCTIONS(MPI_Datatype, type)
FUNCTIONS(MPI_Win, win)

/* CHECK_JUMP(call, how): a function of a key leaves the call. */
#define CHECK_JUMP(call, how)                                                                          \
    do {                                                                                               \
        int jumped_ = setjmp(back);                                                                    \
        if (jumped_ == 0) {                                                                            \
            jumping = 1;                                                                               \
            call;                                                                                      \
            check_fail(__FILE__, __LINE__, "%s has returned", #call);                                  \
        }                                                                                              \
        jumping = 0;                                                                                   \
        CHECK_EQ(jumped_, how);                                                                        \
    } while (0)

static char values[3];

static void expect(MPI_Comm c, int key, void *want)
{
    void *got = NULL;
    int flag = 0;
    CHECK_MPI(MPI_Comm_get_attr(c, key, &got, &flag));
    CHECK_EQ(flag, want != NULL);
    if (flag)
        CHECK_EQ((intptr_t)got, (intptr_t)want);
}

static void provoke(MPI_Comm c, int key)
{
    MPI_Comm d;
    CHECK_JUMP(MPI_Comm_dup(c, &d), 1);
    CHECK_JUMP(MPI_Comm_delete_attr(c, key), 2);
}

static void many_times(MPI_Comm c, int key)
{
    for (int i = 0; i < MANY / 4; i++)
        provoke(c, key);
    long before = check_resident();
    for (int i = 0; i < MANY; i++)
        provoke(c, key);
    long grown = check_resident() - before;
    CHECK_MSG(grown < 48000, "%ld KiB more", grown);
}

static void communicators(void)
{
    MPI_Comm c, d = MPI_COMM_NULL;
    MPI_Request r;
    int keys[3];
    CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &c));
    for (int i = 0; i < 3; i++) {
        CHECK_MPI(MPI_Comm_create_keyval(copy_comm, delete_comm, &keys[i], i == 1 ? &jumping : NULL));
        CHECK_MPI(MPI_Comm_set_attr(c, keys[i], &values[i]));
    }
    CHECK_JUMP(MPI_Comm_dup(c, &d), 1);
    CHECK_EQ((intptr_t)d, (intptr_t)MPI_COMM_NULL);
    CHECK_JUMP(MPI_Comm_dup_with_info(c, MPI_INFO_NULL, &d), 1);
    CHECK_JUMP(MPI_Comm_idup(c, &d, &r), 1);
    CHECK_JUMP(MPI_Comm_set_attr(c, keys[1], &values[0]), 2);
    CHECK_JUMP(MPI_Comm_delete_attr(c, keys[1]), 2);
    for (int i = 0; i < 3; i++)
        expect(c, keys[i], &values[i]);
    many_times(c, keys[1]);

    /* Each function is called once by a call that succeeds. */
    copies = deletes = 0;
    CHECK_MPI(MPI_Comm_dup(c, &d));
    CHECK_EQ(copies, 3);
    for (int i = 0; i < 3; i++)
        expect(d, keys[i], &values[i] + 1);

    CHECK_JUMP(MPI_Comm_free(&d), 2); /* between the third and the first */
    CHECK_EQ(deletes, 2);
    expect(d, keys[2], NULL);
    expect(d, keys[0], &values[0] + 1);
    CHECK_MPI(MPI_Barrier(d));
    CHECK_MPI(MPI_Comm_free(&d));
    CHECK_EQ(deletes, 4);
    CHECK_MPI(MPI_Comm_idup(c, &d, &r));
    CHECK_MPI(MPI_Wait(&r, MPI_STATUS_IGNORE));
    CHECK_EQ(copies, 6);
    CHECK_JUMP(MPI_Comm_disconnect(&d), 2);
    CHECK_MPI(MPI_Comm_disconnect(&d));
    CHECK_MPI(MPI_Comm_free(&c));
    CHECK_EQ(deletes, 4 + 4 + 3);
    for (int i = 0; i < 3; i++)
        CHECK_MPI(MPI_Comm_free_keyval(&keys[i]));
}

static void datatypes_and_windows(void)
{
    MPI_Datatype t, u;
    MPI_Win w;
    int key, *memory;
    CHECK_MPI(MPI_Type_contiguous(3, MPI_INT, &t));
    CHECK_MPI(MPI_Type_create_keyval(copy_type, delete_type, &key, &jumping));
    CHECK_MPI(MPI_Type_set_attr(t, key, values));
    copies = deletes = 0;
    CHECK_JUMP(MPI_Type_dup(t, &u), 1);
    CHECK_JUMP(MPI_Type_set_attr(t, key, values + 1), 2);
    CHECK_JUMP(MPI_Type_delete_attr(t, key), 2);
    CHECK_JUMP(MPI_Type_free(&t), 2);
    CHECK_MPI(MPI_Type_dup(t, &u));
    CHECK_MPI(MPI_Type_free(&t));
    CHECK_MPI(MPI_Type_free(&u));
    CHECK_EQ(copies, 2);
    CHECK_EQ(deletes, 5);
    CHECK_MPI(MPI_Type_free_keyval(&key));

    CHECK_MPI(MPI_Win_allocate(sizeof(int), 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &w));
    CHECK_MPI(MPI_Win_create_keyval(copy_win, delete_win, &key, &jumping));
    CHECK_MPI(MPI_Win_set_attr(w, key, values));
    CHECK_JUMP(MPI_Win_delete_attr(w, key), 2);
    CHECK_JUMP(MPI_Win_free(&w), 2);
    CHECK_MPI(MPI_Win_fence(0, w));
    CHECK_MPI(MPI_Win_free(&w));
    CHECK_EQ(deletes, 8);
    CHECK_MPI(MPI_Win_free_keyval(&key));
}

int main(int argc, char **argv)
{
    int key;
    check_init(&argc, &argv);
    communicators();
    datatypes_and_windows();
    CHECK_MPI(MPI_Comm_create_keyval(copy_comm, delete_comm, &key, &jumping));
    CHECK_MPI(MPI_Comm_set_attr(MPI_COMM_SELF, key, values));
    CHECK_JUMP(MPI_Finalize(), 2);
    CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
    return check_finish();
}
