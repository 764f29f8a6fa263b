/* What has been freed names nothing, also before anything else is called, and cannot be freed again; what is
 * made afterwards has a handle of its own, and what still uses the freed object goes on. */
#include "check.h"

enum { ROUNDS = 3000 };

static void sum(void *in, void *inout, int *n, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *n; i++)
        ((int *)inout)[i] += ((int *)in)[i];
}

static void types(void)
{
    MPI_Datatype t, u, was;
    int n, a[4] = {1, 2, 3, 4}, b[4] = {0};
    MPI_Request q[2];

    CHECK_MPI(MPI_Type_contiguous(3, MPI_INT, &t));
    was = t;
    CHECK_MPI(MPI_Type_free(&t));
    CHECK(t == MPI_DATATYPE_NULL);
    CHECK_CLASS(MPI_Type_size(was, &n), MPI_ERR_TYPE);
    t = was;
    CHECK_CLASS(MPI_Type_free(&t), MPI_ERR_TYPE);
    CHECK_CLASS(MPI_Type_contiguous(2, was, &u), MPI_ERR_TYPE);
    CHECK_MPI(MPI_Type_contiguous(5, MPI_INT, &t));
    CHECK(t != was);
    CHECK_MPI(MPI_Type_vector(2, 1, 2, t, &u));
    CHECK_MPI(MPI_Type_free(&t));
    CHECK_MPI(MPI_Type_size(u, &n));
    CHECK_EQ(n, 40);
    CHECK_MPI(MPI_Type_free(&u));

    /* An operation on its way keeps its type. */
    CHECK_MPI(MPI_Type_vector(2, 1, 2, MPI_INT, &t));
    CHECK_MPI(MPI_Type_commit(&t));
    CHECK_MPI(MPI_Irecv(b, 1, t, 0, 1, MPI_COMM_SELF, &q[0]));
    CHECK_MPI(MPI_Type_free(&t));
    CHECK_MPI(MPI_Isend(a, 2, MPI_INT, 0, 1, MPI_COMM_SELF, &q[1]));
    CHECK_MPI(MPI_Waitall(2, q, MPI_STATUSES_IGNORE));
    CHECK(b[0] == 1 && b[1] == 0 && b[2] == 2);
    t = MPI_INT;
    CHECK_CLASS(MPI_Type_free(&t), MPI_ERR_TYPE);
    CHECK(t == MPI_INT);
}

static void groups(void)
{
    MPI_Group world, g, was;
    int n, zero = 0;

    CHECK_MPI(MPI_Comm_group(MPI_COMM_WORLD, &world));
    CHECK_MPI(MPI_Group_incl(world, 1, &zero, &g));
    was = g;
    CHECK_MPI(MPI_Group_free(&g));
    CHECK(g == MPI_GROUP_NULL);
    CHECK_CLASS(MPI_Group_size(was, &n), MPI_ERR_GROUP);
    g = was;
    CHECK_CLASS(MPI_Group_free(&g), MPI_ERR_GROUP);
    CHECK_MPI(MPI_Group_incl(world, 1, &zero, &g));
    CHECK(g != was);
    CHECK_MPI(MPI_Group_free(&g));
    CHECK_MPI(MPI_Group_free(&world));
}

static void operations(void)
{
    MPI_Op o, was;
    int n, a = 2, b = 3;

    CHECK_MPI(MPI_Op_create(sum, 1, &o));
    CHECK_MPI(MPI_Reduce_local(&a, &b, 1, MPI_INT, o));
    CHECK_EQ(b, 5);
    was = o;
    CHECK_MPI(MPI_Op_free(&o));
    CHECK(o == MPI_OP_NULL);
    CHECK_CLASS(MPI_Op_commutative(was, &n), MPI_ERR_OP);
    CHECK_CLASS(MPI_Reduce_local(&a, &b, 1, MPI_INT, was), MPI_ERR_OP);
    o = was;
    CHECK_CLASS(MPI_Op_free(&o), MPI_ERR_OP);
    o = MPI_SUM;
    CHECK_CLASS(MPI_Op_free(&o), MPI_ERR_OP);
}

static void infos(void)
{
    MPI_Info i, was, all[40];
    char value[8];
    int n, flag;

    CHECK_MPI(MPI_Info_create(&i));
    CHECK_MPI(MPI_Info_set(i, "key", "value"));
    was = i;
    CHECK_MPI(MPI_Info_free(&i));
    CHECK(i == MPI_INFO_NULL);
    CHECK_CLASS(MPI_Info_get_nkeys(was, &n), MPI_ERR_INFO);
    CHECK_CLASS(MPI_Info_set(was, "key", "value"), MPI_ERR_INFO);
    i = was;
    CHECK_CLASS(MPI_Info_free(&i), MPI_ERR_INFO);
    for (int k = 0; k < 40; k++) {
        CHECK_MPI(MPI_Info_create(&all[k]));
        CHECK(all[k] != was);
        for (int j = 0; j < k; j++)
            CHECK(all[j] != all[k]);
        CHECK_MPI(MPI_Info_get_nkeys(all[k], &n));
        CHECK_EQ(n, 0);
        snprintf(value, sizeof value, "%d", k);
        CHECK_MPI(MPI_Info_set(all[k], "number", value));
    }
    for (int k = 0; k < 40; k++) {
        n = sizeof value;
        CHECK_MPI(MPI_Info_get_string(all[k], "number", &n, value, &flag));
        CHECK(flag && atoi(value) == k);
        CHECK_MPI(MPI_Info_free(&all[k]));
    }
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    for (int i = 0; i < ROUNDS; i++) {
        types();
        groups();
        operations();
        infos();
    }
    return check_finish();
}
