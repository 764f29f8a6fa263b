/* Names, error handlers and attributes that threads change while others read them: what is read is what one
 * of them has set (MPI 5.0, 11.6). */
#include "threads.h"
#include <string.h>

enum { ROUNDS = 20000 };

static MPI_Comm shared;
static MPI_Datatype type;
static int key;
static char values[2];

static void write_some(int thread)
{
    char name[MPI_MAX_OBJECT_NAME];
    int length = thread ? MPI_MAX_OBJECT_NAME - 1 : 40;

    memset(name, 'a' + thread, (size_t)length);
    name[length] = 0;
    for (int i = 0; i < ROUNDS; i++) {
        CHECK_MPI(MPI_Comm_set_name(shared, name));
        CHECK_MPI(MPI_Type_set_name(type, name));
        CHECK_MPI(MPI_Comm_set_attr(shared, key, &values[thread]));
        CHECK_MPI(MPI_Comm_set_errhandler(shared, thread ? MPI_ERRORS_RETURN : MPI_ERRORS_ABORT));
    }
}

static void check_name(const char *name, int length)
{
    CHECK_EQ((int)strlen(name), length);
    CHECK_EQ(length, name[0] == 'a' ? 40 : MPI_MAX_OBJECT_NAME - 1);
    for (int i = 0; i < length; i++)
        CHECK(name[i] == name[0]);
}

static void run(int thread)
{
    char name[MPI_MAX_OBJECT_NAME];
    MPI_Errhandler handler;
    int length, flag;
    char *value;

    if (thread < 2) {
        write_some(thread);
        return;
    }
    for (int i = 0; i < ROUNDS; i++) {
        CHECK_MPI(MPI_Comm_get_name(shared, name, &length));
        check_name(name, length);
        CHECK_MPI(MPI_Type_get_name(type, name, &length));
        check_name(name, length);
        CHECK_MPI(MPI_Comm_get_attr(shared, key, &value, &flag));
        CHECK(flag && (value == &values[0] || value == &values[1]));
        CHECK_MPI(MPI_Comm_get_errhandler(shared, &handler));
        CHECK(handler == MPI_ERRORS_RETURN || handler == MPI_ERRORS_ABORT);
    }
}

int main(int argc, char **argv)
{
    threads_init(&argc, &argv);
    CHECK_MPI(MPI_Comm_dup(MPI_COMM_SELF, &shared));
    CHECK_MPI(MPI_Type_contiguous(3, MPI_INT, &type));
    CHECK_MPI(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key, NULL));
    CHECK_MPI(MPI_Comm_set_name(shared, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"));
    CHECK_MPI(MPI_Type_set_name(type, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"));
    CHECK_MPI(MPI_Comm_set_attr(shared, key, &values[0]));
    CHECK_MPI(MPI_Comm_set_errhandler(shared, MPI_ERRORS_RETURN));
    threads_run(4, run);
    CHECK_MPI(MPI_Comm_free_keyval(&key));
    CHECK_MPI(MPI_Type_free(&type));
    CHECK_MPI(MPI_Comm_free(&shared));
    return check_finish();
}
