/* What newer programs and suites, mpi4py's among them, ask of calls beside what they are for. */
#include "check.h"

static void null_names(void)
{
    char name[MPI_MAX_OBJECT_NAME];
    int n = -1;
    CHECK_MPI(MPI_Comm_get_name(MPI_COMM_NULL, name, &n));
    CHECK(strcmp(name, "MPI_COMM_NULL") == 0 && n == 13);
    CHECK_MPI(MPI_Type_get_name(MPI_DATATYPE_NULL, name, &n));
    CHECK(strcmp(name, "MPI_DATATYPE_NULL") == 0 && n == 17);
    CHECK_MPI(MPI_Win_get_name(MPI_WIN_NULL, name, &n));
    CHECK(strcmp(name, "MPI_WIN_NULL") == 0 && n == 12);
    CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    CHECK_CLASS(MPI_Comm_set_name(MPI_COMM_NULL, "x"), MPI_ERR_COMM);
    CHECK_CLASS(MPI_Type_set_name(MPI_DATATYPE_NULL, "x"), MPI_ERR_TYPE);
    CHECK_CLASS(MPI_Win_set_name(MPI_WIN_NULL, "x"), MPI_ERR_WIN);
    CHECK_CLASS(MPI_Comm_get_name((MPI_Comm)0, name, &n), MPI_ERR_COMM);
}

/* Handle 0 with key 0, which caches of attributes begin with. */
static void null_attributes(void)
{
    void *value = &value;
    int flag = 7;
    CHECK_CLASS(MPI_Comm_get_attr((MPI_Comm)0, 0, &value, &flag), MPI_ERR_COMM);
    CHECK_CLASS(MPI_Type_get_attr((MPI_Datatype)0, 0, &value, &flag), MPI_ERR_TYPE);
    CHECK_CLASS(MPI_Win_get_attr((MPI_Win)0, 0, &value, &flag), MPI_ERR_WIN);
    CHECK_CLASS(MPI_Comm_get_attr(MPI_COMM_SELF, MPI_KEYVAL_INVALID, &value, &flag), MPI_ERR_KEYVAL);
    CHECK(flag == 7 && value == &value);
}

static void elements(void)
{
    MPI_Datatype four, record;
    MPI_Status st;
    MPI_Count wide;
    int n;
    CHECK_MPI(MPI_Type_contiguous(4, MPI_INT, &four));
    const int lengths[3] = {1, 2, 1};
    const MPI_Aint displs[3] = {0, 8, 40};
    const MPI_Datatype of[3] = {MPI_CHAR, MPI_DOUBLE, four};
    CHECK_MPI(MPI_Type_create_struct(3, lengths, displs, of, &record)); /* 7 elements in 33 bytes */
    CHECK_MPI(MPI_Type_commit(&record));
    CHECK_MPI(MPI_Type_commit(&four));
    CHECK_MPI(MPI_Status_set_elements(&st, four, 4));
    CHECK_MPI(MPI_Get_elements(&st, four, &n));
    CHECK_EQ(n, 4);
    CHECK_MPI(MPI_Get_count(&st, four, &n));
    CHECK_EQ(n, 1);
    static const struct {
        MPI_Count elements, bytes;
        int count;
    } cases[] = {{0, 0, 0},  {1, 1, -1},  {2, 9, -1},   {3, 17, -1}, {4, 21, -1},
                 {7, 33, 1}, {8, 34, -1}, {13, 62, -1}, {14, 66, 2}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        CHECK_MPI(MPI_Status_set_elements(&st, record, (int)cases[i].elements));
        CHECK_MPI(MPI_Get_elements(&st, record, &n));
        CHECK_EQ(n, cases[i].elements);
        CHECK_MPI(MPI_Get_count(&st, MPI_BYTE, &n));
        CHECK_EQ(n, cases[i].bytes);
        CHECK_MPI(MPI_Get_count(&st, record, &n));
        CHECK_EQ(n, cases[i].count < 0 ? MPI_UNDEFINED : cases[i].count);
        CHECK_MPI(MPI_Status_set_elements_c(&st, record, cases[i].elements));
        CHECK_MPI(MPI_Get_elements_c(&st, record, &wide));
        CHECK_EQ(wide, cases[i].elements);
        CHECK_MPI(MPI_Status_set_elements_x(&st, record, cases[i].elements));
        CHECK_MPI(MPI_Get_elements_x(&st, record, &wide));
        CHECK_EQ(wide, cases[i].elements);
    }
    CHECK_MPI(MPI_Status_set_elements(&st, MPI_SHORT_INT, 3));
    CHECK_MPI(MPI_Get_elements(&st, MPI_SHORT_INT, &n));
    CHECK_EQ(n, 3);
    CHECK_MPI(MPI_Status_set_elements_c(&st, four, 4000000000LL));
    CHECK_MPI(MPI_Get_count_c(&st, four, &wide));
    CHECK_EQ(wide, 1000000000LL);
    CHECK_CLASS(MPI_Status_set_elements_c(&st, MPI_INT, INT64_MAX), MPI_ERR_COUNT);
    CHECK_MPI(MPI_Type_free(&record));
    CHECK_MPI(MPI_Type_free(&four));
}

