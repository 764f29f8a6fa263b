/*
 * Making communicators in every way: messages and collectives on each of them, who is in it with which rank,
 * that the contexts do not mix, names, hints, error handlers taken over, and what is refused.
 */
#include "check.h"

/* Sends around the ring and adds up, on a communicator whose ranks are those of MPI_COMM_WORLD that are
 * given. */
static void use(MPI_Comm comm, const int *world, int n)
{
    int rank, size, flag, in = -1, sum = -1, want = 0;
    CHECK_MPI(MPI_Comm_rank(comm, &rank));
    CHECK_MPI(MPI_Comm_size(comm, &size));
    CHECK_MPI(MPI_Comm_test_inter(comm, &flag));
    CHECK_EQ(flag, 0);
    CHECK_EQ(size, n);
    if (size != n)
        return;
    CHECK_EQ(world[rank], me);
    MPI_Status st;
    CHECK_MPI(
        MPI_Sendrecv(&me, 1, MPI_INT, (rank + 1) % n, 5, &in, 1, MPI_INT, MPI_ANY_SOURCE, 5, comm, &st));
    CHECK_EQ(in, world[(rank + n - 1) % n]);
    CHECK_EQ(st.MPI_SOURCE, (rank + n - 1) % n);
    for (int i = 0; i < n; i++)
        want += world[i];
    CHECK_MPI(MPI_Allreduce(&me, &sum, 1, MPI_INT, MPI_SUM, comm));
    CHECK_EQ(sum, want);
}

static void dup(const int *all)
{
    MPI_Comm a, b;
    int result;
    CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &a));
    CHECK_MPI(MPI_Comm_dup(a, &b));
    use(a, all, np);
    use(b, all, np);
    /* The same tag and rank on three communicators. */
    MPI_Request r[3];
    int out[3] = {1, 2, 3}, got[3] = {0, 0, 0};
    MPI_Comm on[3] = {MPI_COMM_WORLD, a, b};
    for (int i = 0; i < 3; i++)
        CHECK_MPI(MPI_Isend(&out[i], 1, MPI_INT, (me + 1) % np, 1, on[i], &r[i]));
    for (int i = 2; i >= 0; i--)
        CHECK_MPI(MPI_Recv(&got[i], 1, MPI_INT, MPI_ANY_SOURCE, 1, on[i], MPI_STATUS_IGNORE));
    CHECK_MPI(MPI_Waitall(3, r, MPI_STATUSES_IGNORE));
    for (int i = 0; i < 3; i++)
        CHECK_EQ(got[i], out[i]);
    CHECK_MPI(MPI_Comm_compare(a, b, &result));
    CHECK_EQ(result, MPI_CONGRUENT);
    CHECK_MPI(MPI_Comm_compare(a, a, &result));
    CHECK_EQ(result, MPI_IDENT);
    CHECK_MPI(MPI_Comm_compare(a, MPI_COMM_SELF, &result));
    CHECK_EQ(result, np == 1 ? MPI_CONGRUENT : MPI_UNEQUAL);
    CHECK_MPI(MPI_Comm_free(&a));
    CHECK(a == MPI_COMM_NULL);
    use(b, all, np);
    CHECK_MPI(MPI_Comm_free(&b));
}

static void split(void)
{
    for (int colors = 1; colors <= 3; colors++) {
        MPI_Comm c = MPI_COMM_NULL;
        int list[16], n = 0, result;
        for (int r = np - 1; r >= 0; r--)
            if (r % colors == me % colors)
                list[n++] = r;
        CHECK_MPI(MPI_Comm_split(MPI_COMM_WORLD, me % colors, -me, &c));
        use(c, list, n);
        CHECK_MPI(MPI_Comm_compare(MPI_COMM_WORLD, c, &result));
        CHECK_EQ(result, n < np ? MPI_UNEQUAL : n > 1 ? MPI_SIMILAR : MPI_CONGRUENT);
        CHECK_MPI(MPI_Comm_free(&c));
    }
    MPI_Comm c = MPI_COMM_WORLD;
    CHECK_MPI(MPI_Comm_split(MPI_COMM_WORLD, me == 0 ? 4 : MPI_UNDEFINED, 0, &c));
    CHECK_EQ(c != MPI_COMM_NULL, me == 0);
    if (me == 0) {
        use(c, (int[]){0}, 1);
        CHECK_MPI(MPI_Comm_free(&c));
    }
    CHECK_CLASS(MPI_Comm_split(MPI_COMM_SELF, -5, 0, &c), MPI_ERR_ARG);
}

static void split_type(const int *all)
{
    MPI_Comm c = MPI_COMM_NULL;
    CHECK_MPI(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &c));
    use(c, all, np); /* the test runs on one machine */
    CHECK_MPI(MPI_Comm_free(&c));
    c = MPI_COMM_WORLD;
    CHECK_MPI(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_UNDEFINED, 0, MPI_INFO_NULL, &c));
    CHECK(c == MPI_COMM_NULL);
    CHECK_CLASS(MPI_Comm_split_type(MPI_COMM_SELF, 4711, 0, MPI_INFO_NULL, &c), MPI_ERR_ARG);
}

