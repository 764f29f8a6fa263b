/* What the library tells of the ABI and of Fortran, before, during and after MPI; what it knows can be
 * confirmed once. */
#include "check.h"

static int number(MPI_Info info, const char *key)
{
    char value[32] = "";
    int flag = 0, n = sizeof value;
    CHECK_MPI(MPI_Info_get_string(info, key, &n, value, &flag));
    CHECK_MSG(flag, "no key %s", key);
    return !strcmp(value, "true") ? 1 : !strcmp(value, "false") ? 0 : atoi(value);
}

static void ask(void)
{
    MPI_Info info = MPI_INFO_NULL;
    CHECK_MPI(MPI_Abi_get_info(&info));
    CHECK_EQ(number(info, "mpi_aint_size"), sizeof(MPI_Aint));
    CHECK_EQ(number(info, "mpi_count_size"), sizeof(MPI_Count));
    CHECK_EQ(number(info, "mpi_offset_size"), sizeof(MPI_Offset));
    CHECK_MPI(MPI_Info_free(&info));
    CHECK_MPI(MPI_Abi_get_fortran_info(&info));
    CHECK(info != MPI_INFO_NULL);
    CHECK_EQ(number(info, "mpi_logical_size"), 4);
    CHECK_EQ(number(info, "mpi_integer_size"), 4);
    CHECK_EQ(number(info, "mpi_real_size"), 4);
    CHECK_EQ(number(info, "mpi_double_precision_size"), 8);
    const char *optional[] = {"logical1", "logical2", "logical4", "logical8", "logical16", "integer1", "integer2", "integer4", "integer8", "integer16",
                              "real2", "real4", "real8", "real16", "complex4", "complex8", "complex16", "complex32", "double_complex"};
    for (size_t i = 0; i < sizeof optional / sizeof *optional; i++) {
        char key[64];
        snprintf(key, sizeof key, "mpi_%s_supported", optional[i]);
        CHECK_EQ(number(info, key), 1);
    }
    CHECK_MPI(MPI_Info_free(&info));
    int yes[2] = {-7, -7}, no[2] = {-7, -7}, set = -7;
    CHECK_MPI(MPI_Abi_get_fortran_booleans(4, yes, no, &set));
    CHECK_EQ(set, 1);
    CHECK_EQ(yes[0], 1);
    CHECK_EQ(no[0], 0);
    CHECK_EQ(yes[1], -7); /* four bytes each */
    CHECK_EQ(no[1], -7);
}

int main(int argc, char **argv)
{
    MPI_Info info;
    int yes = 1, no = 0, minus = -1, size, in[2] = {5, 0}, out[2];
    ask();
    check_init(&argc, &argv);
    CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    ask();
    CHECK_MPI(MPI_Abi_get_fortran_info(&info));
    CHECK_MPI(MPI_Info_set(info, "mpi_real2_supported", "false")); /* a compiler without */
    CHECK_MPI(MPI_Info_set(info, "mpi_integer_size", "8"));
    CHECK_CLASS(MPI_Abi_set_fortran_info(info), MPI_ERR_ABI);
    CHECK_MPI(MPI_Info_set(info, "mpi_integer_size", "4"));
    CHECK_MPI(MPI_Abi_set_fortran_info(info));
    CHECK_CLASS(MPI_Abi_set_fortran_info(info), MPI_ERR_ABI);
    CHECK_MPI(MPI_Info_free(&info));
    CHECK_CLASS(MPI_Abi_set_fortran_info(MPI_INFO_NULL), MPI_ERR_INFO);
    CHECK_CLASS(MPI_Abi_set_fortran_booleans(8, &yes, &no), MPI_ERR_ARG);
    CHECK_CLASS(MPI_Abi_set_fortran_booleans(4, &yes, NULL), MPI_ERR_ARG);
    CHECK_CLASS(MPI_Abi_set_fortran_booleans(4, &minus, &no), MPI_ERR_ABI);
    CHECK_MPI(MPI_Abi_set_fortran_booleans(4, &yes, &no));
    CHECK_CLASS(MPI_Abi_set_fortran_booleans(4, &yes, &no), MPI_ERR_ABI);
    /* what is told is what operations do */
    CHECK_MPI(MPI_Type_size(MPI_LOGICAL, &size));
    CHECK_EQ(size, 4);
    CHECK_MPI(MPI_Allreduce(in, out, 2, MPI_LOGICAL, MPI_LAND, MPI_COMM_SELF));
    CHECK_MPI(MPI_Allreduce(in, out, 2, MPI_LOGICAL, MPI_LAND, MPI_COMM_WORLD));
    CHECK_EQ(out[0] != 0, 1);
    CHECK_EQ(out[1], 0);
    CHECK_MPI(MPI_Finalize());
    ask();
    return check_result();
}
