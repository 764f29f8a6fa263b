/* How files are opened, closed and deleted; what refuses to be; size, mode, group. */
#include "io.h"

static void refused(const char *name, int amode, int class)
{
    MPI_File f = MPI_FILE_NULL;
    CHECK_CLASS(MPI_File_open(MPI_COMM_WORLD, name, amode, MPI_INFO_NULL, &f), class);
    CHECK(f == MPI_FILE_NULL);
}

static void modes(void)
{
    refused("x", 0, MPI_ERR_AMODE);
    refused("x", MPI_MODE_CREATE, MPI_ERR_AMODE);
    refused("x", MPI_MODE_RDONLY | MPI_MODE_WRONLY, MPI_ERR_AMODE);
    refused("x", MPI_MODE_RDONLY | MPI_MODE_RDWR, MPI_ERR_AMODE);
    refused("x", MPI_MODE_RDONLY | MPI_MODE_CREATE, MPI_ERR_AMODE);
    refused("x", MPI_MODE_RDONLY | MPI_MODE_EXCL, MPI_ERR_AMODE);
    refused("x", MPI_MODE_RDWR | MPI_MODE_SEQUENTIAL, MPI_ERR_AMODE);
    refused("x", MPI_MODE_RDWR | 1 << 20, MPI_ERR_AMODE);
    if (np > 1) {
        MPI_File f = MPI_FILE_NULL;
        CHECK_CLASS(MPI_File_open(MPI_COMM_WORLD, "x", me == 0 ? MPI_MODE_RDONLY : MPI_MODE_WRONLY,
                                  MPI_INFO_NULL, &f),
                    MPI_ERR_NOT_SAME);
        CHECK(f == MPI_FILE_NULL);
    }
    refused("no such file", MPI_MODE_RDWR, MPI_ERR_NO_SUCH_FILE);
    refused("no such folder/file", MPI_MODE_RDWR | MPI_MODE_CREATE, MPI_ERR_NO_SUCH_FILE);
    refused(".", MPI_MODE_RDONLY, MPI_ERR_BAD_FILE);
    refused(".", MPI_MODE_RDWR, MPI_ERR_BAD_FILE);
    char name[5000];
    memset(name, 'n', sizeof name);
    name[sizeof name - 1] = 0;
    refused(name, MPI_MODE_RDWR | MPI_MODE_CREATE, MPI_ERR_BAD_FILE);
}

static void exclusive(void)
{
    MPI_File f = io_open("made", MPI_MODE_WRONLY | MPI_MODE_CREATE | MPI_MODE_EXCL);
    int amode = 0;
    CHECK_MPI(MPI_File_get_amode(f, &amode));
    CHECK_EQ(amode, MPI_MODE_WRONLY | MPI_MODE_CREATE | MPI_MODE_EXCL);
    CHECK_MPI(MPI_File_close(&f));
    CHECK(f == MPI_FILE_NULL);
    refused("made", MPI_MODE_WRONLY | MPI_MODE_CREATE | MPI_MODE_EXCL, MPI_ERR_FILE_EXISTS);
    refused("made/below", MPI_MODE_RDONLY, MPI_ERR_BAD_FILE);
    io_delete("made");
    refused("made", MPI_MODE_RDONLY, MPI_ERR_NO_SUCH_FILE);
    CHECK_CLASS(MPI_File_delete("made", MPI_INFO_NULL), MPI_ERR_NO_SUCH_FILE);
}

static void sizes(void)
{
    MPI_File f = io_open("sized", MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE);
    MPI_Offset n = -1;
    CHECK_MPI(MPI_File_get_size(f, &n));
    CHECK_EQ(n, 0);
    CHECK_MPI(MPI_File_set_size(f, 1000));
    CHECK_MPI(MPI_File_get_size(f, &n));
    CHECK_EQ(n, 1000);
    CHECK_MPI(MPI_File_preallocate(f, 500));
    CHECK_MPI(MPI_File_get_size(f, &n));
    CHECK_EQ(n, 1000);
    CHECK_MPI(MPI_File_preallocate(f, 70000));
    CHECK_MPI(MPI_File_get_size(f, &n));
    CHECK_EQ(n, 70000);
    struct stat st;
    CHECK_EQ(stat("sized", &st), 0);
    CHECK(st.st_blocks * 512 >= 70000);
    CHECK_CLASS(MPI_File_set_size(f, -1), MPI_ERR_ARG);
    CHECK_CLASS(MPI_File_preallocate(f, -1), MPI_ERR_ARG);
    if (np > 1)
        CHECK_CLASS(MPI_File_set_size(f, me), MPI_ERR_NOT_SAME);
    CHECK_MPI(MPI_File_set_size(f, 10));
    CHECK_MPI(MPI_File_get_size(f, &n));
    CHECK_EQ(n, 10);

    MPI_Group g, world;
    int same = MPI_UNEQUAL;
    CHECK_MPI(MPI_File_get_group(f, &g));
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    CHECK_MPI(MPI_Group_compare(g, world, &same));
    CHECK_EQ(same, MPI_IDENT);
    MPI_Group_free(&g);
    MPI_Group_free(&world);
    CHECK_MPI(MPI_File_close(&f));
    CHECK(access("sized", F_OK) != 0);
}

