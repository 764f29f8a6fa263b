/* Hints of files, and their error handlers. */
#include "io.h"

static int called, code_seen;

static void handler(MPI_File *f, int *code, ...)
{
    (void)f;
    called++;
    MPI_Error_class(*code, &code_seen);
}

static void hints(void)
{
    MPI_Info i, used;
    MPI_File f;
    char value[100];
    int flag, len;
    MPI_Info_create(&i);
    MPI_Info_set(i, "cb_buffer_size", "8192");
    MPI_Info_set(i, "romio_cb_write", "enable");
    MPI_Info_set(i, "striping_factor", "4");
    MPI_Info_set(i, "cb_nodes", "no number");
    MPI_Info_set(i, "nobody_knows", "this");
    CHECK_MPI(MPI_File_open(MPI_COMM_WORLD, "hinted",
                            MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE, i, &f));
    CHECK_MPI(MPI_File_get_info(f, &used));
    len = sizeof value;
    CHECK_MPI(MPI_Info_get_string(used, "cb_buffer_size", &len, value, &flag));
    CHECK(flag && strcmp(value, "8192") == 0);
    len = sizeof value;
    CHECK_MPI(MPI_Info_get_string(used, "striping_factor", &len, value, &flag));
    CHECK(flag && strcmp(value, "4") == 0);
    len = sizeof value;
    CHECK_MPI(MPI_Info_get_string(used, "nobody_knows", &len, value, &flag));
    CHECK(!flag);
    len = sizeof value;
    CHECK_MPI(MPI_Info_get_string(used, "cb_nodes", &len, value, &flag));
    CHECK(!flag);
    MPI_Info_free(&used);
    MPI_Info_set(i, "romio_cb_write", "disable");
    CHECK_MPI(MPI_File_set_info(f, i));
    CHECK_MPI(MPI_File_get_info(f, &used));
    len = sizeof value;
    CHECK_MPI(MPI_Info_get_string(used, "romio_cb_write", &len, value, &flag));
    CHECK(flag && strcmp(value, "disable") == 0);
    MPI_Info_free(&used);
    MPI_Info_free(&i);
    CHECK_MPI(MPI_File_close(&f));
}

static void handlers(void)
{
    MPI_Errhandler h, old;
    MPI_Offset n;
    char c;
    MPI_File f = io_open("handled", MPI_MODE_WRONLY | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE);
    CHECK_MPI(MPI_File_get_errhandler(f, &old));
    CHECK(old == MPI_ERRORS_RETURN);
    CHECK_MPI(MPI_File_create_errhandler(handler, &h));
    CHECK_MPI(MPI_File_set_errhandler(f, h));
    CHECK_CLASS(MPI_File_read_at(f, 0, &c, 1, MPI_CHAR, MPI_STATUS_IGNORE), MPI_ERR_ACCESS);
    CHECK_EQ(called, 1);
    CHECK_EQ(code_seen, MPI_ERR_ACCESS);
    CHECK_CLASS(MPI_File_set_size(f, -1), MPI_ERR_ARG);
    CHECK_EQ(called, 2);
    CHECK_CLASS(MPI_File_iread_at(f, 0, &c, 1, MPI_CHAR, &(MPI_Request){MPI_REQUEST_NULL}), MPI_ERR_ACCESS);
    CHECK_EQ(called, 3);
    CHECK_MPI(MPI_File_call_errhandler(f, MPI_ERR_FILE));
    CHECK_EQ(called, 4);

    /* Errors that belong to no file go to the handler of MPI_FILE_NULL, which new files take over. */
    CHECK_MPI(MPI_File_set_errhandler(MPI_FILE_NULL, h));
    CHECK_CLASS(MPI_File_open(MPI_COMM_WORLD, "no such file", MPI_MODE_RDONLY, MPI_INFO_NULL,
                              &(MPI_File){MPI_FILE_NULL}),
                MPI_ERR_NO_SUCH_FILE);
    CHECK_EQ(called, 5);
    CHECK_CLASS(MPI_File_get_size(MPI_FILE_NULL, &n), MPI_ERR_FILE);
    CHECK_EQ(called, 6);
    MPI_File g = io_open("inherits", MPI_MODE_WRONLY | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE);
    CHECK_MPI(MPI_File_get_errhandler(g, &old));
    CHECK(old == h);
    MPI_Errhandler_free(&old);
    CHECK_MPI(MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN));
    CHECK_MPI(MPI_Errhandler_free(&h));
    CHECK_MPI(MPI_File_close(&g));
    CHECK_MPI(MPI_File_close(&f));
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    hints();
    handlers();
    return check_finish();
}
