/*
 * Failures come to the error handler of the object that is used: of the communicator, the window, the file,
 * or the communicator with spawned processes, each with its handle, and to no other.
 */
#include "recovery.h"

enum { COMM, WIN, FILE_, SPAWNED, KINDS };

static int called[KINDS], class[KINDS];
static MPI_Comm comm_seen;
static MPI_Win win_seen;
static MPI_File file_seen;

static void note(int kind, int code)
{
    called[kind]++;
    class[kind] = error_class(code);
}

static void on_comm(MPI_Comm *c, int *code, ...)
{
    comm_seen = *c;
    note(COMM, *code);
}

static void on_spawned(MPI_Comm *c, int *code, ...)
{
    comm_seen = *c;
    note(SPAWNED, *code);
}

static void on_win(MPI_Win *w, int *code, ...)
{
    win_seen = *w;
    note(WIN, *code);
}

static void on_file(MPI_File *f, int *code, ...)
{
    file_seen = *f;
    note(FILE_, *code);
}

/* The last failure was told to one handler alone. */
static void heard(int kind, int also)
{
    CHECK_MSG(called[kind] > 0, "handler %d was not called", kind);
    CHECK_MSG(class[kind] == MPIX_ERR_PROC_FAILED || class[kind] == also, "handler %d has class %d", kind,
              class[kind]);
    for (int i = 0; i < KINDS; i++)
        CHECK_MSG(i == kind || called[i] == 0, "handler %d was called as well", i);
    memset(called, 0, sizeof called);
}

int main(int argc, char **argv)
{
    MPI_Errhandler comm, spawned, win, file;
    MPI_Comm c, parent, inter;
    MPI_Win w;
    MPI_File f;
    int *base, x = 0, code;

    recovery_begin(&argc, &argv);
    MPI_Comm_get_parent(&parent);
    if (parent != MPI_COMM_NULL) {
        MPI_Comm_remote_size(parent, &code);
        while (code-- > 0)
            MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 1, parent, MPI_STATUS_IGNORE);
        recovery_die(0);
    }
    MPI_Comm_create_errhandler(on_comm, &comm);
    MPI_Comm_create_errhandler(on_spawned, &spawned);
    MPI_Win_create_errhandler(on_win, &win);
    MPI_File_create_errhandler(on_file, &file);
    CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &c));
    CHECK_MPI(MPI_Win_allocate(4, 4, MPI_INFO_NULL, c, &base, &w));
    CHECK_MPI(MPI_File_open(c, "handlers.tmp", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                            MPI_INFO_NULL, &f));
    CHECK_MPI(MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, c, &inter, &code));
    MPI_Comm_set_errhandler(c, comm);
    MPI_Comm_set_errhandler(inter, spawned);
    MPI_Win_set_errhandler(w, win);
    MPI_File_set_errhandler(f, file);
    CHECK_MPI(MPI_Send(&x, 1, MPI_INT, 0, 1, inter));
    MPI_Recv(&x, 1, MPI_INT, 0, 2, inter, MPI_STATUS_IGNORE);
    heard(SPAWNED, MPI_ERR_PROC_ABORTED);
    CHECK_MSG(comm_seen == inter, "the handler gets another communicator");
    recovery_await_others(c, np - 1, np - 1);
    if (me == np - 1)
        recovery_die(0);
    await_failures(c, 1);
    MPI_Barrier(c);
    heard(COMM, MPIX_ERR_PROC_FAILED);
    CHECK_MSG(comm_seen == c, "the handler gets another communicator");
    MPI_Win_fence(0, w);
    heard(WIN, MPIX_ERR_PROC_FAILED);
    CHECK_MSG(win_seen == w, "the handler gets another window");
    MPI_File_set_size(f, 0);
    heard(FILE_, MPIX_ERR_PROC_FAILED);
    CHECK_MSG(file_seen == f, "the handler gets another file");
    MPI_File_close(&f);
    CHECK_MPI(MPI_Win_free(&w));
    MPI_Comm_disconnect(&inter);
    CHECK_MPI(MPI_Comm_free(&c));
    MPI_Errhandler_free(&comm);
    MPI_Errhandler_free(&spawned);
    MPI_Errhandler_free(&win);
    MPI_Errhandler_free(&file);
    return recovery_end(1);
}