/* What a file has in common with communicators, and what MPI_FILE_NULL has of it. */
static void handles(void)
{
    MPI_File f = io_open("handled", MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE), was;
    MPI_Errhandler h;
    MPI_Group g[3];
    MPI_Offset at = 0;
    int flag = 0, amode = 0, size = 0;
    for (int i = 0; i < 2; i++) {
        CHECK_MPI(MPI_File_get_group(f, &g[i]));
        CHECK_MPI(MPI_Group_size(g[i], &size));
        CHECK_EQ(size, np);
    }
    CHECK_MPI(MPI_Group_free(&g[0]));
    CHECK_MPI(MPI_Group_size(g[1], &size));
    CHECK_EQ(size, np);
    CHECK_MPI(MPI_File_get_errhandler(f, &h));
    CHECK(h == MPI_ERRORS_RETURN);
    CHECK_MPI(MPI_File_set_errhandler(f, MPI_ERRORS_ARE_FATAL));
    CHECK_MPI(MPI_File_get_errhandler(f, &h));
    CHECK(h == MPI_ERRORS_ARE_FATAL);
    CHECK_MPI(MPI_File_get_errhandler(MPI_FILE_NULL, &h));
    CHECK(h == MPI_ERRORS_RETURN);
    CHECK_MPI(MPI_File_set_errhandler(f, MPI_ERRORS_RETURN));
    CHECK_MPI(MPI_File_get_amode(f, &amode));
    CHECK_EQ(amode, MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE);
    CHECK_MPI(MPI_File_set_atomicity(f, 1));
    CHECK_MPI(MPI_File_get_atomicity(f, &flag));
    CHECK_EQ(flag, 1);
    CHECK_MPI(MPI_File_set_atomicity(f, 0));
    CHECK_MPI(MPI_File_get_atomicity(f, &flag));
    CHECK_EQ(flag, 0);
    CHECK_MPI(MPI_File_set_view(f, 3, MPI_INT, MPI_INT, "external32", MPI_INFO_NULL));
    CHECK_MPI(MPI_File_get_byte_offset(f, 2, &at));
    CHECK_EQ(at, 11);
    MPI_Aint extent = 0;
    CHECK_MPI(MPI_File_get_type_extent(f, MPI_LONG_DOUBLE, &extent));
    CHECK_EQ(extent, 16);
    CHECK_CLASS(MPI_File_get_byte_offset(f, -1, &at), MPI_ERR_ARG);
    was = f;
    CHECK_MPI(MPI_File_close(&f));
    CHECK_MPI(MPI_Group_size(g[1], &size));
    CHECK_EQ(size, np);
    CHECK_MPI(MPI_Group_free(&g[1]));
    CHECK_CLASS(MPI_File_get_position(was, &at), MPI_ERR_FILE);
    CHECK_CLASS(MPI_File_get_group(was, &g[2]), MPI_ERR_FILE);
    CHECK_CLASS(MPI_File_get_errhandler(was, &h), MPI_ERR_FILE);
    CHECK_CLASS(MPI_File_get_position(MPI_FILE_NULL, &at), MPI_ERR_FILE);
}

