/*
 * A window, the communicator and info object that it was made with, the datatype of an access, its error
 * handler, an attribute key of it, and the group that it gives, are given up in every order. What goes on in
 * the meantime ends well, every time. With the argument "file", the same with a file in the place of the
 * window.
 */
#include "check.h"

#include <unistd.h>

enum { OBJECT, COMM, INFO, TYPE, HANDLER, KEY, THINGS };

static int deleted, handled;
static const char *folder;

static int delete_win(MPI_Win win, int key, void *value, void *extra)
{
    (void)win, (void)key, (void)value, (void)extra;
    deleted++;
    return MPI_SUCCESS;
}

static void win_handler(MPI_Win *win, int *code, ...)
{
    (void)win, (void)code;
    handled++;
}

static void file_handler(MPI_File *file, int *code, ...)
{
    (void)file, (void)code;
    handled++;
}

/* What both kinds of object are made with. */
static MPI_Comm comm;
static MPI_Info info;
static MPI_Datatype type;
static MPI_Errhandler handler;

static void make_common(void)
{
    CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    CHECK_MPI(MPI_Info_create(&info));
    CHECK_MPI(MPI_Info_set(info, "same_size", "true"));
    CHECK_MPI(MPI_Type_vector(4, 1, 2, MPI_INT, &type));
    CHECK_MPI(MPI_Type_commit(&type));
    deleted = handled = 0;
}

static void free_common(int thing)
{
    switch (thing) {
    case COMM: CHECK_MPI(MPI_Comm_free(&comm)); break;
    case INFO: CHECK_MPI(MPI_Info_free(&info)); break;
    case TYPE: CHECK_MPI(MPI_Type_free(&type)); break;
    case HANDLER: CHECK_MPI(MPI_Errhandler_free(&handler)); break;
    default: break;
    }
}

static void run_window(const int *order)
{
    MPI_Win win;
    MPI_Request r;
    int key, memory[8], out[8], to = (me + 1) % np, from = (me + np - 1) % np;

    make_common();
    for (int i = 0; i < 8; i++)
        memory[i] = -1, out[i] = 100 * me + i;
    CHECK_MPI(MPI_Win_create(memory, sizeof memory, sizeof(int), info, comm, &win));
    CHECK_MPI(MPI_Win_create_errhandler(win_handler, &handler));
    CHECK_MPI(MPI_Win_set_errhandler(win, handler));
    CHECK_MPI(MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, delete_win, &key, NULL));
    CHECK_MPI(MPI_Win_set_attr(win, key, &key));
    CHECK_MPI(MPI_Win_lock_all(0, win));
    CHECK_MPI(MPI_Rput(out, 1, type, to, 0, 1, type, win, &r));
    for (int i = 0; i < THINGS; i++) {
        free_common(order[i]);
        if (order[i] == KEY)
            CHECK_MPI(MPI_Win_free_keyval(&key));
        if (order[i] != OBJECT)
            continue;
        MPI_Group g;
        int n = 0;
        CHECK(MPI_Put(out, -1, MPI_INT, to, 0, 1, MPI_INT, win) !=
              MPI_SUCCESS); /* its handler is still there */
        CHECK_MPI(MPI_Win_get_group(win, &g));
        CHECK_MPI(MPI_Wait(&r, MPI_STATUS_IGNORE));
        CHECK_MPI(MPI_Win_unlock_all(win));
        CHECK_MPI(MPI_Win_free(&win));
        CHECK_MPI(MPI_Group_size(g, &n));
        CHECK_EQ(n, np);
        CHECK_MPI(MPI_Group_free(&g));
        for (int k = 0; k < 8; k++)
            CHECK_EQ(memory[k], k % 2 || k > 6 ? -1 : 100 * from + k);
    }
    CHECK_EQ(deleted, 1);
    CHECK_EQ(handled, 1);
}

static void run_file(const int *order)
{
    MPI_File file;
    MPI_Request r;
    char name[4096];
    int out[8], in[8];

    make_common();
    for (int i = 0; i < 8; i++)
        in[i] = -1, out[i] = 100 * me + i;
    snprintf(name, sizeof name, "%s/gompi-lifetime-%d", folder, (int)getppid());
    CHECK_MPI(
        MPI_File_open(comm, name, MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE, info, &file));
    CHECK_MPI(MPI_File_create_errhandler(file_handler, &handler));
    CHECK_MPI(MPI_File_set_errhandler(file, handler));
    CHECK_MPI(MPI_File_set_view(file, (MPI_Offset)(me * 32), MPI_INT, type, "native", MPI_INFO_NULL));
    CHECK_MPI(MPI_File_iwrite_at(file, 0, out, 1, type, &r));
    for (int i = 0; i < THINGS; i++) {
        free_common(order[i]);
        if (order[i] != OBJECT)
            continue;
        CHECK(MPI_File_seek(file, -5, MPI_SEEK_SET) != MPI_SUCCESS);
        CHECK_MPI(MPI_Wait(&r, MPI_STATUS_IGNORE));
        CHECK_MPI(MPI_File_read_at(file, 0, in, 4, MPI_INT, MPI_STATUS_IGNORE));
        for (int k = 0; k < 8; k++)
            CHECK_EQ(in[k], k < 4 ? 100 * me + 2 * k : -1);
        CHECK_MPI(MPI_File_close(&file));
        CHECK(file == MPI_FILE_NULL);
    }
    CHECK_EQ(handled, 1);
}

static void permute(void (*run)(const int *), int *order, int at)
{
    if (at == THINGS) {
        run(order);
        return;
    }
    for (int i = at; i < THINGS; i++) {
        int t = order[at];
        order[at] = order[i];
        order[i] = t;
        permute(run, order, at + 1);
        order[i] = order[at];
        order[at] = t;
    }
}

int main(int argc, char **argv)
{
    int order[THINGS];
    check_init(&argc, &argv);
    folder = argc > 2 ? argv[2] : ".";
    for (int i = 0; i < THINGS; i++)
        order[i] = i;
    permute(argc > 1 && strcmp(argv[1], "file") == 0 ? run_file : run_window, order, 0);
    return check_finish();
}
