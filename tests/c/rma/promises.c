/* Hints and assertions that the program does not keep: they cost time, and neither the run nor its data. With
 * an argument the run is one of GOMPI_CHECK=promises, which names that promise and no other.
 *
 *   promises [kind]
 */
#include "check.h"

static MPI_Win win;
static int *base;
static int x = 7;

static void begin(const char *hint)
{
    MPI_Info info = MPI_INFO_NULL;
    if (hint != NULL) {
        CHECK_MPI(MPI_Info_create(&info));
        CHECK_MPI(MPI_Info_set(info, hint, "true"));
    }
    CHECK_MPI(MPI_Win_allocate(64 * sizeof(int), sizeof(int), info, MPI_COMM_WORLD, &base, &win));
    for (int i = 0; i < 64; i++)
        base[i] = 0;
    CHECK_MPI(MPI_Win_set_name(win, "halo"));
    if (hint != NULL)
        CHECK_MPI(MPI_Info_free(&info));
    CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
}

static void end(void) { CHECK_MPI(MPI_Win_free(&win)); }

static void no_locks(void)
{
    const int one = 1;
    begin("no_locks");
    for (int i = 0; i < 3; i++) {
        CHECK_MPI(MPI_Win_lock_all(0, win));
        CHECK_MPI(MPI_Accumulate(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, win));
        CHECK_MPI(MPI_Win_unlock_all(win));
        CHECK_MPI(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win));
        int sum = -1;
        CHECK_MPI(MPI_Get(&sum, 1, MPI_INT, 0, 1, 1, MPI_INT, win));
        CHECK_MPI(MPI_Win_flush(0, win));
        sum++;
        CHECK_MPI(MPI_Put(&sum, 1, MPI_INT, 0, 1, 1, MPI_INT, win));
        CHECK_MPI(MPI_Win_unlock(0, win));
    }
    CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
    CHECK_MPI(MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win));
    int sums[2] = {-1, -1};
    CHECK_MPI(MPI_Get(sums, 2, MPI_INT, 0, 0, 2, MPI_INT, win));
    CHECK_MPI(MPI_Win_unlock(0, win));
    CHECK_EQ(sums[0], 3 * np);
    CHECK_EQ(sums[1], 3 * np);
    end();
}

/* Rank 0 has an exclusive lock for so many seconds after rank 1 has come, which says that nobody has it.
 * Whether rank 1 has had to wait for the lock: on a busy machine it may ask for it too late. */
