/* What MPI 4.1 changed, as far as no other program of this suite is about it; docs/changes.md lists all. Its
 * part before MPI_Init and after MPI_Finalize is what may be called at any time since then. */
#include "check.h"

/* 11.4.1, 19.3.4 */
static void at_any_time(void)
{
    MPI_Info info;
    MPI_Errhandler h;
    int class = -1, code = -1, n = 0, flag = -1;
    char text[MPI_MAX_ERROR_STRING];
    CHECK(MPI_Comm_f2c(MPI_Comm_c2f(MPI_COMM_WORLD)) == MPI_COMM_WORLD);
    CHECK(MPI_Type_f2c(MPI_Type_c2f(MPI_INT)) == MPI_INT);
    CHECK(MPI_Op_f2c(MPI_Op_c2f(MPI_SUM)) == MPI_SUM);
    CHECK(MPI_Group_f2c(MPI_Group_c2f(MPI_GROUP_EMPTY)) == MPI_GROUP_EMPTY);
    CHECK(MPI_Errhandler_f2c(MPI_Errhandler_c2f(MPI_ERRORS_RETURN)) == MPI_ERRORS_RETURN);
    CHECK(MPI_Win_f2c(MPI_Win_c2f(MPI_WIN_NULL)) == MPI_WIN_NULL);
    CHECK(MPI_File_f2c(MPI_File_c2f(MPI_FILE_NULL)) == MPI_FILE_NULL);
    CHECK(MPI_Request_f2c(MPI_Request_c2f(MPI_REQUEST_NULL)) == MPI_REQUEST_NULL);
    CHECK(MPI_Message_f2c(MPI_Message_c2f(MPI_MESSAGE_NO_PROC)) == MPI_MESSAGE_NO_PROC);
    CHECK(MPI_Session_f2c(MPI_Session_c2f(MPI_SESSION_NULL)) == MPI_SESSION_NULL);
    CHECK_EQ(MPI_Info_create(&info), MPI_SUCCESS);
    CHECK(MPI_Info_f2c(MPI_Info_c2f(info)) == info);
    CHECK_EQ(MPI_Info_set(info, "key", "value"), MPI_SUCCESS);
    CHECK_EQ(MPI_Info_free(&info), MPI_SUCCESS);
    CHECK_EQ(MPI_Session_create_errhandler((MPI_Session_errhandler_function *)0 + 1, &h), MPI_SUCCESS);
    CHECK_EQ(MPI_Errhandler_free(&h), MPI_SUCCESS);
    CHECK_EQ(MPI_Add_error_class(&class), MPI_SUCCESS);
    CHECK_EQ(MPI_Add_error_code(class, &code), MPI_SUCCESS);
    CHECK_EQ(MPI_Add_error_string(code, "no more paper"), MPI_SUCCESS);
    CHECK_EQ(MPI_Error_string(code, text, &n), MPI_SUCCESS);
    CHECK(strcmp(text, "no more paper") == 0);
    CHECK_EQ(MPI_Remove_error_string(code), MPI_SUCCESS);
    CHECK_EQ(MPI_Remove_error_code(code), MPI_SUCCESS);
    CHECK_EQ(MPI_Remove_error_class(class), MPI_SUCCESS);
    CHECK_EQ(MPI_Initialized(&flag), MPI_SUCCESS);
}

/* 3.2.5 */
static void status_fields(void)
{
    MPI_Status st;
    int v = -1, flag = -1;
    memset(&st, 0, sizeof st);
    CHECK_MPI(MPI_Status_set_source(&st, 7));
    CHECK_MPI(MPI_Status_set_tag(&st, 8));
    CHECK_MPI(MPI_Status_set_error(&st, MPI_ERR_TAG));
    CHECK_MPI(MPI_Status_set_elements(&st, MPI_INT, 9));
    CHECK_MPI(MPI_Status_set_cancelled(&st, 1));
    CHECK(st.MPI_SOURCE == 7 && st.MPI_TAG == 8 && st.MPI_ERROR == MPI_ERR_TAG);
    CHECK_MPI(MPI_Status_get_source(&st, &v));
    CHECK_EQ(v, 7);
    CHECK_MPI(MPI_Status_get_tag(&st, &v));
    CHECK_EQ(v, 8);
    CHECK_MPI(MPI_Status_get_error(&st, &v));
    CHECK_EQ(v, MPI_ERR_TAG);
    CHECK_MPI(MPI_Test_cancelled(&st, &flag));
    CHECK(flag == 1);
    CHECK_COUNT(st, MPI_INT, 9);
}