static MPI_Status marked(void)
{
    MPI_Status st;
    memset(&st, 0x5c, sizeof st);
    return st;
}

#define CHECK_LEFT(st)                                 \
    do {                                               \
        const MPI_Status same = marked();              \
        CHECK(memcmp(&(st), &same, sizeof same) == 0); \
    } while (0)

static void empty(const MPI_Status *st)
{
    int cancelled = 1;
    CHECK_STATUS(*st, MPI_ANY_SOURCE, MPI_ANY_TAG);
    CHECK_COUNT(*st, MPI_INT, 0);
    CHECK_EQ(st->MPI_ERROR, MPI_SUCCESS);
    CHECK_MPI(MPI_Test_cancelled(st, &cancelled));
    CHECK(!cancelled);
}

/* Calls that find nothing leave the status alone, whichever way they go: on c, whose requests the library may
 * treat in any way. */
static void statuses(MPI_Comm c)
{
    int in[4], flag = 1, index = 0, count = 7, indices[4];
    MPI_Status st = marked(), many[4];
    MPI_Request r[4] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    MPI_Message m = MPI_MESSAGE_NULL;
    memset(many, 0x5c, sizeof many);
    CHECK_MPI(MPI_Iprobe(MPI_ANY_SOURCE, 9, c, &flag, &st));
    CHECK(!flag);
    CHECK_LEFT(st);
    CHECK_MPI(MPI_Improbe(MPI_ANY_SOURCE, 9, c, &flag, &m, &st));
    CHECK(!flag);
    CHECK_LEFT(st);
    CHECK_MPI(MPI_Irecv(&in[0], 1, MPI_INT, MPI_ANY_SOURCE, 9, c, &r[0]));
    CHECK_MPI(MPI_Recv_init(&in[1], 1, MPI_INT, MPI_ANY_SOURCE, 9, c, &r[1]));
    CHECK_MPI(MPI_Start(&r[1]));
    CHECK_MPI(MPI_Test(&r[0], &flag, &st));
    CHECK(!flag);
    CHECK_LEFT(st);
    CHECK_MPI(MPI_Testany(2, r, &index, &flag, &st));
    CHECK(!flag && index == MPI_UNDEFINED);
    CHECK_LEFT(st);
    CHECK_MPI(MPI_Testany(1, r, &index, &flag, &st));
    CHECK(!flag);
    CHECK_LEFT(st);
    CHECK_MPI(MPI_Testall(4, r, &flag, many));
    CHECK(!flag);
    CHECK_MPI(MPI_Testall(1, r, &flag, many));
    CHECK(!flag);
    CHECK_MPI(MPI_Testsome(2, r, &count, indices, many));
    CHECK_EQ(count, 0);
    CHECK_MPI(MPI_Testsome(1, r, &count, indices, many));
    CHECK_EQ(count, 0);
    CHECK_MPI(MPI_Request_get_status(r[0], &flag, &st));
    CHECK(!flag);
    CHECK_LEFT(st);
    CHECK_MPI(MPI_Request_get_status_any(3, r, &index, &flag, &st));
    CHECK(!flag && index == MPI_UNDEFINED);
    CHECK_LEFT(st);
    CHECK_MPI(MPI_Request_get_status_all(2, r, &flag, many));
    CHECK(!flag);
    CHECK_MPI(MPI_Request_get_status_some(2, r, &count, indices, many));
    CHECK_EQ(count, 0);
    for (int i = 0; i < 4; i++)
        CHECK_LEFT(many[i]);
    for (int i = 0; i < 2; i++) {
        CHECK_MPI(MPI_Cancel(&r[i]));
        CHECK_MPI(MPI_Wait(&r[i], MPI_STATUS_IGNORE));
    }
    /* inactive and null requests */
    st = marked();
    CHECK_MPI(MPI_Request_get_status_any(2, r, &index, &flag, &st));
    CHECK(flag && index == MPI_UNDEFINED);
    empty(&st);
    CHECK_MPI(MPI_Request_free(&r[1]));
    st = marked();
    CHECK_MPI(MPI_Request_get_status_any(4, r, &index, &flag, &st));
    CHECK(flag && index == MPI_UNDEFINED);
    empty(&st);
    st = marked();
    CHECK_MPI(MPI_Request_get_status_any(0, NULL, &index, &flag, &st));
    CHECK(flag && index == MPI_UNDEFINED);
    empty(&st);
    st = marked();
    CHECK_MPI(MPI_Request_get_status(MPI_REQUEST_NULL, &flag, &st));
    CHECK(flag);
    empty(&st);
    st = marked();
    CHECK_MPI(MPI_Testany(4, r, &index, &flag, &st));
    CHECK(flag && index == MPI_UNDEFINED);
    empty(&st);
    CHECK_MPI(MPI_Request_get_status_some(4, r, &count, indices, many));
    CHECK_EQ(count, MPI_UNDEFINED);
}

