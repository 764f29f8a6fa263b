/*
 * MPI_Comm_idup and MPI_Comm_idup_with_info (MPI 5.0, 7.4.2): completed by every kind of call, many at once,
 * mixed with blocking calls, on intercommunicators; attributes are copied and the error handler taken over
 * when the call is made.
 */
#include "check.h"

static void talk(MPI_Comm c)
{
    int rank, size, from = -1, sum = 0, one = 1;

    CHECK_MPI(MPI_Comm_rank(c, &rank));
    CHECK_MPI(MPI_Comm_size(c, &size));
    CHECK_MPI(MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 3, &from, 1, MPI_INT,
                           (rank + size - 1) % size, 3, c, MPI_STATUS_IGNORE));
    CHECK_EQ(from, (rank + size - 1) % size);
    CHECK_MPI(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, c));
    CHECK_EQ(sum, size);
}

static void each_way(void)
{
    MPI_Comm d;
    MPI_Request r;
    MPI_Status st;
    int done = 0, index, result;

    CHECK_MPI(MPI_Comm_idup(MPI_COMM_WORLD, &d, &r));
    CHECK_MPI(MPI_Wait(&r, &st));
    CHECK(r == MPI_REQUEST_NULL);
    CHECK_MPI(MPI_Comm_compare(d, MPI_COMM_WORLD, &result));
    CHECK_EQ(result, MPI_CONGRUENT);
    talk(d);
    CHECK_MPI(MPI_Comm_free(&d));

    CHECK_MPI(MPI_Comm_idup(MPI_COMM_WORLD, &d, &r));
    while (!done)
        CHECK_MPI(MPI_Test(&r, &done, MPI_STATUS_IGNORE));
    talk(d);
    CHECK_MPI(MPI_Comm_free(&d));

    CHECK_MPI(MPI_Comm_idup(MPI_COMM_SELF, &d, &r));
    CHECK_MPI(MPI_Waitany(1, &r, &index, MPI_STATUS_IGNORE));
    CHECK_EQ(index, 0);
    talk(d);
    CHECK_MPI(MPI_Comm_free(&d));
}

enum { many = 40 };

static void many_at_once(void)
{
    MPI_Comm d[many], b[4], split;
    MPI_Request r[many];

    CHECK_MPI(MPI_Comm_split(MPI_COMM_WORLD, me % 2, 0, &split));
    for (int i = 0; i < many; i++) {
        CHECK_MPI(MPI_Comm_idup(i % 3 ? MPI_COMM_WORLD : split, &d[i], &r[i]));
        if (i % 10 == 5)
            CHECK_MPI(MPI_Comm_dup(i % 4 ? MPI_COMM_WORLD : split, &b[i / 10]));
    }
    CHECK_MPI(MPI_Waitall(many, r, MPI_STATUSES_IGNORE));
    for (int i = 0; i < many; i++)
        talk(d[i]);
    for (int i = 0; i < 4; i++) {
        talk(b[i]);
        CHECK_MPI(MPI_Comm_free(&b[i]));
    }
    for (int i = many - 1; i >= 0; i--)
        CHECK_MPI(MPI_Comm_free(&d[i]));
    CHECK_MPI(MPI_Comm_free(&split));
}

/* The original is freed, and its error handler changed, while the duplicate is under way. */
static void original_goes(void)
{
    MPI_Comm c, d;
    MPI_Request r;
    MPI_Errhandler h;

    CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &c));
    CHECK_MPI(MPI_Comm_set_errhandler(c, MPI_ERRORS_RETURN));
    CHECK_MPI(MPI_Comm_idup(c, &d, &r));
    CHECK_MPI(MPI_Comm_set_errhandler(c, MPI_ERRORS_ARE_FATAL));
    CHECK_MPI(MPI_Comm_free(&c));
    CHECK_MPI(MPI_Wait(&r, MPI_STATUS_IGNORE));
    CHECK_MPI(MPI_Comm_get_errhandler(d, &h));
    CHECK(h == MPI_ERRORS_RETURN);
    talk(d);
    CHECK_MPI(MPI_Comm_disconnect(&d));
    CHECK(d == MPI_COMM_NULL);
}

static int copies;

static int copy(MPI_Comm c, int key, void *extra, void *in, void *out, int *flag)
{
    (void)c, (void)key, (void)extra;
    copies++;
    *(void **)out = (char *)in + 1;
    *flag = 1;
    return MPI_SUCCESS;
}

static int refuse(MPI_Comm c, int key, void *extra, void *in, void *out, int *flag)
{
    (void)c, (void)key, (void)extra, (void)in, (void)out, (void)flag;
    return me == 0 ? MPI_ERR_INTERN : MPI_SUCCESS;
}

