/* What MPI 5.0 changed, as far as no other program of this suite is about it; docs/changes.md lists all. */
#include "check.h"

/* 20.2: which ABI it is, before MPI_Init and after MPI_Finalize as well. */
static void abi(void)
{
    int major = -1, minor = -1, n, flag = 0;
    MPI_Info info = MPI_INFO_NULL;
    static const struct {
        const char *key;
        int bytes;
    } sizes[] = {{"mpi_aint_size", sizeof(MPI_Aint)},
                 {"mpi_count_size", sizeof(MPI_Count)},
                 {"mpi_offset_size", sizeof(MPI_Offset)}};
    CHECK_EQ(MPI_Abi_get_version(&major, &minor), MPI_SUCCESS);
    CHECK(major == MPI_ABI_VERSION && minor == MPI_ABI_SUBVERSION);
    CHECK_EQ(MPI_Abi_get_info(&info), MPI_SUCCESS);
    CHECK(info != MPI_INFO_NULL);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        char v[16] = "";
        n = sizeof v;
        CHECK_EQ(MPI_Info_get_string(info, sizes[i].key, &n, v, &flag), MPI_SUCCESS);
        CHECK_MSG(flag && atoi(v) == sizes[i].bytes, "%s=%s", sizes[i].key, v);
    }
    CHECK_EQ(MPI_Info_free(&info), MPI_SUCCESS);
    CHECK_EQ(MPI_Get_version(&major, &minor), MPI_SUCCESS);
    CHECK(major == 5 && minor == 0 && major == MPI_VERSION && minor == MPI_SUBVERSION);
    CHECK(sizeof(MPI_Status) == 32 && sizeof(MPI_Comm) == sizeof(void *));
}

/* 20.3.7: optional types of Fortran in C: those that are there have their size, the others are
 * MPI_DATATYPE_NULL or of size MPI_UNDEFINED. */
static void fortran_types(void)
{
    static const struct {
        MPI_Datatype t;
        int bytes;
    } types[] = {{MPI_LOGICAL1, 1},   {MPI_LOGICAL2, 2},   {MPI_LOGICAL4, 4}, {MPI_LOGICAL8, 8},
                 {MPI_LOGICAL16, 16}, {MPI_INTEGER1, 1},   {MPI_INTEGER2, 2}, {MPI_INTEGER4, 4},
                 {MPI_INTEGER8, 8},   {MPI_INTEGER16, 16}, {MPI_REAL2, 2},    {MPI_REAL4, 4},
                 {MPI_REAL8, 8},      {MPI_REAL16, 16},    {MPI_COMPLEX4, 4}, {MPI_COMPLEX8, 8},
                 {MPI_COMPLEX16, 16}, {MPI_COMPLEX32, 32}};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        int n = -1;
        char name[MPI_MAX_OBJECT_NAME] = "";
        CHECK_MPI(MPI_Type_size(types[i].t, &n));
        CHECK_MSG(n == types[i].bytes || n == MPI_UNDEFINED, "type %d: %d", (int)i, n);
        CHECK_MPI(MPI_Type_get_name(types[i].t, name, &n));
        CHECK(strncmp(name, "MPI_", 4) == 0);
    }
    int32_t a = me == np - 1, any = -1, all = -1;
    CHECK_MPI(MPI_Allreduce(&a, &any, 1, MPI_LOGICAL4, MPI_LOR, MPI_COMM_WORLD));
    CHECK_MPI(MPI_Allreduce(&a, &all, 1, MPI_LOGICAL4, MPI_LAND, MPI_COMM_WORLD));
    CHECK(any != 0 && (all != 0) == (np == 1));
}

/* 20.3.4: handles as integers, and back. */
static void integers(void)
{
    MPI_Comm c;
    MPI_Info info;
    MPI_Request r;
    int x = 0;
    CHECK_EQ(MPI_Comm_toint(MPI_COMM_WORLD), 257);
    CHECK_EQ(MPI_Type_toint(MPI_DATATYPE_NULL), 512);
    CHECK(MPI_Op_fromint(MPI_Op_toint(MPI_MAXLOC)) == MPI_MAXLOC);
    CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &c));
    CHECK(MPI_Comm_fromint(MPI_Comm_toint(c)) == c && MPI_Comm_toint(c) > 4095);
    CHECK_MPI(MPI_Info_create(&info));
    CHECK(MPI_Info_fromint(MPI_Info_toint(info)) == info);
    CHECK_MPI(MPI_Recv_init(&x, 1, MPI_INT, 0, 0, c, &r));
    CHECK(MPI_Request_fromint(MPI_Request_toint(r)) == r);
    CHECK_MPI(MPI_Request_free(&r));
    CHECK_MPI(MPI_Info_free(&info));
    CHECK_MPI(MPI_Comm_free(&c));
}

int main(int argc, char **argv)
{
    abi();
    check_init(&argc, &argv);
    abi();
    fortran_types();
    integers();
    int rc = check_finish();
    abi();
    return rc;
}