static int copies, deleted;

static int copy(MPI_Comm c, int key, void *extra, void *in, void *out, int *flag)
{
    (void)c, (void)key, (void)extra;
    copies++;
    *(void **)out = in;
    *flag = 1;
    return MPI_SUCCESS;
}

static int forget(MPI_Comm c, int key, void *value, void *extra)
{
    (void)c, (void)key, (void)value, (void)extra;
    deleted++;
    return MPI_SUCCESS;
}

static int heard;

static void hear(MPI_Comm *c, int *code, ...)
{
    (void)c, (void)code;
    heard++;
}

/* The duplicate may be dressed before it is there. */
static void idup(int with_info)
{
    MPI_Comm c = MPI_COMM_NULL, free_too;
    MPI_Request r;
    MPI_Errhandler own, has;
    MPI_Info info, got;
    MPI_Group group;
    char name[MPI_MAX_OBJECT_NAME];
    int key, kept, n = -1, flag = 0, size = -1, rank = -1, x = 3;
    void *value;
    copies = deleted = heard = 0;
    CHECK_MPI(MPI_Comm_create_errhandler(hear, &own));
    CHECK_MPI(MPI_Comm_create_keyval(copy, forget, &kept, NULL));
    CHECK_MPI(MPI_Comm_create_keyval(copy, forget, &key, NULL));
    CHECK_MPI(MPI_Comm_set_attr(MPI_COMM_WORLD, kept, &kept));
    CHECK_MPI(MPI_Info_create(&info));
    CHECK_MPI(MPI_Info_set(info, "mpi_assert_no_any_tag", "true"));
    if (with_info)
        CHECK_MPI(MPI_Comm_idup_with_info(MPI_COMM_WORLD, info, &c, &r));
    else
        CHECK_MPI(MPI_Comm_idup(MPI_COMM_WORLD, &c, &r));
    CHECK(c != MPI_COMM_NULL);
    CHECK_MPI(MPI_Comm_set_errhandler(c, own));
    CHECK_MPI(MPI_Comm_get_errhandler(c, &has));
    CHECK(has == own);
    CHECK_MPI(MPI_Errhandler_free(&has));
    CHECK_MPI(MPI_Comm_set_name(c, "copy"));
    CHECK_MPI(MPI_Comm_get_name(c, name, &n));
    CHECK(strcmp(name, "copy") == 0);
    CHECK_MPI(MPI_Comm_set_attr(c, key, &x));
    CHECK_MPI(MPI_Comm_get_attr(c, key, &value, &flag));
    CHECK(flag && value == &x);
    CHECK_MPI(MPI_Comm_get_attr(c, kept, &value, &flag));
    CHECK(flag && value == &kept && copies == 1);
    CHECK_MPI(MPI_Comm_get_attr(c, MPI_TAG_UB, &value, &flag));
    CHECK(flag);
    if (!with_info)
        CHECK_MPI(MPI_Comm_set_info(c, info));
    CHECK_MPI(MPI_Comm_get_info(c, &got));
    CHECK_MPI(MPI_Info_get(got, "mpi_assert_no_any_tag", 9, name, &flag));
    CHECK(flag && strcmp(name, "true") == 0);
    CHECK_MPI(MPI_Info_free(&got));
    CHECK_MPI(MPI_Comm_size(c, &size));
    CHECK_MPI(MPI_Comm_rank(c, &rank));
    CHECK(size == np && rank == me);
    CHECK_MPI(MPI_Comm_test_inter(c, &flag));
    CHECK(!flag);
    CHECK_MPI(MPI_Comm_group(c, &group));
    CHECK_MPI(MPI_Group_free(&group));
    CHECK_MPI(MPI_Comm_call_errhandler(c, MPI_ERR_OTHER));
    CHECK_EQ(heard, 1);
    CHECK_MPI(MPI_Wait(&r, MPI_STATUS_IGNORE));

    int sum = 0;
    CHECK_MPI(MPI_Allreduce(&x, &sum, 1, MPI_INT, MPI_SUM, c));
    CHECK_EQ(sum, 3 * np);
    CHECK_MPI(MPI_Comm_get_name(c, name, &n));
    CHECK(strcmp(name, "copy") == 0);
    CHECK_MPI(MPI_Comm_get_attr(c, key, &value, &flag));
    CHECK(flag && value == &x);
    (void)MPI_Send(&x, 1, MPI_INT, np, 0, c);
    CHECK_EQ(heard, 2);
    CHECK_MPI(MPI_Comm_free(&c));
    CHECK_EQ(deleted, 2);

    /* Many at once, dressed and freed in another order. */
    MPI_Comm many[6];
    MPI_Request rs[6];
    for (int i = 0; i < 6; i++) {
        CHECK_MPI(MPI_Comm_idup(MPI_COMM_SELF, &many[i], &rs[i]));
        CHECK_MPI(MPI_Comm_set_errhandler(many[i], MPI_ERRORS_RETURN));
    }
    CHECK_MPI(MPI_Waitall(6, rs, MPI_STATUSES_IGNORE));
    for (int i = 5; i >= 0; i--) {
        CHECK_CLASS(MPI_Send(&x, 1, MPI_INT, 1, 0, many[i]), MPI_ERR_RANK);
        free_too = many[i];
        CHECK_MPI(MPI_Comm_free(&free_too));
    }
    CHECK_MPI(MPI_Comm_delete_attr(MPI_COMM_WORLD, kept));
    CHECK_MPI(MPI_Comm_free_keyval(&kept));
    CHECK_MPI(MPI_Comm_free_keyval(&key));
    CHECK_MPI(MPI_Errhandler_free(&own));
    CHECK_MPI(MPI_Info_free(&info));
}

