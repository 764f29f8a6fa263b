/*
 * Kinds of memory (MPI 5.0, 11.4.3): "mpi" and "system" are always there; of those that the program asks for,
 * it is told the ones that it gets. With the argument "asked" it was started with -memory-alloc-kinds.
 */
#include "check.h"

int main(int argc, char **argv)
{
    MPI_Info info;
    char value[256] = "";
    int flag = 0, bytes = sizeof value, asked;

    check_init(&argc, &argv);
    asked = argc > 1 && strcmp(argv[1], "asked") == 0;
    CHECK_MPI(MPI_Comm_get_info(MPI_COMM_WORLD, &info));
    CHECK_MPI(MPI_Info_get_string(info, "mpi_memory_alloc_kinds", &bytes, value, &flag));
    CHECK_MSG(flag && strcmp(value, asked ? "mpi,system,mpi:alloc_mem" : "mpi,system") == 0, "kinds \"%s\"", value);
    CHECK_MPI(MPI_Info_free(&info));
    bytes = sizeof value;
    CHECK_MPI(MPI_Info_get_string(MPI_INFO_ENV, "mpi_memory_alloc_kinds", &bytes, value, &flag));
    CHECK_EQ(flag, asked);
    return check_finish();
}
