/*
 * Error handlers know the kind of object that they were made for; MPI_FILE_NULL has one, MPI_ERRORS_RETURN at
 * first (MPI 5.0, 9.3 and 14.7). Attribute keys of windows are no keys of communicators.
 */
#include "check.h"

static int calls, last_code;
static MPI_File last_file;

static void on_comm(MPI_Comm *comm, int *code, ...) { (void)comm, (void)code; }

static void on_file(MPI_File *file, int *code, ...)
{
    calls++;
    last_file = *file;
    last_code = *code;
}

static void handlers(void)
{
    MPI_Errhandler comm, file, got;

    CHECK_MPI(MPI_File_get_errhandler(MPI_FILE_NULL, &got));
    CHECK(got == MPI_ERRORS_RETURN);
    CHECK_MPI(MPI_File_call_errhandler(MPI_FILE_NULL, MPI_ERR_FILE));
    CHECK_CLASS(MPI_File_get_errhandler((MPI_File)(intptr_t)0x7654321, &got), MPI_ERR_FILE);

    CHECK_MPI(MPI_Comm_create_errhandler(on_comm, &comm));
    CHECK_MPI(MPI_File_create_errhandler(on_file, &file));
    CHECK_CLASS(MPI_Comm_set_errhandler(MPI_COMM_SELF, file), MPI_ERR_ERRHANDLER);
    CHECK_CLASS(MPI_File_set_errhandler(MPI_FILE_NULL, comm), MPI_ERR_ERRHANDLER);
    CHECK_MPI(MPI_File_set_errhandler(MPI_FILE_NULL, file));
    CHECK_MPI(MPI_File_get_errhandler(MPI_FILE_NULL, &got));
    CHECK(got == file);
    CHECK_MPI(MPI_Errhandler_free(&got));
    CHECK_MPI(MPI_Errhandler_free(&file));

    CHECK_MPI(MPI_File_call_errhandler(MPI_FILE_NULL, MPI_ERR_AMODE));
    CHECK_EQ(calls, 1);
    CHECK_EQ(last_code, MPI_ERR_AMODE);
    CHECK(last_file == MPI_FILE_NULL);
    /* Calls on what is no file reach the handler of MPI_FILE_NULL. */
    CHECK_CLASS(MPI_File_get_errhandler((MPI_File)(intptr_t)0x7654321, &got), MPI_ERR_FILE);
    CHECK_EQ(calls, 2);
    CHECK_MPI(MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN));
    CHECK_MPI(MPI_Errhandler_free(&comm));
}

static void keys(void)
{
    int win = MPI_KEYVAL_INVALID, was;

    CHECK_MPI(MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, MPI_WIN_NULL_DELETE_FN, &win, NULL));
    CHECK(win != MPI_KEYVAL_INVALID);
    CHECK_CLASS(MPI_Comm_set_attr(MPI_COMM_SELF, win, NULL), MPI_ERR_KEYVAL);
    was = win;
    CHECK_CLASS(MPI_Comm_free_keyval(&was), MPI_ERR_KEYVAL);
    CHECK_MPI(MPI_Win_free_keyval(&win));
    CHECK_EQ(win, MPI_KEYVAL_INVALID);
    CHECK_CLASS(MPI_Win_free_keyval(&was), MPI_ERR_KEYVAL);
    was = MPI_WIN_SIZE;
    CHECK_CLASS(MPI_Win_free_keyval(&was), MPI_ERR_KEYVAL);
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    handlers();
    keys();
    return check_finish();
}
