/* What MPI 4.0 changed, as far as no other program of this suite is about it; docs/changes.md lists all. With
 * "abort" the program ends by MPI_ERRORS_ABORT.
 *
 *   mpi40 [abort]
 */
#include "check.h"

#include <sys/mman.h>

/* Results that do not fit into an int (2.5.8, 3.6). */
static void narrow_results(void)
{
    const MPI_Count large = (MPI_Count)3 << 30;
    void *room =
        mmap(NULL, (size_t)large, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    void *back = NULL;
    int size = 0;
    MPI_Count wide = 0;
    if (room == MAP_FAILED)
        return;
    CHECK_MPI(MPI_Buffer_attach_c(room, large));
    CHECK_MPI(MPI_Buffer_detach(&back, &size));
    CHECK(back == room);
    CHECK_EQ(size, MPI_UNDEFINED);
    CHECK_MPI(MPI_Buffer_attach_c(room, large));
    CHECK_MPI(MPI_Buffer_detach_c(&back, &wide));
    CHECK(back == room && wide == large);
    CHECK_EQ(munmap(room, (size_t)large), 0);

    MPI_Datatype huge;
    CHECK_MPI(MPI_Type_contiguous_c(large, MPI_INT, &huge));
    CHECK_MPI(MPI_Type_size(huge, &size));
    CHECK_EQ(size, MPI_UNDEFINED);
    CHECK_MPI(MPI_Type_size_c(huge, &wide));
    CHECK_EQ(wide, 4 * large);
    CHECK_MPI(MPI_Type_free(&huge));
}

/* Errors of no object are those of MPI_COMM_SELF (9.3). */
static int heard_self, heard_world;
static void hear(MPI_Comm *c, int *code, ...)
{
    (void)code;
    *(*c == MPI_COMM_SELF ? &heard_self : &heard_world) += 1;
}

static void of_no_object(void)
{
    MPI_Errhandler h, old_self, old_world;
    int n;
    CHECK_MPI(MPI_Comm_get_errhandler(MPI_COMM_SELF, &old_self));
    CHECK_MPI(MPI_Comm_get_errhandler(MPI_COMM_WORLD, &old_world));
    CHECK_MPI(MPI_Comm_create_errhandler(hear, &h));
    CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_SELF, h));
    CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_WORLD, h));
    CHECK_CLASS(MPI_Type_size(MPI_DATATYPE_NULL, &n), MPI_ERR_TYPE);
    CHECK_CLASS(MPI_Group_size(MPI_GROUP_NULL, &n), MPI_ERR_GROUP);
    CHECK_CLASS(MPI_Info_get_nkeys(MPI_INFO_NULL, &n), MPI_ERR_INFO);
    CHECK(heard_self == 3 && heard_world == 0);
    CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_SELF, old_self));
    CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_WORLD, old_world));
    CHECK_MPI(MPI_Errhandler_free(&h));
    CHECK_MPI(MPI_Errhandler_free(&old_self));
    CHECK_MPI(MPI_Errhandler_free(&old_world));
}

