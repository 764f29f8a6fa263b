/* Attributes of datatypes: copied by MPI_Type_dup, deleted by MPI_Type_free, callbacks get the right handles.
 */
#include "check.h"

static MPI_Datatype from = MPI_DATATYPE_NULL;
static int copies, deletes, refuse;

static int copy(MPI_Datatype type, int key, void *extra, void *value, void *out, int *flag)
{
    (void)key;
    copies++;
    CHECK(type == from && extra == &copies);
    *(void **)out = (char *)value + 1;
    *flag = 1;
    return refuse ? MPI_ERR_OTHER : MPI_SUCCESS;
}

static int forget(MPI_Datatype type, int key, void *value, void *extra)
{
    (void)type, (void)key, (void)value;
    deletes++;
    CHECK(extra == &copies);
    return MPI_SUCCESS;
}

int main(int argc, char **argv)
{
    static char data[4];
    MPI_Datatype t, u;
    int key = MPI_KEYVAL_INVALID, flag = -1;
    char *value = NULL;
    check_init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    CHECK_MPI(MPI_Type_create_keyval(copy, forget, &key, &copies));
    CHECK_MPI(MPI_Type_contiguous(3, MPI_INT, &t));
    CHECK_MPI(MPI_Type_get_attr(t, key, &value, &flag));
    CHECK_EQ(flag, 0);
    CHECK_MPI(MPI_Type_set_attr(t, key, data));
    CHECK_MPI(MPI_Type_get_attr(t, key, &value, &flag));
    CHECK(flag && value == data);
    from = t;
    CHECK_MPI(MPI_Type_dup(t, &u));
    CHECK_EQ(copies, 1);
    CHECK_MPI(MPI_Type_get_attr(u, key, &value, &flag));
    CHECK(flag && value == data + 1);
    CHECK_MPI(MPI_Type_set_attr(u, key, data + 2)); /* deletes the old one */
    CHECK_EQ(deletes, 1);
    CHECK_MPI(MPI_Type_free(&u));
    CHECK_EQ(deletes, 2);
    CHECK_MPI(MPI_Type_delete_attr(t, key));
    CHECK_EQ(deletes, 3);
    CHECK_MPI(MPI_Type_get_attr(t, key, &value, &flag));
    CHECK_EQ(flag, 0);
    CHECK_MPI(MPI_Type_set_attr(t, key, data));
    refuse = 1;
    CHECK(MPI_Type_dup(t, &u) != MPI_SUCCESS);
    CHECK_EQ(copies, 2);
    CHECK_MPI(MPI_Type_free(&t));
    CHECK_EQ(deletes, 4);

    /* a predefined type has attributes as well */
    refuse = 0;
    from = MPI_INT;
    CHECK_MPI(MPI_Type_set_attr(MPI_INT, key, data));
    CHECK_MPI(MPI_Type_dup(MPI_INT, &u));
    CHECK_MPI(MPI_Type_get_attr(u, key, &value, &flag));
    CHECK(flag && value == data + 1);
    CHECK_MPI(MPI_Type_free(&u));
    CHECK_MPI(MPI_Type_delete_attr(MPI_INT, key));
    CHECK_MPI(MPI_Type_free_keyval(&key));
    CHECK_EQ(key, MPI_KEYVAL_INVALID);
    return check_finish();
}