static void create(void)
{
    MPI_Group world, g;
    MPI_Comm c = MPI_COMM_WORLD;
    int list[2] = {np - 1, 0}, n = np > 1 ? 2 : 1, in = me == 0 || me == np - 1;
    CHECK_MPI(MPI_Comm_group(MPI_COMM_WORLD, &world));
    CHECK_MPI(MPI_Group_incl(world, n, list, &g));
    CHECK_MPI(MPI_Comm_create(MPI_COMM_WORLD, g, &c));
    CHECK_EQ(c != MPI_COMM_NULL, in);
    if (in) {
        use(c, list, n);
        CHECK_MPI(MPI_Comm_free(&c));
        for (int tag = 0; tag < 20; tag++) { /* the others take no part */
            CHECK_MPI(MPI_Comm_create_group(MPI_COMM_WORLD, g, tag, &c));
            use(c, list, n);
            CHECK_MPI(MPI_Comm_free(&c));
        }
        CHECK_MPI(MPI_Comm_create_from_group(g, "gompi://test", MPI_INFO_NULL, MPI_ERRORS_RETURN, &c));
        use(c, list, n);
        CHECK_CLASS(MPI_Comm_create(c, MPI_GROUP_NULL, &c), MPI_ERR_GROUP);
        CHECK_MPI(MPI_Comm_free(&c));
    }
    CHECK_MPI(MPI_Comm_create(MPI_COMM_WORLD, MPI_GROUP_EMPTY, &c));
    CHECK(c == MPI_COMM_NULL);
    if (np > 1)
        CHECK_CLASS(MPI_Comm_create(MPI_COMM_SELF, world, &c), MPI_ERR_GROUP);
    CHECK_MPI(MPI_Group_free(&g));
    CHECK_MPI(MPI_Group_free(&world));
}

static void handler(MPI_Comm *comm, int *code, ...)
{
    (void)comm;
    (void)code;
}

static void what_a_communicator_keeps(void)
{
    MPI_Comm a, b;
    MPI_Info info, used;
    MPI_Errhandler h, got;
    char name[MPI_MAX_OBJECT_NAME], value[8];
    int n, flag;
    CHECK_MPI(MPI_Info_create(&info));
    CHECK_MPI(MPI_Info_set(info, "mpi_assert_no_any_tag", "true"));
    CHECK_MPI(MPI_Info_set(info, "not_known_to_anybody", "1"));
    CHECK_MPI(MPI_Comm_dup_with_info(MPI_COMM_WORLD, info, &a));
    CHECK_MPI(MPI_Comm_get_info(a, &used));
    n = sizeof value;
    CHECK_MPI(MPI_Info_get_string(used, "mpi_assert_no_any_tag", &n, value, &flag));
    CHECK(flag && strcmp(value, "true") == 0);
    CHECK_MPI(MPI_Info_get_string(used, "not_known_to_anybody", &n, value, &flag));
    CHECK_EQ(flag, 0);
    CHECK_MPI(MPI_Info_free(&used));
    CHECK_MPI(MPI_Comm_get_name(a, name, &n));
    CHECK_EQ(n, 0);
    CHECK_MPI(MPI_Comm_set_name(a, "mine"));
    CHECK_MPI(MPI_Comm_create_errhandler(handler, &h));
    CHECK_MPI(MPI_Comm_set_errhandler(a, h));
    CHECK_MPI(MPI_Comm_dup(a, &b));
    CHECK_MPI(MPI_Comm_get_name(b, name, &n));
    CHECK_EQ(n, 0);
    CHECK_MPI(MPI_Comm_get_errhandler(b, &got));
    CHECK(got == h);
    CHECK_MPI(MPI_Errhandler_free(&got));
    CHECK_MPI(MPI_Comm_get_info(b, &used)); /* hints are not copied */
    n = sizeof value;
    CHECK_MPI(MPI_Info_get_string(used, "mpi_assert_no_any_tag", &n, value, &flag));
    CHECK(!flag || strcmp(value, "false") == 0);
    CHECK_MPI(MPI_Info_free(&used));
    CHECK_MPI(MPI_Comm_set_info(b, info));
    CHECK_MPI(MPI_Comm_get_name(a, name, &n));
    CHECK(strcmp(name, "mine") == 0);
    CHECK_MPI(MPI_Errhandler_free(&h));
    CHECK_MPI(MPI_Info_free(&info));
    CHECK_MPI(MPI_Comm_free(&a));
    CHECK_MPI(MPI_Comm_free(&b));
}

static void refused(void)
{
    MPI_Comm c = MPI_COMM_WORLD, gone;
    int n;
    MPI_Group g;
    CHECK_CLASS(MPI_Comm_free(&c), MPI_ERR_COMM);
    c = MPI_COMM_SELF;
    CHECK_CLASS(MPI_Comm_free(&c), MPI_ERR_COMM);
    c = MPI_COMM_NULL;
    CHECK_CLASS(MPI_Comm_free(&c), MPI_ERR_COMM);
    CHECK_MPI(MPI_Comm_dup(MPI_COMM_SELF, &c));
    gone = c;
    CHECK_MPI(MPI_Comm_free(&c));
    CHECK_CLASS(MPI_Comm_size(gone, &n), MPI_ERR_COMM);
    CHECK_CLASS(MPI_Comm_free(&gone), MPI_ERR_COMM);
    CHECK_CLASS(MPI_Comm_remote_size(MPI_COMM_WORLD, &n), MPI_ERR_COMM);
    CHECK_CLASS(MPI_Comm_remote_group(MPI_COMM_WORLD, &g), MPI_ERR_COMM);
    CHECK_CLASS(MPI_Intercomm_merge(MPI_COMM_WORLD, 0, &c), MPI_ERR_COMM);
}

int main(int argc, char **argv)
{
    int all[16];
    check_init(&argc, &argv);
    for (int i = 0; i < np; i++)
        all[i] = i;
    CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    dup(all);
    split();
    split_type(all);
    create();
    what_a_communicator_keeps();
    refused();
    return check_finish();
}
