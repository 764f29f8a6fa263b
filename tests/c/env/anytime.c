/* The functions that may be called at any time (MPI 5.0, 11.4.1): before MPI_Init, in between, after
 * MPI_Finalize. */
#include "check.h"

static void ask(void)
{
    int version = 0, subversion = -1, n = -1, flag = -1;
    static char text[MPI_MAX_LIBRARY_VERSION_STRING];

    CHECK_MPI(MPI_Get_version(&version, &subversion));
    CHECK_EQ(version, MPI_VERSION);
    CHECK_EQ(subversion, MPI_SUBVERSION);

    memset(text, '#', sizeof text);
    CHECK_MPI(MPI_Get_library_version(text, &n));
    CHECK(n > 0 && n < MPI_MAX_LIBRARY_VERSION_STRING);
    if (n > 0 && n < MPI_MAX_LIBRARY_VERSION_STRING) {
        CHECK_EQ(text[n], '\0');
        CHECK_EQ(strlen(text), n);
    }
    CHECK_MPI(MPI_Initialized(&flag));
    CHECK_MPI(MPI_Finalized(&flag));

#ifdef MPI_ABI_VERSION
    int major = -1, minor = -1;
    CHECK_MPI(MPI_Abi_get_version(&major, &minor));
    CHECK_EQ(major, MPI_ABI_VERSION);
    CHECK_EQ(minor, MPI_ABI_SUBVERSION);
#endif
#ifdef TEST_GOMPI
    CHECK_EQ(MPI_VERSION, 5);
    CHECK_EQ(MPI_SUBVERSION, 0);
    CHECK_MSG(strncmp(text, "gompi", 5) == 0, "the library calls itself \"%.40s\"", text);

    /* Time and error texts need no job either. */
    double t = MPI_Wtime();
    CHECK(MPI_Wtime() >= t);
    CHECK(MPI_Wtick() > 0);
    char message[MPI_MAX_ERROR_STRING] = "";
    int class = -1;
    CHECK_MPI(MPI_Error_class(MPI_ERR_RANK, &class));
    CHECK_EQ(class, MPI_ERR_RANK);
    CHECK_MPI(MPI_Error_string(MPI_ERR_RANK, message, &n));
    CHECK(n > 0 && strlen(message) == (size_t)n);
#endif
}

int main(int argc, char **argv)
{
    ask();
    MPI_Init(&argc, &argv);
    check_know_world();
    ask();
    if (check_failed)
        check_give_up();
    MPI_Finalize();
    ask();
    return check_result();
}
