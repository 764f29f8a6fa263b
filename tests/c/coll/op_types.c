/* Combinations of operation and datatype that the standard does not allow are refused with MPI_ERR_OP. */
#include "check.h"

static void refuse(MPI_Op op, MPI_Datatype type, const char *what)
{
    static char out[64], in[64];
    int class = 0;
    int rc = MPI_Allreduce(out, in, 1, type, op, MPI_COMM_WORLD);
    if (rc != MPI_SUCCESS)
        MPI_Error_class(rc, &class);
    CHECK_MSG(class == MPI_ERR_OP, "%s gave error class %d, want MPI_ERR_OP", what, class);
    rc = MPI_Reduce(out, in, 1, type, op, 0, MPI_COMM_WORLD);
    class = 0;
    if (rc != MPI_SUCCESS)
        MPI_Error_class(rc, &class);
    CHECK_MSG(class == MPI_ERR_OP, "%s (Reduce) gave error class %d, want MPI_ERR_OP", what, class);
}

/* The text says which types are for characters and which for small integers. */
static void tells(MPI_Op op, MPI_Datatype type)
{
    char text[MPI_MAX_ERROR_STRING];
    const char *const words[] = {"MPI_CHAR", "characters", "integers", "MPI_SIGNED_CHAR", "MPI_UNSIGNED_CHAR",
                                 "MPI_INT8_T", "MPI_UINT8_T"};
    int out = 0, in = 0, n, rc = MPI_Allreduce(&out, &in, 1, type, op, MPI_COMM_WORLD);
    CHECK_MPI(MPI_Error_string(rc, text, &n));
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        CHECK_MSG(strstr(text, words[i]) != NULL, "\"%s\" is not in the text: %s", words[i], text);
}

#define REFUSE(op, type) refuse(op, type, #op " on " #type)

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    REFUSE(MPI_BAND, MPI_FLOAT);
    REFUSE(MPI_BOR, MPI_DOUBLE);
    REFUSE(MPI_BXOR, MPI_LONG_DOUBLE);
    REFUSE(MPI_LAND, MPI_DOUBLE);
    REFUSE(MPI_MAX, MPI_C_DOUBLE_COMPLEX);
    REFUSE(MPI_MIN, MPI_C_FLOAT_COMPLEX);
    REFUSE(MPI_LOR, MPI_C_DOUBLE_COMPLEX);
    REFUSE(MPI_SUM, MPI_BYTE);
    REFUSE(MPI_MAX, MPI_BYTE);
    REFUSE(MPI_SUM, MPI_CHAR);
    REFUSE(MPI_MAX, MPI_CHAR);
    REFUSE(MPI_BAND, MPI_CHAR);
    REFUSE(MPI_SUM, MPI_WCHAR);
    REFUSE(MPI_SUM, MPI_PACKED);
    REFUSE(MPI_SUM, MPI_C_BOOL);
    REFUSE(MPI_MAX, MPI_C_BOOL);
    REFUSE(MPI_BAND, MPI_C_BOOL);
    REFUSE(MPI_MINLOC, MPI_INT);
    REFUSE(MPI_MAXLOC, MPI_DOUBLE);
    REFUSE(MPI_SUM, MPI_DOUBLE_INT);
    REFUSE(MPI_MAX, MPI_2INT);
    REFUSE(MPI_NO_OP, MPI_INT);
    REFUSE(MPI_REPLACE, MPI_INT);
    REFUSE(MPI_SUM, MPI_CHARACTER);
    REFUSE(MPI_SUM, MPI_LOGICAL);
    tells(MPI_SUM, MPI_CHAR);
    tells(MPI_MAX, MPI_WCHAR);
    tells(MPI_BAND, MPI_CHARACTER);
    return check_finish();
}