/* 5.1.11, 6.9.4: pairs of value and index, named where they have a name, for MPI_MINLOC and MPI_MAXLOC. */
static void value_index(void)
{
    MPI_Datatype t;
    char name[MPI_MAX_OBJECT_NAME];
    int n, in[2] = {10 - me, me}, out[2] = {-1, -1};
    static const struct {
        MPI_Datatype value, pair;
    } named[] = {{MPI_INT, MPI_2INT},          {MPI_FLOAT, MPI_FLOAT_INT},
                 {MPI_DOUBLE, MPI_DOUBLE_INT}, {MPI_LONG, MPI_LONG_INT},
                 {MPI_SHORT, MPI_SHORT_INT},   {MPI_LONG_DOUBLE, MPI_LONG_DOUBLE_INT}};
    for (size_t i = 0; i < sizeof named / sizeof named[0]; i++) {
        CHECK_MPI(MPI_Type_get_value_index(named[i].value, MPI_INT, &t));
        CHECK(t == named[i].pair);
    }
    CHECK_MPI(MPI_Type_get_value_index(MPI_INT, MPI_INT, &t));
    CHECK_MPI(MPI_Type_get_name(t, name, &n));
    CHECK(strcmp(name, "MPI_2INT") == 0);
    CHECK_MPI(MPI_Allreduce(in, out, 1, t, MPI_MINLOC, MPI_COMM_WORLD));
    CHECK(out[0] == 10 - (np - 1) && out[1] == np - 1);
    struct {
        int64_t value, index;
    } have = {5 * me, me}, most = {-1, -1};
    CHECK_MPI(MPI_Type_get_value_index(MPI_INT64_T, MPI_INT64_T, &t));
    if (t != MPI_DATATYPE_NULL) {
        CHECK_MPI(MPI_Allreduce(&have, &most, 1, t, MPI_MAXLOC, MPI_COMM_WORLD));
        CHECK(most.value == 5 * (np - 1) && most.index == np - 1);
    }
    t = MPI_INT;
    CHECK_MPI(MPI_Type_get_value_index(MPI_CHAR, MPI_PACKED, &t));
    CHECK(t == MPI_DATATYPE_NULL);
}