/* What communicates with it is refused as long as it is not there. */
static void idup_too_early(void)
{
    MPI_Comm c;
    MPI_Request r;
    int x = 0, early = 0;
    if (me == 0) { /* the others come later */
        CHECK_MPI(MPI_Comm_idup(MPI_COMM_WORLD, &c, &r));
        if (np > 1) {
            early = MPI_Send(&x, 1, MPI_INT, 0, 0, c);
            CHECK_CLASS(early, MPI_ERR_COMM);
            MPI_Comm copy_of_it = c;
            CHECK_CLASS(MPI_Comm_free(&copy_of_it), MPI_ERR_COMM);
            CHECK(copy_of_it == c);
        }
    }
    CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
    if (me != 0)
        CHECK_MPI(MPI_Comm_idup(MPI_COMM_WORLD, &c, &r));
    CHECK_MPI(MPI_Wait(&r, MPI_STATUS_IGNORE));
    CHECK_MPI(MPI_Barrier(c));
    CHECK_MPI(MPI_Comm_free(&c));
}

static void accumulates(void)
{
    MPI_Win win;
    double *base, x = 1, old = -1;
    static const struct {
        MPI_Op op;
    } ops[] = {{MPI_BAND}, {MPI_LXOR}, {MPI_MAXLOC}, {MPI_REPLACE}, {MPI_NO_OP}, {MPI_SUM}};
    CHECK_MPI(
        MPI_Win_allocate(8 * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win));
    CHECK_MPI(MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN));
    CHECK_MPI(MPI_Win_fence(0, win));
    for (size_t i = 0; i < sizeof ops / sizeof ops[0]; i++) {
        CHECK_MPI(
            MPI_Get_accumulate(&x, 0, MPI_DOUBLE, &old, 0, MPI_DOUBLE, 0, 0, 0, MPI_DOUBLE, ops[i].op, win));
        CHECK_MPI(MPI_Get_accumulate(NULL, 0, MPI_DOUBLE, NULL, 0, MPI_FLOAT, np - 1, 0, 0, MPI_INT,
                                     ops[i].op, win));
        CHECK_MPI(MPI_Accumulate(&x, 0, MPI_DOUBLE, 0, 0, 0, MPI_DOUBLE, ops[i].op, win));
        CHECK_MPI(MPI_Get_accumulate(&x, 0, MPI_DOUBLE, &old, 0, MPI_DOUBLE, MPI_PROC_NULL, 0, 0, MPI_DOUBLE,
                                     ops[i].op, win));
    }
    CHECK_CLASS(
        MPI_Get_accumulate(&x, 1, MPI_DOUBLE, &old, 1, MPI_DOUBLE, 0, 0, 1, MPI_DOUBLE, MPI_BAND, win),
        MPI_ERR_OP);
    CHECK_CLASS(
        MPI_Get_accumulate(&x, 0, MPI_DOUBLE, &old, 0, MPI_DOUBLE, np, 0, 0, MPI_DOUBLE, MPI_BAND, win),
        MPI_ERR_RANK);
    CHECK_MPI(MPI_Win_fence(0, win));
    CHECK(old == -1 && x == 1);
    CHECK_MPI(MPI_Win_free(&win));
}