static int no_check_for(double seconds)
{
    const double wait = 0.001; /* longer than a lock takes that is free */
    MPI_Request r;
    int value = -1, waited = 0;
    if (me == 0)
        CHECK_MPI(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win));
    CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
    if (me == 1) {
        CHECK_MPI(MPI_Isend(NULL, 0, MPI_INT, 0, 1, MPI_COMM_WORLD, &r));
        double begun = MPI_Wtime();
        CHECK_MPI(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, MPI_MODE_NOCHECK, win));
        waited = MPI_Wtime() - begun > wait;
        CHECK_MPI(MPI_Get(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, win));
        CHECK_MPI(MPI_Win_unlock(0, win));
        CHECK_EQ(value, x); /* what was put under the other lock, after this rank had come */
        CHECK_MPI(MPI_Wait(&r, MPI_STATUS_IGNORE));
    }
    if (me == 0) {
        CHECK_MPI(MPI_Recv(NULL, 0, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        for (double until = MPI_Wtime() + seconds; MPI_Wtime() < until;)
            ;
        CHECK_MPI(MPI_Put(&x, 1, MPI_INT, 0, 0, 1, MPI_INT, win));
        CHECK_MPI(MPI_Win_unlock(0, win));
    }
    CHECK_MPI(MPI_Bcast(&waited, 1, MPI_INT, 1, MPI_COMM_WORLD));
    return waited;
}

/* A lock that is held while another rank says that nobody has it. */
static void no_check_lock(void)
{
    begin(NULL);
    for (double seconds = 0.02; np > 1 && !no_check_for(seconds) && seconds < 2; seconds *= 2)
        ;
    CHECK_MPI(MPI_Win_lock_all(MPI_MODE_NOCHECK, win));
    CHECK_MPI(MPI_Win_unlock_all(win));
    end();
}

/* Post and start with MPI_MODE_NOCHECK on one side only, and a start that comes before its post. */
static void no_check_start(int early)
{
    const int right = (me + 1) % np, left = (me + np - 1) % np;
    MPI_Group world, to, from;
    CHECK_MPI(MPI_Comm_group(MPI_COMM_WORLD, &world));
    CHECK_MPI(MPI_Group_incl(world, 1, &right, &to));
    CHECK_MPI(MPI_Group_incl(world, 1, &left, &from));
    begin(NULL);
    for (int i = 1; i <= 6; i++) {
        int value = 100 * i + me;
        if (early && me % 2 == 1)
            for (double until = MPI_Wtime() + 0.003; MPI_Wtime() < until;)
                ;
        CHECK_MPI(MPI_Win_post(from, i % 3 == 0 ? MPI_MODE_NOCHECK : 0, win));
        if (!early)
            CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
        CHECK_MPI(MPI_Win_start(to, i % 2 == 0 ? MPI_MODE_NOCHECK : 0, win));
        CHECK_MPI(MPI_Put(&value, 1, MPI_INT, right, i, 1, MPI_INT, win));
        CHECK_MPI(MPI_Win_complete(win));
        CHECK_MPI(MPI_Win_wait(win));
        CHECK_EQ(base[i], 100 * i + left);
    }
    end();
    CHECK_MPI(MPI_Group_free(&to));
    CHECK_MPI(MPI_Group_free(&from));
    CHECK_MPI(MPI_Group_free(&world));
}

/* Operations behind a fence that is promised to have none behind, and before one that is promised to have
 * none before. */
static void fences(int which)
{
    const int right = (me + 1) % np, left = (me + np - 1) % np;
    begin(NULL);
    CHECK_MPI(MPI_Win_fence(MPI_MODE_NOPRECEDE | (which == 1 ? MPI_MODE_NOSUCCEED : 0), win));
    for (int i = 1; i <= 5; i++) {
        int value = 100 * i + me;
        CHECK_MPI(MPI_Put(&value, 1, MPI_INT, right, i, 1, MPI_INT, win));
        CHECK_MPI(MPI_Win_fence(which == 1 ? MPI_MODE_NOSUCCEED : which == 2 ? MPI_MODE_NOPRECEDE : 0, win));
        CHECK_EQ(base[i], 100 * i + left);
        CHECK_MPI(MPI_Win_fence(0, win));
    }
    CHECK_MPI(MPI_Win_fence(MPI_MODE_NOSUCCEED | MPI_MODE_NOSTORE | MPI_MODE_NOPUT, win));
    end();
}

/* Wildcards and short messages on a communicator that was promised to see none. */
static void messages(const char *hint)
{
    static const char *all[] = {"mpi_assert_no_any_tag", "mpi_assert_no_any_source",
                                "mpi_assert_exact_length", "mpi_assert_allow_overtaking"};
    MPI_Info info;
    MPI_Comm c;
    MPI_Status st;
    CHECK_MPI(MPI_Info_create(&info));
    for (int i = 0; i < 4; i++)
        if (hint == NULL || strcmp(hint, all[i]) == 0)
            CHECK_MPI(MPI_Info_set(info, all[i], "true"));
    CHECK_MPI(MPI_Comm_dup_with_info(MPI_COMM_WORLD, info, &c));
    CHECK_MPI(MPI_Comm_set_name(c, "halo"));
    CHECK_MPI(MPI_Info_free(&info));
    for (int i = 0; i < 4; i++) {
        int in[4] = {0}, out = 10 * i + me;
        const int right = (me + 1) % np, left = (me + np - 1) % np;
        MPI_Request r;
        CHECK_MPI(MPI_Isend(&out, 1, MPI_INT, right, i, c, &r));
        CHECK_MPI(MPI_Recv(in, 4, MPI_INT, i % 2 ? left : MPI_ANY_SOURCE, i < 2 ? i : MPI_ANY_TAG, c, &st));
        CHECK_EQ(in[0], 10 * i + left);
        CHECK_STATUS(st, left, i);
        CHECK_MPI(MPI_Wait(&r, MPI_STATUS_IGNORE));
        CHECK_MPI(MPI_Barrier(c));
    }
    CHECK_MPI(MPI_Comm_free(&c));
}

/* Hints of sizes and of accumulates that do not hold. */
static void sizes(void)
{
    MPI_Info info;
    CHECK_MPI(MPI_Info_create(&info));
    CHECK_MPI(MPI_Info_set(info, "same_size", "true"));
    CHECK_MPI(MPI_Info_set(info, "same_disp_unit", "true"));
    CHECK_MPI(MPI_Info_set(info, "accumulate_ops", "same_op"));
    CHECK_MPI(MPI_Info_set(info, "accumulate_ordering", "none"));
    CHECK_MPI(MPI_Info_set(info, "mpi_accumulate_granularity", "1024"));
    CHECK_MPI(MPI_Win_allocate((MPI_Aint)((me + 1) * 16), me + 1, info, MPI_COMM_WORLD, &base, &win));
    CHECK_MPI(MPI_Win_set_name(win, "halo"));
    memset(base, 0, (size_t)(me + 1) * 16);
    const int one = 1, two = 2;
    CHECK_MPI(MPI_Win_fence(0, win));
    CHECK_MPI(MPI_Accumulate(&one, 1, MPI_INT, np - 1, 0, 1, MPI_INT, MPI_SUM, win));
    CHECK_MPI(MPI_Accumulate(&two, 1, MPI_INT, np - 1, 12, 1, MPI_INT, MPI_MAX, win));
    CHECK_MPI(MPI_Win_fence(0, win));
    if (me == np - 1) {
        CHECK_EQ(base[0], np);
        CHECK_EQ(base[12 * np / 4], 2);
    }
    end();
    CHECK_MPI(MPI_Info_free(&info));
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    const char *kind = argc > 1 ? argv[1] : "";
    const int all = *kind == 0;
    if (all || strcmp(kind, "no_locks") == 0)
        no_locks();
    if (all || strcmp(kind, "nocheck_lock") == 0)
        no_check_lock();
    if (all)
        no_check_start(0);
    if (all || strcmp(kind, "nocheck_start") == 0)
        no_check_start(1);
    if (all || strcmp(kind, "nosucceed") == 0)
        fences(1);
    if (all || strcmp(kind, "noprecede") == 0)
        fences(2);
    if (all || strncmp(kind, "mpi_assert", 10) == 0)
        messages(all ? NULL : kind);
    if (all || strcmp(kind, "sizes") == 0)
        sizes();
    if (strcmp(kind, "kept") == 0) {
        fences(0);
        no_check_start(0);
        messages("none");
    }
    return check_finish();
}
