/* Error classes, codes and texts that a program adds and removes; legal before MPI_Init too. */
#include "check.h"

static int last_used(void)
{
    int *value = NULL, flag = 0;
    CHECK_MPI(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_LASTUSEDCODE, &value, &flag));
    return flag ? *value : -1;
}

static void text_is(int code, const char *want)
{
    char text[MPI_MAX_ERROR_STRING] = "?";
    int n = -1;
    CHECK_MPI(MPI_Error_string(code, text, &n));
    CHECK_MSG(strcmp(text, want) == 0, "text \"%s\", want \"%s\"", text, want);
    CHECK_EQ(n, (int)strlen(want));
}

static int seen;

static void handler(MPI_Comm *comm, int *code, ...)
{
    (void)comm;
    seen = *code;
}

static int failing(MPI_Comm comm, int keyval, void *value, void *extra)
{
    (void)comm;
    (void)keyval;
    (void)value;
    return *(int *)extra;
}

int main(int argc, char **argv)
{
    int class, code, other, before, got, key;
    CHECK_MPI(MPI_Add_error_class(&before));
    check_init(&argc, &argv);
    CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    CHECK_EQ(last_used(), before);
    CHECK_MPI(MPI_Add_error_class(&class));
    CHECK(class > MPI_ERR_LASTCODE && class != before);
    CHECK_MPI(MPI_Add_error_code(class, &code));
    CHECK_MPI(MPI_Add_error_code(MPI_ERR_RANK, &other));
    CHECK(code > class && other > code);
    CHECK_EQ(last_used(), other);
    text_is(code, "");
    CHECK_MPI(MPI_Add_error_string(class, "my class"));
    CHECK_MPI(MPI_Add_error_string(code, "my code"));
    text_is(class, "my class");
    text_is(code, "my code");
    CHECK_MPI(MPI_Add_error_string(code, "changed"));
    text_is(code, "changed");
    CHECK_MPI(MPI_Error_class(code, &got));
    CHECK_EQ(got, class);
    CHECK_MPI(MPI_Error_class(class, &got));
    CHECK_EQ(got, class);
    CHECK_MPI(MPI_Error_class(other, &got));
    CHECK_EQ(got, MPI_ERR_RANK);

    /* Such a code goes through error handlers and callbacks as it is. */
    MPI_Errhandler h;
    CHECK_MPI(MPI_Comm_create_errhandler(handler, &h));
    CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_WORLD, h));
    CHECK_MPI(MPI_Comm_call_errhandler(MPI_COMM_WORLD, code));
    CHECK_EQ(seen, code);
    CHECK_MPI(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, failing, &key, &code));
    CHECK_MPI(MPI_Comm_set_attr(MPI_COMM_WORLD, key, NULL));
    seen = 0;
    CHECK_EQ(MPI_Comm_delete_attr(MPI_COMM_WORLD, key), code);
    CHECK_EQ(seen, code);
    got = code;
    code = MPI_SUCCESS;
    CHECK_MPI(MPI_Comm_delete_attr(MPI_COMM_WORLD, key));
    code = got;
    CHECK_MPI(MPI_Comm_free_keyval(&key));
    CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    CHECK_MPI(MPI_Errhandler_free(&h));

    CHECK_CLASS(MPI_Add_error_string(MPI_ERR_RANK, "no"), MPI_ERR_ARG);
    CHECK_CLASS(MPI_Add_error_code(other, &got), MPI_ERR_ARG);
    CHECK_CLASS(MPI_Error_class(other + 100, &got), MPI_ERR_ARG);
    CHECK_CLASS(MPI_Remove_error_class(class), MPI_ERR_ARG);
    CHECK_CLASS(MPI_Remove_error_class(MPI_ERR_RANK), MPI_ERR_ARG);
    CHECK_MPI(MPI_Remove_error_string(code));
    CHECK_MPI(MPI_Remove_error_code(code));
    CHECK_MPI(MPI_Remove_error_string(class));
    CHECK_MPI(MPI_Remove_error_class(class));
    CHECK_MPI(MPI_Remove_error_code(other));
    CHECK_CLASS(MPI_Error_class(code, &got), MPI_ERR_ARG);

    /* A handler for objects of another kind. */
    CHECK_MPI(MPI_Win_create_errhandler((MPI_Win_errhandler_function *)handler, &h));
    CHECK_CLASS(MPI_Comm_set_errhandler(MPI_COMM_WORLD, h), MPI_ERR_ERRHANDLER);
    CHECK_MPI(MPI_Errhandler_free(&h));
    return check_finish();
}
