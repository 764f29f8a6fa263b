/* Attribute keys and requests that are freed: while they are used, and when they never were. */
#include "check.h"

static uint64_t seed = 7;

static int below(int n) { return (int)check_below(&seed, (uint64_t)n); }

/* Keys: with and without attributes, freed before them and after, and used again. */
static void keys(void)
{
    MPI_Datatype t;
    CHECK_MPI(MPI_Type_dup(MPI_INT, &t));
    for (int i = 0; i < 600; i++) {
        int key, gone, other, flag = -1;
        void *value = NULL;
        CHECK_MPI(i % 2 ? MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &key, NULL)
                        : MPI_Type_create_keyval(MPI_TYPE_DUP_FN, MPI_TYPE_NULL_DELETE_FN, &key, NULL));
        CHECK(key > 705);
        if (below(3) > 0) {
            CHECK_MPI(i % 2 ? MPI_Comm_get_attr(MPI_COMM_SELF, key, &value, &flag)
                            : MPI_Type_get_attr(t, key, &value, &flag));
            CHECK_EQ(flag, 0);
        }
        CHECK_CLASS(i % 2 ? MPI_Type_get_attr(t, key, &value, &flag)
                          : MPI_Comm_get_attr(MPI_COMM_SELF, key, &value, &flag),
                    MPI_ERR_KEYVAL);
        gone = key;
        int set = below(3);
        if (set == 1)
            CHECK_MPI(i % 2 ? MPI_Comm_set_attr(MPI_COMM_SELF, key, &key) : MPI_Type_set_attr(t, key, &key));
        CHECK_MPI(i % 2 ? MPI_Comm_free_keyval(&key) : MPI_Type_free_keyval(&key));
        CHECK_EQ(key, MPI_KEYVAL_INVALID);
        CHECK_MPI(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &other, NULL));
        CHECK(other != gone);
        if (set == 1) {
            CHECK_MPI(i % 2 ? MPI_Comm_get_attr(MPI_COMM_SELF, gone, &value, &flag)
                            : MPI_Type_get_attr(t, gone, &value, &flag));
            CHECK(flag && value == &key);
            CHECK_MPI(i % 2 ? MPI_Comm_delete_attr(MPI_COMM_SELF, gone) : MPI_Type_delete_attr(t, gone));
        }
        CHECK_CLASS(i % 2 ? MPI_Comm_get_attr(MPI_COMM_SELF, gone, &value, &flag)
                          : MPI_Type_get_attr(t, gone, &value, &flag),
                    MPI_ERR_KEYVAL);
        CHECK_CLASS(i % 2 ? MPI_Comm_free_keyval(&gone) : MPI_Type_free_keyval(&gone), MPI_ERR_KEYVAL);
        CHECK_MPI(MPI_Comm_free_keyval(&other));
    }
    CHECK_MPI(MPI_Type_free(&t));
}

/* Calls for several requests none of which is active, and freeing one that is done. */
static void idle(void)
{
    MPI_Request r[3] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    MPI_Status s, many[3];
    int index, flag, n, indices[3], x = 1;
    CHECK_MPI(MPI_Recv_init(&x, 1, MPI_INT, (me + 1) % np, 9, MPI_COMM_WORLD, &r[1]));
    for (int i = 0; i < 2; i++) {
        memset(&s, 77, sizeof s);
        index = n = flag = 5;
        CHECK_MPI(MPI_Waitany(3, r, &index, &s));
        CHECK_EQ(index, MPI_UNDEFINED);
        CHECK_EQ(s.MPI_SOURCE, MPI_ANY_SOURCE);
        CHECK_EQ(s.MPI_TAG, MPI_ANY_TAG);
        CHECK_EQ(s.MPI_ERROR, MPI_SUCCESS);
        memset(&s, 77, sizeof s);
        index = 5;
        CHECK_MPI(MPI_Testany(3, r, &index, &flag, &s));
        CHECK_EQ(index, MPI_UNDEFINED);
        CHECK_EQ(flag, 1);
        CHECK_EQ(s.MPI_SOURCE, MPI_ANY_SOURCE);
        CHECK_MPI(MPI_Waitsome(3, r, &n, indices, many));
        CHECK_EQ(n, MPI_UNDEFINED);
        n = 5;
        CHECK_MPI(MPI_Testsome(3, r, &n, indices, MPI_STATUSES_IGNORE));
        CHECK_EQ(n, MPI_UNDEFINED);
        if (r[1] != MPI_REQUEST_NULL)
            CHECK_MPI(MPI_Request_free(&r[1]));
    }
    CHECK_MPI(MPI_Irecv(&x, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &r[0]));
    r[1] = r[0];
    CHECK_MPI(MPI_Request_free(&r[0]));
    CHECK(r[0] == MPI_REQUEST_NULL);
    CHECK_CLASS(MPI_Wait(&r[1], &s), MPI_ERR_REQUEST);
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    keys();
    idle();
    return check_finish();
}
