/* The C half of callbacks.f90. */
#include <mpi.h>
#include <stddef.h>

static int place, c_key;

void c_side(int comm, int f_key, int *key, int *wrong)
{
    MPI_Comm c = MPI_Comm_fromint(comm);
    MPI_Aint *value = NULL;
    void *mine = NULL;
    int flag = 0;

    if (MPI_Comm_get_attr(c, f_key, &value, &flag) != MPI_SUCCESS || !flag || *value != -3000000000)
        ++*wrong;
    MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &c_key, NULL);
    MPI_Comm_set_attr(c, c_key, &place);
    if (MPI_Comm_get_attr(c, c_key, &mine, &flag) != MPI_SUCCESS || mine != &place)
        ++*wrong;
    *key = c_key;
}

void c_end(int comm, int *wrong)
{
    void *mine = NULL;
    int flag = 0;

    if (MPI_Comm_get_attr(MPI_Comm_fromint(comm), c_key, &mine, &flag) != MPI_SUCCESS || mine != &place)
        ++*wrong;
}