/* 12.2.2 to 12.2.5: MPI_Win_shared_query of windows that were not made to be shared. */
static void shared_query(void)
{
    MPI_Win win;
    int *base, own[4] = {1, 2, 3, 4}, unit = -1;
    MPI_Aint size = -1;
    void *at = &unit;
    CHECK_MPI(MPI_Win_allocate(64, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win));
    CHECK_MPI(MPI_Win_shared_query(win, me, &size, &unit, &at));
    CHECK(at == base && size == 64 && unit == 4);
    CHECK_MPI(MPI_Win_free(&win));
    CHECK_MPI(MPI_Win_create(own, sizeof own, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    size = -1;
    CHECK_MPI(MPI_Win_shared_query(win, me, &size, &unit, &at));
    CHECK((at == own && size == sizeof own) || (at == NULL && size == 0));
    CHECK_MPI(MPI_Win_free(&win));
}

/* 3.6: buffers of communicators, with the library's own where the program says so. */
static void buffers(void)
{
    MPI_Comm c;
    MPI_Request r[2];
    char room[4 * MPI_BSEND_OVERHEAD + 4096];
    void *back = NULL;
    int size = -1, out[3] = {1, 2, 3}, in[3] = {0};
    const int right = (me + 1) % np, left = (me + np - 1) % np;
    CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &c));
    for (int kind = 0; kind < 2; kind++) {
        void *given = kind ? MPI_BUFFER_AUTOMATIC : room;
        CHECK_MPI(MPI_Comm_attach_buffer(c, given, kind ? 0 : (int)sizeof room));
        for (int i = 0; i < 3; i++)
            CHECK_MPI(MPI_Bsend(&out[i], 1, MPI_INT, right, i, c));
        CHECK_MPI(MPI_Comm_iflush_buffer(c, &r[0]));
        for (int i = 2; i >= 0; i--)
            CHECK_MPI(MPI_Recv(&in[i], 1, MPI_INT, left, i, c, MPI_STATUS_IGNORE));
        CHECK(in[0] == 1 && in[1] == 2 && in[2] == 3);
        CHECK_MPI(MPI_Wait(&r[0], MPI_STATUS_IGNORE));
        CHECK_MPI(MPI_Comm_flush_buffer(c));
        CHECK_MPI(MPI_Comm_detach_buffer(c, &back, &size));
        CHECK(back == given && size == (kind ? 0 : (int)sizeof room));
    }
    CHECK_MPI(MPI_Buffer_attach(MPI_BUFFER_AUTOMATIC, 0));
    CHECK_MPI(MPI_Ibsend(out, 3, MPI_INT, right, 9, MPI_COMM_WORLD, &r[0]));
    CHECK_MPI(MPI_Buffer_iflush(&r[1]));
    CHECK_MPI(MPI_Recv(in, 3, MPI_INT, left, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    CHECK_MPI(MPI_Waitall(2, r, MPI_STATUSES_IGNORE));
    CHECK_MPI(MPI_Buffer_flush());
    CHECK_MPI(MPI_Buffer_detach(&back, &size));
    CHECK(back == MPI_BUFFER_AUTOMATIC);
    CHECK_MPI(MPI_Comm_free(&c));
}

/* 3.7.6: several requests at once, none of which is completed. */
static void inquiries(void)
{
    int in[3], index = -1, flag = 0, n = -1, indices[3];
    MPI_Request r[3];
    MPI_Status st, all[3];
    for (int i = 0; i < 3; i++)
        CHECK_MPI(MPI_Irecv(&in[i], 1, MPI_INT, me, i, MPI_COMM_WORLD, &r[i]));
    CHECK_MPI(MPI_Request_get_status_all(3, r, &flag, all));
    CHECK(!flag);
    CHECK_MPI(MPI_Send(&me, 1, MPI_INT, me, 1, MPI_COMM_WORLD));
    while (!flag)
        CHECK_MPI(MPI_Request_get_status_any(3, r, &index, &flag, &st));
    CHECK_EQ(index, 1);
    CHECK_STATUS(st, me, 1);
    CHECK_MPI(MPI_Request_get_status_some(3, r, &n, indices, all));
    CHECK(n == 1 && indices[0] == 1);
    CHECK_STATUS(all[0], me, 1);
    CHECK_MPI(MPI_Send(&me, 1, MPI_INT, me, 0, MPI_COMM_WORLD));
    CHECK_MPI(MPI_Send(&me, 1, MPI_INT, me, 2, MPI_COMM_WORLD));
    for (flag = 0; !flag;)
        CHECK_MPI(MPI_Request_get_status_all(3, r, &flag, all));
    for (int i = 0; i < 3; i++) {
        CHECK_STATUS(all[i], me, i);
        CHECK(r[i] != MPI_REQUEST_NULL);
    }
    CHECK_MPI(MPI_Waitall(3, r, MPI_STATUSES_IGNORE));
}

int main(int argc, char **argv)
{
    at_any_time();
    check_init(&argc, &argv);
    at_any_time();
    status_fields();
    value_index();
    shared_query();
    buffers();
    inquiries();
    CHECK_EQ(MPI_T_ERR_NOT_ACCESSIBLE > MPI_SUCCESS && MPI_T_ERR_NOT_ACCESSIBLE <= MPI_ERR_LASTCODE, 1);
    CHECK(MPI_ERR_ERRHANDLER > MPI_SUCCESS && MPI_ERR_ERRHANDLER <= MPI_ERR_LASTCODE);
    int rc = check_finish();
    at_any_time();
    return rc;
}