/* Every persistent collective once (6.13), twice started. */
static void persistent(void)
{
    enum { MOST = 16 };
    int a[MOST], b[MOST], ones[MOST], displs[MOST], bytes[MOST];
    MPI_Datatype ints[MOST];
    MPI_Request r[20];
    int n = 0;
    for (int i = 0; i < MOST; i++)
        ones[i] = 1, displs[i] = i, bytes[i] = 4 * i, ints[i] = MPI_INT, a[i] = me + i;
    CHECK_MPI(MPI_Allgather_init(a, 1, MPI_INT, b, 1, MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL, &r[n++]));
    CHECK_MPI(
        MPI_Allgatherv_init(a, 1, MPI_INT, b, ones, displs, MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL, &r[n++]));
    CHECK_MPI(MPI_Gather_init(a, 1, MPI_INT, b, 1, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &r[n++]));
    CHECK_MPI(
        MPI_Gatherv_init(a, 1, MPI_INT, b, ones, displs, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &r[n++]));
    const int gathers = n;
    CHECK_MPI(MPI_Alltoall_init(a, 1, MPI_INT, b, 1, MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL, &r[n++]));
    CHECK_MPI(MPI_Alltoallv_init(a, ones, displs, MPI_INT, b, ones, displs, MPI_INT, MPI_COMM_WORLD,
                                 MPI_INFO_NULL, &r[n++]));
    CHECK_MPI(MPI_Alltoallw_init(a, ones, bytes, ints, b, ones, bytes, ints, MPI_COMM_WORLD, MPI_INFO_NULL,
                                 &r[n++]));
    const int alltoalls = n;
    CHECK_MPI(MPI_Allreduce_init(a, b, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &r[n++]));
    CHECK_MPI(MPI_Reduce_scatter_init(a, b, ones, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &r[n++]));
    CHECK_MPI(
        MPI_Reduce_scatter_block_init(a, b, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &r[n++]));
    CHECK_MPI(MPI_Reduce_init(a, b, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &r[n++]));
    CHECK_MPI(MPI_Scan_init(a, b, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &r[n++]));
    CHECK_MPI(MPI_Exscan_init(a, b, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &r[n++]));
    CHECK_MPI(MPI_Scatter_init(a, 1, MPI_INT, b, 1, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &r[n++]));
    CHECK_MPI(MPI_Scatterv_init(a, ones, displs, MPI_INT, b, 1, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL,
                                &r[n++]));
    CHECK_MPI(MPI_Bcast_init(a, 1, MPI_INT, np - 1, MPI_COMM_WORLD, MPI_INFO_NULL, &r[n++]));
    CHECK_MPI(MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &r[n++]));
    for (int turn = 0; turn < 2; turn++) {
        int ranks = np * (np - 1) / 2 + turn * np; /* the sum of a[0] */
        for (int i = 0; i < n; i++) {
            for (int k = 0; k < MOST; k++)
                a[k] = me + k + turn, b[k] = -1;
            CHECK_MPI(MPI_Start(&r[i]));
            CHECK_MPI(MPI_Wait(&r[i], MPI_STATUS_IGNORE));
            if (i < gathers)
                for (int k = 0; k < np && (i < 2 || me == 0); k++)
                    CHECK_EQ(b[k], k + turn);
            else if (i < alltoalls)
                for (int k = 0; k < np; k++)
                    CHECK_EQ(b[k], k + me + turn);
            else if (i == alltoalls || (i == alltoalls + 3 && me == 0))
                CHECK_EQ(b[0], ranks);
            else if (i == alltoalls + 1 || i == alltoalls + 2)
                CHECK_EQ(b[0], ranks + np * me);
            else if (i == alltoalls + 4)
                CHECK_EQ(b[0], (me + 1) * me / 2 + turn * (me + 1));
            else if (i == alltoalls + 5 && me > 0)
                CHECK_EQ(b[0], (me - 1) * me / 2 + turn * me);
            else if (i == alltoalls + 6 || i == alltoalls + 7)
                CHECK_EQ(b[0], me + turn);
            else if (i == alltoalls + 8)
                CHECK_EQ(a[0], np - 1 + turn);
        }
    }
    for (int i = 0; i < n; i++)
        CHECK_MPI(MPI_Request_free(&r[i]));
}

/* Hints are not copied by MPI_Comm_dup and MPI_Comm_idup (7.4.2). */
static int asserts(MPI_Comm c)
{
    MPI_Info info;
    char v[8] = "";
    int n = sizeof v, flag = 0;
    CHECK_MPI(MPI_Comm_get_info(c, &info));
    CHECK_MPI(MPI_Info_get_string(info, "mpi_assert_exact_length", &n, v, &flag));
    CHECK_MPI(MPI_Info_free(&info));
    return flag && strcmp(v, "true") == 0;
}

