/* Every error class has a text, is its own class, and texts differ. */
#include "check.h"

static const int classes[] = {
    MPI_ERR_BUFFER,
    MPI_ERR_COUNT,
    MPI_ERR_TYPE,
    MPI_ERR_TAG,
    MPI_ERR_COMM,
    MPI_ERR_RANK,
    MPI_ERR_REQUEST,
    MPI_ERR_ROOT,
    MPI_ERR_GROUP,
    MPI_ERR_OP,
    MPI_ERR_TOPOLOGY,
    MPI_ERR_DIMS,
    MPI_ERR_ARG,
    MPI_ERR_UNKNOWN,
    MPI_ERR_TRUNCATE,
    MPI_ERR_OTHER,
    MPI_ERR_INTERN,
    MPI_ERR_PENDING,
    MPI_ERR_IN_STATUS,
    MPI_ERR_ACCESS,
    MPI_ERR_AMODE,
    MPI_ERR_ASSERT,
    MPI_ERR_BAD_FILE,
    MPI_ERR_BASE,
    MPI_ERR_CONVERSION,
    MPI_ERR_DISP,
    MPI_ERR_DUP_DATAREP,
    MPI_ERR_FILE_EXISTS,
    MPI_ERR_FILE_IN_USE,
    MPI_ERR_FILE,
    MPI_ERR_INFO_KEY,
    MPI_ERR_INFO_NOKEY,
    MPI_ERR_INFO_VALUE,
    MPI_ERR_INFO,
    MPI_ERR_IO,
    MPI_ERR_KEYVAL,
    MPI_ERR_LOCKTYPE,
    MPI_ERR_NAME,
    MPI_ERR_NO_MEM,
    MPI_ERR_NOT_SAME,
    MPI_ERR_NO_SPACE,
    MPI_ERR_NO_SUCH_FILE,
    MPI_ERR_PORT,
    MPI_ERR_QUOTA,
    MPI_ERR_READ_ONLY,
    MPI_ERR_RMA_ATTACH,
    MPI_ERR_RMA_CONFLICT,
    MPI_ERR_RMA_RANGE,
    MPI_ERR_RMA_SHARED,
    MPI_ERR_RMA_SYNC,
    MPI_ERR_SERVICE,
    MPI_ERR_SIZE,
    MPI_ERR_SPAWN,
    MPI_ERR_UNSUPPORTED_DATAREP,
    MPI_ERR_UNSUPPORTED_OPERATION,
    MPI_ERR_WIN,
    MPI_ERR_RMA_FLAVOR,
};
enum { CLASSES = sizeof classes / sizeof classes[0] };

int main(int argc, char **argv)
{
    static char text[CLASSES][MPI_MAX_ERROR_STRING];
    check_init(&argc, &argv);
    CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    for (int i = 0; i < CLASSES; i++) {
        int class = -1, n = -1;
        CHECK_MPI(MPI_Error_class(classes[i], &class));
        CHECK_EQ(class, classes[i]);
        CHECK_MPI(MPI_Error_string(classes[i], text[i], &n));
        CHECK_EQ(n, strlen(text[i]));
        CHECK_MSG(n > 3, "class %d has the text \"%s\"", classes[i], text[i]);
        for (int j = 0; j < i; j++)
            CHECK_MSG(classes[i] == classes[j] || strcmp(text[i], text[j]) != 0, "classes %d and %d: \"%s\"", classes[i],
                      classes[j], text[i]);
        CHECK(classes[i] > MPI_SUCCESS && classes[i] <= MPI_ERR_LASTCODE);
    }
    int class = -1, n = -1;
    char none[MPI_MAX_ERROR_STRING];
    CHECK_MPI(MPI_Error_class(MPI_SUCCESS, &class));
    CHECK_EQ(class, MPI_SUCCESS);
    CHECK_MPI(MPI_Error_string(MPI_SUCCESS, none, &n));
    CHECK(n > 0);
#ifdef TEST_GOMPI
    CHECK_CLASS(MPI_Error_class(-5, &class), MPI_ERR_ARG);
    CHECK_CLASS(MPI_Error_string(999999, none, &n), MPI_ERR_ARG);
#endif
    return check_finish();
}
