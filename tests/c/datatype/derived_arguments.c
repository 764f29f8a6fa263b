/* Wrong use of derived types. */
#include "check.h"

int main(int argc, char **argv)
{
    MPI_Datatype t, u, freed;
    int x[8] = {0}, n = 0, position = 0;
    check_init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    CHECK_MPI(MPI_Type_vector(2, 1, 2, MPI_INT, &t));
    CHECK_CLASS(MPI_Send(x, 1, t, me, 0, MPI_COMM_WORLD), MPI_ERR_TYPE); /* not committed */
    CHECK_CLASS(MPI_Bcast(x, 1, t, 0, MPI_COMM_WORLD), MPI_ERR_TYPE);
    CHECK_MPI(MPI_Type_commit(&t));
    CHECK_MPI(MPI_Type_commit(&t)); /* twice does no harm */
    CHECK_CLASS(MPI_Send(NULL, 1, t, me, 0, MPI_COMM_WORLD), MPI_ERR_BUFFER);
    CHECK_MPI(MPI_Type_dup(t, &u));
    CHECK_MPI(MPI_Sendrecv(x, 1, u, me, 0, x + 4, 1, u, me, 0, MPI_COMM_WORLD,
                           MPI_STATUS_IGNORE)); /* a dup is committed too */
    CHECK_MPI(MPI_Type_free(&u));
    freed = t;
    CHECK_MPI(MPI_Type_free(&t));
    CHECK_CLASS(MPI_Type_size(freed, &n), MPI_ERR_TYPE);
    CHECK_CLASS(MPI_Type_free(&freed), MPI_ERR_TYPE);
    CHECK_CLASS(MPI_Send(x, 1, freed, me, 0, MPI_COMM_WORLD), MPI_ERR_TYPE);
    t = MPI_INT;
    CHECK_CLASS(MPI_Type_free(&t), MPI_ERR_TYPE);
    t = MPI_DATATYPE_NULL;
    CHECK_CLASS(MPI_Type_free(&t), MPI_ERR_TYPE);
    CHECK_CLASS(MPI_Type_commit(&t), MPI_ERR_TYPE);
    CHECK_CLASS(MPI_Type_contiguous(2, MPI_DATATYPE_NULL, &t), MPI_ERR_TYPE);
    CHECK_CLASS(MPI_Type_contiguous(-1, MPI_INT, &t), MPI_ERR_COUNT);
    CHECK_CLASS(MPI_Type_contiguous(1, MPI_INT, NULL), MPI_ERR_ARG);
    int lengths[2] = {1, -1}, displs[2] = {0, 1};
    CHECK_CLASS(MPI_Type_indexed(2, lengths, displs, MPI_INT, &t), MPI_ERR_ARG);
    CHECK_CLASS(MPI_Type_indexed(2, NULL, displs, MPI_INT, &t), MPI_ERR_ARG);
    int sizes[1] = {4}, sub[1] = {3}, start[1] = {2};
    CHECK_CLASS(MPI_Type_create_subarray(1, sizes, sub, start, MPI_ORDER_C, MPI_INT, &t), MPI_ERR_ARG);
    CHECK_CLASS(MPI_Type_create_subarray(1, sizes, sub, displs, 5, MPI_INT, &t), MPI_ERR_ARG);
    int how[1] = {MPI_DISTRIBUTE_NONE}, arg[1] = {MPI_DISTRIBUTE_DFLT_DARG}, grid[1] = {2};
    CHECK_CLASS(MPI_Type_create_darray(2, 0, 1, sizes, how, arg, grid, MPI_ORDER_C, MPI_INT, &t),
                MPI_ERR_ARG);
    CHECK_CLASS(MPI_Type_create_darray(2, 2, 1, sizes, how, arg, grid, MPI_ORDER_C, MPI_INT, &t),
                MPI_ERR_ARG);
    CHECK_CLASS(MPI_Pack(x, 2, MPI_INT, x + 4, 7, &position, MPI_COMM_WORLD), MPI_ERR_TRUNCATE);
    position = -1;
    CHECK_CLASS(MPI_Pack(x, 1, MPI_INT, x + 4, 8, &position, MPI_COMM_WORLD), MPI_ERR_ARG);
    MPI_Aint at = 0;
    CHECK_CLASS(MPI_Pack_external("native", x, 1, MPI_INT, x + 4, 8, &at), MPI_ERR_ARG);
    CHECK_CLASS(MPI_Type_create_f90_real(99, 1, &t), MPI_ERR_ARG);
    CHECK_CLASS(MPI_Type_create_f90_real(MPI_UNDEFINED, MPI_UNDEFINED, &t), MPI_ERR_ARG);
    CHECK_CLASS(MPI_Type_match_size(MPI_TYPECLASS_REAL, 3, &t), MPI_ERR_ARG);
    CHECK_CLASS(MPI_Type_get_contents(MPI_INT, 0, 0, 0, &n, &at, &t), MPI_ERR_TYPE);

    char name[MPI_MAX_OBJECT_NAME];
    CHECK_MPI(MPI_Type_contiguous(2, MPI_INT, &t));
    CHECK_MPI(MPI_Type_get_name(t, name, &n));
    CHECK(n == 0 && name[0] == 0);
    CHECK_MPI(MPI_Type_set_name(t, "two ints"));
    CHECK_MPI(MPI_Type_get_name(t, name, &n));
    CHECK(n == 8 && strcmp(name, "two ints") == 0);
    CHECK_MPI(MPI_Type_set_name(MPI_INT, "mine"));
    CHECK_MPI(MPI_Type_get_name(MPI_INT, name, &n));
    CHECK(strcmp(name, "mine") == 0);
    CHECK_MPI(MPI_Type_free(&t));
    return check_finish();
}