static void expect(const char *start)
{
    char text[MPI_MAX_ERROR_STRING];
    int n;
    CHECK_MPI(MPI_Error_string(MPI_ERR_TYPE, text, &n));
    CHECK_MSG(strncmp(text, start, strlen(start)) == 0, "%s", text);
}

/* Texts name the function that was called. */
static void texts(void)
{
    int n;
    MPI_Count wide;
    MPI_Datatype t = MPI_DATATYPE_NULL;
    const MPI_Count displ = 0;
    CHECK_CLASS(MPI_Type_size(MPI_DATATYPE_NULL, &n), MPI_ERR_TYPE);
    expect("MPI_Type_size: ");
    CHECK_CLASS(MPI_Type_size_c(MPI_DATATYPE_NULL, &wide), MPI_ERR_TYPE);
    expect("MPI_Type_size_c: ");
    CHECK_CLASS(MPI_Type_size_x(MPI_DATATYPE_NULL, &wide), MPI_ERR_TYPE);
    expect("MPI_Type_size_x: ");
    CHECK_CLASS(MPI_Type_create_hindexed_block_c(1, 1, &displ, t, &t), MPI_ERR_TYPE);
    expect("MPI_Type_create_hindexed_block_c: ");
    CHECK_CLASS(MPI_Send_c(&n, 1, t, 0, 0, MPI_COMM_SELF), MPI_ERR_TYPE);
    expect("MPI_Send_c: ");
    CHECK_CLASS(MPI_Send(&n, 1, t, 0, 0, MPI_COMM_SELF), MPI_ERR_TYPE);
    expect("MPI_Send: ");
    CHECK_CLASS(MPI_Allreduce_c(&n, &wide, 1, t, MPI_SUM, MPI_COMM_SELF), MPI_ERR_TYPE);
    expect("MPI_Allreduce_c: ");
}

int main(int argc, char **argv)
{
    MPI_Comm dup;
    check_init(&argc, &argv);
    null_names();
    null_attributes();
    elements();
    CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &dup));
    statuses(MPI_COMM_WORLD);
    statuses(dup);
    statuses(MPI_COMM_SELF);
    CHECK_MPI(MPI_Comm_free(&dup));
    idup(0);
    idup(1);
    CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    idup_too_early();
    accumulates();
    texts();
    return check_finish();
}
