/* Calls the routines as compilers do whose .TRUE. is -1: any value but 0 is true, and what comes back is 1
 * or 0, which all of them take for .TRUE. and .FALSE. */
#include <mpi.h>
#include <stddef.h>
#include <stdio.h>

enum { TRUE = -1 };

void mpi_cart_create_(int *, int *, int *, int *, int *, int *, int *);
void mpi_cart_get_(int *, int *, int *, int *, int *, int *);
void mpi_cart_sub_(int *, int *, int *, int *);
void mpi_op_create_(void (*)(void), int *, int *, int *);
void mpi_op_commutative_(int *, int *, int *);
void mpi_intercomm_create_(int *, int *, int *, int *, int *, int *, int *);
void mpi_intercomm_merge_(int *, int *, int *, int *);
void mpi_comm_create_keyval_(void (*)(void), void (*)(void), int *, MPI_Aint *, int *);
void mpi_comm_set_attr_(int *, int *, MPI_Aint *, int *);
void mpi_comm_get_attr_(int *, int *, MPI_Aint *, int *, int *);
void mpi_grequest_start_(void (*)(void), void (*)(void), void (*)(void), MPI_Aint *, int *, int *);
void mpi_grequest_complete_(int *, int *);
void mpi_cancel_(int *, int *);
void mpi_test_(int *, int *, void *, int *);
void mpi_status_set_cancelled_(void *, int *, int *);
void mpi_test_cancelled_(void *, int *, int *);
void mpi_initialized_(int *, int *);
void mpi_file_set_atomicity_(int *, int *, int *);
void mpi_file_get_atomicity_(int *, int *, int *);

static int failed, cancelled;
static void check(int ok, const char *what)
{
    if (!ok) {
        printf("wrong: %s\n", what);
        failed = 1;
    }
}

static void copy(int *comm, int *key, MPI_Aint *extra, MPI_Aint *in, MPI_Aint *out, int *flag, int *ierror)
{
    (void)comm, (void)key, (void)extra;
    *out = *in + 1;
    *flag = TRUE;
    *ierror = MPI_SUCCESS;
}
static void delete(int *comm, int *key, MPI_Aint *value, MPI_Aint *extra, int *ierror)
{
    (void)comm, (void)key, (void)value, (void)extra;
    *ierror = MPI_SUCCESS;
}
static void query(MPI_Aint *extra, int *status, int *ierror)
{
    int yes = TRUE;
    (void)extra;
    mpi_status_set_cancelled_(status, &yes, ierror);
}
static void release(MPI_Aint *extra, int *ierror)
{
    (void)extra;
    *ierror = MPI_SUCCESS;
}
static void cancel(MPI_Aint *extra, int *complete, int *ierror)
{
    (void)extra;
    check(*complete == 0, "complete of a cancel function");
    cancelled = 1;
    *ierror = MPI_SUCCESS;
}
static void nothing(void) { }

int main(int argc, char **argv)
{
    int world = MPI_Comm_toint(MPI_COMM_WORLD), self = MPI_Comm_toint(MPI_COMM_SELF), two = 2, zero = 0;
    int size, rank, rc, flag, yes = TRUE, grid, row, op, key, request, status[8], joined;
    int dims[2] = {1, 1}, periods[2] = {TRUE, 0}, remain[2] = {0, TRUE}, coords[2];
    MPI_Aint extra = 0, value = 41;

    mpi_initialized_(&flag, &rc);
    check(flag == 0, "Initialized before");
    MPI_Init(&argc, &argv);
    mpi_initialized_(&flag, &rc);
    check(flag == 1, "Initialized");
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    dims[1] = size;
    mpi_cart_create_(&world, &two, dims, periods, &yes, &grid, &rc);
    periods[0] = periods[1] = 7;
    mpi_cart_get_(&grid, &two, dims, periods, coords, &rc);
    check(periods[0] == 1 && periods[1] == 0, "Cart_get");
    mpi_cart_sub_(&grid, remain, &row, &rc);
    MPI_Comm_size(MPI_Comm_fromint(row), &rc);
    check(rc == size, "Cart_sub");

    mpi_op_create_(nothing, &yes, &op, &rc);
    mpi_op_commutative_(&op, &flag, &rc);
    check(flag == 1, "Op_create");

    if (size > 1) { /* the upper half says that it is high */
        MPI_Comm half, between;
        int high = rank < (size + 1) / 2 ? 0 : TRUE, first = rank;
        MPI_Comm_split(MPI_COMM_WORLD, high != 0, rank, &half);
        MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, high ? 0 : (size + 1) / 2, 1, &between);
        int handle = MPI_Comm_toint(between);
        mpi_intercomm_merge_(&handle, &high, &joined, &rc);
        MPI_Comm_rank(MPI_Comm_fromint(joined), &first);
        check(first == rank, "Intercomm_merge");
    }

    mpi_comm_create_keyval_((void (*)(void))copy, (void (*)(void))delete, &key, &extra, &rc);
    mpi_comm_set_attr_(&self, &key, &value, &rc);
    MPI_Comm twin;
    MPI_Comm_dup(MPI_COMM_SELF, &twin);
    int handle = MPI_Comm_toint(twin);
    flag = 7;
    mpi_comm_get_attr_(&handle, &key, &value, &flag, &rc);
    check(flag == 1 && value == 42, "a copied attribute");
    MPI_Comm_free(&twin);

    mpi_grequest_start_((void (*)(void))query, (void (*)(void))release, (void (*)(void))cancel, &extra,
                        &request, &rc);
    mpi_cancel_(&request, &rc);
    mpi_grequest_complete_(&request, &rc);
    mpi_test_(&request, &flag, status, &rc);
    check(flag == 1 && cancelled, "Test");
    mpi_test_cancelled_(status, &flag, &rc);
    check(flag == 1, "Test_cancelled");

    MPI_File file;
    char name[64];
    snprintf(name, sizeof name, "logicals-%d", rank);
    MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                  MPI_INFO_NULL, &file);
    handle = MPI_File_toint(file);
    mpi_file_set_atomicity_(&handle, &yes, &rc);
    mpi_file_get_atomicity_(&handle, &flag, &rc);
    check(flag == 1, "File_get_atomicity");
    mpi_file_set_atomicity_(&handle, &zero, &rc);
    mpi_file_get_atomicity_(&handle, &flag, &rc);
    check(flag == 0, "not atomic");
    MPI_File_close(&file);
    MPI_Finalize();
    return failed;
}