static void rights(void)
{
    char c = 7;
    MPI_File f = io_open("rights", MPI_MODE_WRONLY | MPI_MODE_CREATE);
    CHECK_CLASS(MPI_File_read_at(f, 0, &c, 1, MPI_CHAR, MPI_STATUS_IGNORE), MPI_ERR_ACCESS);
    CHECK_MPI(MPI_File_write_at_all(f, me, &c, 1, MPI_CHAR, MPI_STATUS_IGNORE));
    CHECK_MPI(MPI_File_close(&f));
    f = io_open("rights", MPI_MODE_RDONLY);
    CHECK_CLASS(MPI_File_write_at(f, 0, &c, 1, MPI_CHAR, MPI_STATUS_IGNORE), MPI_ERR_READ_ONLY);
    CHECK_CLASS(MPI_File_write_all(f, &c, 1, MPI_CHAR, MPI_STATUS_IGNORE), MPI_ERR_READ_ONLY);
    CHECK_CLASS(MPI_File_set_size(f, 5), MPI_ERR_READ_ONLY);
    CHECK_MPI(MPI_File_close(&f));
    io_delete("rights");
}

static void append(void)
{
    MPI_File f = io_open("grows", MPI_MODE_WRONLY | MPI_MODE_CREATE);
    CHECK_MPI(MPI_File_set_size(f, 12));
    CHECK_MPI(MPI_File_close(&f));
    f = io_open("grows", MPI_MODE_RDWR | MPI_MODE_APPEND);
    MPI_Offset at = -1, shared = -1;
    CHECK_MPI(MPI_File_get_position(f, &at));
    CHECK_MPI(MPI_File_get_position_shared(f, &shared));
    CHECK_EQ(at, 12);
    CHECK_EQ(shared, 12);
    CHECK_MPI(MPI_File_write_ordered(f, &me, 1, MPI_INT, MPI_STATUS_IGNORE));
    MPI_Offset n = 0;
    CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
    CHECK_MPI(MPI_File_get_size(f, &n));
    CHECK_EQ(n, 12 + 4 * np);
    CHECK_MPI(MPI_File_close(&f));
    io_delete("grows");
}

static void sequential(void)
{
    char c = 'x';
    MPI_Offset at;
    MPI_File f = io_open("tape", MPI_MODE_WRONLY | MPI_MODE_CREATE | MPI_MODE_SEQUENTIAL);
    CHECK_CLASS(MPI_File_write_at(f, 0, &c, 1, MPI_CHAR, MPI_STATUS_IGNORE), MPI_ERR_UNSUPPORTED_OPERATION);
    CHECK_CLASS(MPI_File_write(f, &c, 1, MPI_CHAR, MPI_STATUS_IGNORE), MPI_ERR_UNSUPPORTED_OPERATION);
    CHECK_CLASS(MPI_File_write_all(f, &c, 1, MPI_CHAR, MPI_STATUS_IGNORE), MPI_ERR_UNSUPPORTED_OPERATION);
    CHECK_CLASS(MPI_File_seek(f, 0, MPI_SEEK_SET), MPI_ERR_UNSUPPORTED_OPERATION);
    CHECK_CLASS(MPI_File_seek_shared(f, 0, MPI_SEEK_SET), MPI_ERR_UNSUPPORTED_OPERATION);
    CHECK_CLASS(MPI_File_get_position(f, &at), MPI_ERR_UNSUPPORTED_OPERATION);
    CHECK_MPI(MPI_File_write_ordered(f, &c, 1, MPI_CHAR, MPI_STATUS_IGNORE));
    CHECK_MPI(MPI_File_set_view(f, MPI_DISPLACEMENT_CURRENT, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
    MPI_Offset disp;
    MPI_Datatype e, t;
    char rep[MPI_MAX_DATAREP_STRING];
    CHECK_MPI(MPI_File_get_view(f, &disp, &e, &t, rep));
    CHECK_EQ(disp, np);
    CHECK_CLASS(MPI_File_set_view(f, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL), MPI_ERR_DISP);
    CHECK_MPI(MPI_File_write_shared(f, &me, 1, MPI_INT, MPI_STATUS_IGNORE));
    CHECK_MPI(MPI_File_close(&f));
    struct stat st;
    CHECK_EQ(stat("tape", &st), 0);
    CHECK_EQ(st.st_size, 5 * np);
    io_delete("tape");
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    modes();
    exclusive();
    sizes();
    handles();
    rights();
    append();
    sequential();
    MPI_File none = MPI_FILE_NULL;
    MPI_Offset n;
    CHECK_CLASS(MPI_File_close(&none), MPI_ERR_FILE);
    CHECK_CLASS(MPI_File_get_size(none, &n), MPI_ERR_FILE);
    return check_finish();
}