static void attributes(void)
{
    static char base[4];
    int key, bad, flag = 0;
    void *value = NULL;
    MPI_Comm c, d = MPI_COMM_NULL;
    MPI_Request r = MPI_REQUEST_NULL;

    CHECK_MPI(MPI_Comm_create_keyval(copy, MPI_COMM_NULL_DELETE_FN, &key, NULL));
    CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &c));
    CHECK_MPI(MPI_Comm_set_attr(c, key, base));
    CHECK_MPI(MPI_Comm_idup(c, &d, &r));
    CHECK_EQ(copies, 1); /* at the call, not later */
    CHECK_MPI(MPI_Comm_delete_attr(c, key));
    CHECK_MPI(MPI_Wait(&r, MPI_STATUS_IGNORE));
    CHECK_MPI(MPI_Comm_get_attr(d, key, &value, &flag));
    CHECK(flag && value == base + 1);
    CHECK_MPI(MPI_Comm_free(&d));

    /* A copy function that fails on one rank: the others get their duplicate all the same. */
    CHECK_MPI(MPI_Comm_create_keyval(refuse, MPI_COMM_NULL_DELETE_FN, &bad, NULL));
    CHECK_MPI(MPI_Comm_set_errhandler(c, MPI_ERRORS_RETURN));
    CHECK_MPI(MPI_Comm_set_attr(c, bad, base));
    int rc = MPI_Comm_idup(c, &d, &r);
    CHECK_CLASS(rc, me == 0 ? MPI_ERR_INTERN : MPI_SUCCESS);
    if (rc == MPI_SUCCESS) {
        CHECK_MPI(MPI_Wait(&r, MPI_STATUS_IGNORE));
        CHECK_MPI(MPI_Comm_free(&d));
    }
    CHECK_MPI(MPI_Comm_free(&c));
    CHECK_MPI(MPI_Comm_free_keyval(&bad));
    CHECK_MPI(MPI_Comm_free_keyval(&key));
}

static void with_info(void)
{
    MPI_Info info, used;
    MPI_Comm d;
    MPI_Request r;
    char value[16] = "";
    int flag = 0, bytes = sizeof value;

    CHECK_MPI(MPI_Info_create(&info));
    CHECK_MPI(MPI_Info_set(info, "mpi_assert_no_any_tag", "true"));
    CHECK_MPI(MPI_Comm_idup_with_info(MPI_COMM_WORLD, info, &d, &r));
    CHECK_MPI(MPI_Info_free(&info));
    CHECK_MPI(MPI_Wait(&r, MPI_STATUS_IGNORE));
    CHECK_MPI(MPI_Comm_get_info(d, &used));
    CHECK_MPI(MPI_Info_get_string(used, "mpi_assert_no_any_tag", &bytes, value, &flag));
    CHECK(flag && strcmp(value, "true") == 0);
    CHECK_MPI(MPI_Info_free(&used));
    talk(d);
    CHECK_MPI(MPI_Comm_free(&d));
}

static void between_groups(void)
{
    MPI_Comm half, inter, d[3];
    MPI_Request r[3];
    int size, remote, rank;

    if (np < 2)
        return;
    CHECK_MPI(MPI_Comm_split(MPI_COMM_WORLD, me % 2, 0, &half));
    CHECK_MPI(MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - me % 2, 9, &inter));
    for (int i = 0; i < 3; i++)
        CHECK_MPI(MPI_Comm_idup(inter, &d[i], &r[i]));
    CHECK_MPI(MPI_Waitall(3, r, MPI_STATUSES_IGNORE));
    for (int i = 0; i < 3; i++) {
        int got = -1;
        CHECK_MPI(MPI_Comm_remote_size(d[i], &remote));
        CHECK_MPI(MPI_Comm_size(d[i], &size));
        CHECK_MPI(MPI_Comm_rank(d[i], &rank));
        CHECK_EQ(size + remote, np);
        if (rank < remote)
            CHECK_MPI(
                MPI_Sendrecv(&me, 1, MPI_INT, rank, i, &got, 1, MPI_INT, rank, i, d[i], MPI_STATUS_IGNORE));
        if (rank < remote)
            CHECK_EQ(got, me ^ 1);
        CHECK_MPI(MPI_Comm_disconnect(&d[i]));
    }
    CHECK_MPI(MPI_Comm_disconnect(&inter));
    CHECK_MPI(MPI_Comm_free(&half));
}

/* Disconnecting waits for what was begun, freed requests included. */
static void disconnect(void)
{
    enum { bytes = 400000 };
    MPI_Comm c, world = MPI_COMM_WORLD;
    MPI_Request r;
    char *out = check_alloc(bytes), *in = check_alloc(bytes);

    CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &c));
    check_fill(out, bytes, (uint64_t)me);
    CHECK_MPI(MPI_Irecv(in, bytes, MPI_BYTE, (me + np - 1) % np, 0, c, &r));
    CHECK_MPI(MPI_Request_free(&r));
    CHECK_MPI(MPI_Isend(out, bytes, MPI_BYTE, (me + 1) % np, 0, c, &r));
    CHECK_MPI(MPI_Request_free(&r));
    CHECK_MPI(MPI_Comm_disconnect(&c));
    CHECK_DATA(in, bytes, (uint64_t)((me + np - 1) % np));
    check_free(out);
    check_free(in);
    CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    CHECK_CLASS(MPI_Comm_disconnect(&world), MPI_ERR_COMM);
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    each_way();
    many_at_once();
    original_goes();
    attributes();
    with_info();
    between_groups();
    disconnect();
    return check_finish();
}
