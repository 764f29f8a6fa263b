/*
 * What GOMPI_CHECK=leaks lists: objects that this program does not free. With the argument "none" it frees
 * them all.
 */
#include "check.h"

static int keep(MPI_Comm c, int key, void *extra, void *value)
{
    (void)c, (void)key, (void)extra, (void)value;
    return MPI_SUCCESS;
}

int main(int argc, char **argv)
{
    int clean, key, b = 0;
    MPI_Comm dup, again;
    MPI_Group g;
    MPI_Datatype t;
    MPI_Info info;
    MPI_Errhandler h;
    MPI_Request r;

    check_init(&argc, &argv);
    clean = argc > 1 && strcmp(argv[1], "none") == 0;
    CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &dup));
    CHECK_MPI(MPI_Comm_set_name(dup, "halo"));
    CHECK_MPI(MPI_Comm_split(MPI_COMM_WORLD, 0, 0, &again));
    CHECK_MPI(MPI_Comm_free(&again));
    CHECK_MPI(MPI_Comm_group(MPI_COMM_WORLD, &g));
    CHECK_MPI(MPI_Type_contiguous(3, MPI_INT, &t));
    CHECK_MPI(MPI_Info_create(&info));
    CHECK_MPI(MPI_Comm_get_errhandler(MPI_COMM_WORLD, &h)); /* a predefined one needs no freeing */
    CHECK_MPI(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, keep, &key, NULL));
    CHECK_MPI(MPI_Recv_init(&b, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &r));
    if (clean) {
        CHECK_MPI(MPI_Comm_free(&dup));
        CHECK_MPI(MPI_Group_free(&g));
        CHECK_MPI(MPI_Type_free(&t));
        CHECK_MPI(MPI_Info_free(&info));
        CHECK_MPI(MPI_Comm_free_keyval(&key));
        CHECK_MPI(MPI_Request_free(&r));
    }
    return check_finish();
}
