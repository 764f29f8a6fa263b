/*
 * What programs written for Open MPI's ULFM find by mpi-ext.h: names with either prefix, and the attribute
 * that says whether the job survives deaths. Then all ranks end as the second argument says, so that the exit
 * code of the job can be looked at.
 */
#include "recovery.h"

#include <mpi-ext.h>

#if !defined OMPI_HAVE_MPI_EXT_FTMPI || !OMPI_HAVE_MPI_EXT_FTMPI
#error "mpi-ext.h does not say that it has ULFM"
#endif

int main(int argc, char **argv)
{
    int *survives = NULL, flag = 0, class, *set, key = MPIX_FT;

    recovery_begin(&argc, &argv);
    CHECK_EQ(MPI_ERR_PROC_FAILED, MPIX_ERR_PROC_FAILED);
    CHECK_EQ(MPI_ERR_PROC_FAILED_PENDING, MPIX_ERR_PROC_FAILED_PENDING);
    CHECK_EQ(MPI_ERR_REVOKED, MPIX_ERR_REVOKED);
    CHECK_EQ(MPI_FT, MPIX_FT);
    MPI_Error_class(MPI_ERR_REVOKED, &class);
    CHECK_EQ(class, MPI_ERR_REVOKED);
    for (int i = 0; i < 2; i++) {
        CHECK_MPI(MPI_Comm_get_attr(i ? MPI_COMM_SELF : MPI_COMM_WORLD, MPIX_FT, &survives, &flag));
        CHECK_EQ(flag, 1);
        CHECK_EQ(*survives, atoi(argv[1]));
    }
    CHECK_CLASS(MPI_Comm_set_attr(MPI_COMM_WORLD, MPIX_FT, &key), MPI_ERR_KEYVAL);
    CHECK_CLASS(MPI_Comm_free_keyval(&key), MPI_ERR_KEYVAL);
    CHECK_MPI(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &set, &flag));
    CHECK_EQ(flag, 1);
    if (argc > 2 && (!strcmp(argv[2], "all-die") || me == 0))
        recovery_die(0);
    MPI_Finalize();
    return check_failed ? 1 : argc > 2 ? atoi(argv[2]) : 0;
}