static void hints(void)
{
    MPI_Info info;
    MPI_Comm with, without, later;
    MPI_Request r;
    CHECK_MPI(MPI_Info_create(&info));
    CHECK_MPI(MPI_Info_set(info, "mpi_assert_exact_length", "true"));
    CHECK_MPI(MPI_Comm_dup_with_info(MPI_COMM_WORLD, info, &with));
    CHECK_MPI(MPI_Comm_dup(with, &without));
    CHECK_MPI(MPI_Comm_idup(with, &later, &r));
    CHECK_MPI(MPI_Wait(&r, MPI_STATUS_IGNORE));
    CHECK(asserts(with) && !asserts(without) && !asserts(later));
    CHECK_MPI(MPI_Comm_free(&with));
    CHECK_MPI(MPI_Comm_free(&without));
    CHECK_MPI(MPI_Comm_free(&later));
    CHECK_MPI(MPI_Info_free(&info));
}

/* Sessions beside the World Model: communicators of theirs have MPI_TAG_UB alone of the predefined attributes
 * (9.1.2), and none is made of an empty group (7.4.2). */
static void sessions(void)
{
    MPI_Session s;
    MPI_Group world, none;
    MPI_Comm c, nothing = MPI_COMM_WORLD, copy;
    static const int keys[] = {MPI_HOST,   MPI_IO,           MPI_WTIME_IS_GLOBAL,
                               MPI_APPNUM, MPI_LASTUSEDCODE, MPI_UNIVERSE_SIZE};
    void *value;
    int flag = 0;
    CHECK_MPI(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &s));
    CHECK(MPI_Session_f2c(MPI_Session_c2f(s)) == s && MPI_Session_fromint(MPI_Session_toint(s)) == s);
    CHECK_MPI(MPI_Group_from_session_pset(s, "mpi://WORLD", &world));
    CHECK_MPI(MPI_Comm_create_from_group(world, "changes", MPI_INFO_NULL, MPI_ERRORS_RETURN, &c));
    CHECK_MPI(MPI_Comm_dup(c, &copy));
    for (int i = 0; i < 2; i++) {
        CHECK_MPI(MPI_Comm_get_attr(i ? copy : c, MPI_TAG_UB, &value, &flag));
        CHECK(flag && *(int *)value >= 32767);
        for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++) {
            CHECK_MPI(MPI_Comm_get_attr(i ? copy : c, keys[k], &value, &flag));
            CHECK_MSG(!flag, "attribute %d", keys[k]);
        }
    }
    CHECK_MPI(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_WTIME_IS_GLOBAL, &value, &flag));
    CHECK(flag);
    if (me == 0) { /* alone */
        CHECK_MPI(MPI_Comm_create_from_group(MPI_GROUP_EMPTY, "nobody", MPI_INFO_NULL, MPI_ERRORS_RETURN,
                                             &nothing));
        CHECK(nothing == MPI_COMM_NULL);
        CHECK_MPI(MPI_Group_difference(world, world, &none));
        nothing = MPI_COMM_WORLD;
        CHECK_MPI(MPI_Comm_create_from_group(none, "nobody", MPI_INFO_NULL, MPI_ERRORS_RETURN, &nothing));
        CHECK(nothing == MPI_COMM_NULL);
        nothing = MPI_COMM_WORLD;
        CHECK_MPI(MPI_Intercomm_create_from_groups(MPI_GROUP_EMPTY, 0, world, 0, "nobody", MPI_INFO_NULL,
                                                   MPI_ERRORS_RETURN, &nothing));
        CHECK(nothing == MPI_COMM_NULL);
    }
    CHECK_MPI(MPI_Comm_free(&copy));
    CHECK_MPI(MPI_Comm_free(&c));
    CHECK_MPI(MPI_Group_free(&world));
    CHECK_MPI(MPI_Session_finalize(&s));
}

int main(int argc, char **argv)
{
    int dims[1] = {9};
    check_init(&argc, &argv);
    if (argc > 1 && strcmp(argv[1], "abort") == 0) {
        CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ABORT));
        CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
        if (me == np - 1)
            MPI_Send(dims, 1, MPI_INT, 1, 0, MPI_COMM_SELF);
        MPI_Barrier(MPI_COMM_WORLD);
        return check_finish();
    }
    narrow_results();
    of_no_object();
    persistent();
    hints();
    sessions();
    CHECK_MPI(MPI_Dims_create(1, 0, dims)); /* 8.5.2 */
    return check_finish();
}
