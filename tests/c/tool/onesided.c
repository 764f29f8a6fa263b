/*
 * One-sided operations are counted once each, with their bytes, by the way to the target's memory, for the
 * process and for the window: mapped memory, active messages, copies by the kernel or, where there are none
 * (argument "helper"), the target's progress thread. With the argument "threads" the counts are kept for
 * several threads.
 */
#include "counted.h"

enum { N = 64, LONG = 4 * N, ROUNDS = 5 };

struct counts {
    MPI_T_pvar_handle operations, bytes, mapped, mapped_bytes, kernel, kernel_bytes, active, active_bytes,
        helper, helper_bytes, packets, packets_bytes, back;
};

static MPI_T_pvar_handle watch(const char *prefix, const char *name, int class, MPI_Win *on)
{
    char full[64];
    snprintf(full, sizeof full, "%s_%s", prefix, name);
    return watch_bound(full, class, MPI_T_BIND_MPI_WIN, on);
}

static void watch_all(struct counts *c, const char *prefix, MPI_Win *on)
{
    const int counter = MPI_T_PVAR_CLASS_COUNTER, aggregate = MPI_T_PVAR_CLASS_AGGREGATE;
    c->operations = watch(prefix, "operations", counter, on), c->bytes = watch(prefix, "bytes", aggregate, on);
    c->mapped = watch(prefix, "mapped_operations", counter, on), c->mapped_bytes = watch(prefix, "mapped_bytes", aggregate, on);
    c->kernel = watch(prefix, "kernel_operations", counter, on), c->kernel_bytes = watch(prefix, "kernel_bytes", aggregate, on);
    c->active = watch(prefix, "active_message_operations", counter, on), c->active_bytes = watch(prefix, "active_message_bytes", aggregate, on);
    c->helper = watch(prefix, "helper_operations", counter, on), c->helper_bytes = watch(prefix, "helper_bytes", aggregate, on);
    c->packets = watch(prefix, "packets_operations", counter, on), c->packets_bytes = watch(prefix, "packets_bytes", aggregate, on);
    c->back = watch(prefix, "active_messages_taken_back", counter, on);
}

/* All that has been done since the last time, if that went one way. */
static void expect(struct counts *c, MPI_T_pvar_handle way, MPI_T_pvar_handle way_bytes, long long operations,
                   long long bytes)
{
    long long v;
    CHECK_EQ(value(c->operations), operations);
    CHECK_EQ(value(c->bytes), bytes);
    CHECK_EQ(value(way), operations);
    CHECK_EQ(value(way_bytes), bytes);
    v = value(c->mapped) + value(c->kernel) + value(c->active) + value(c->helper) + value(c->packets);
    CHECK_EQ(v, 0); /* the others: that of the way has just been reset */
    v = value(c->mapped_bytes) + value(c->kernel_bytes) + value(c->active_bytes) + value(c->helper_bytes) +
        value(c->packets_bytes);
    CHECK_EQ(v, 0);
}

static int at(int rank) { return (me + rank) % np; }

/* Memory that is mapped: every operation, those for the stubs and those for Go. */
static void mapped(struct counts *process)
{
    MPI_Win win;
    MPI_Request request;
    MPI_Datatype every_other;
    struct counts c;
    long long *memory, data[N], got[N], one = 1, zero = 0, old;
    CHECK_MPI(MPI_Win_allocate(N * 8, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win));
    CHECK_MPI(MPI_Type_vector(N / 2, 1, 2, MPI_LONG_LONG, &every_other));
    CHECK_MPI(MPI_Type_commit(&every_other));
    memset(data, 0, sizeof data);
    watch_all(&c, "win", &win);
    CHECK_MPI(MPI_Win_lock_all(0, win));
    for (int r = 0; r < np; r++) {
        for (int i = 0; i < ROUNDS; i++) {
            CHECK_MPI(MPI_Put(data, N, MPI_LONG_LONG, at(r), 0, N, MPI_LONG_LONG, win));
            CHECK_MPI(MPI_Get(got, 1, MPI_LONG_LONG, at(r), 3, 1, MPI_LONG_LONG, win));
        }
        expect(&c, c.mapped, c.mapped_bytes, 2 * ROUNDS, ROUNDS * (N + 1) * 8);
        CHECK_MPI(MPI_Accumulate(&one, 1, MPI_LONG_LONG, at(r), 0, 1, MPI_LONG_LONG, MPI_SUM, win));
        CHECK_MPI(MPI_Accumulate(data, N, MPI_LONG_LONG, at(r), 0, N, MPI_LONG_LONG, MPI_SUM, win));
        CHECK_MPI(MPI_Fetch_and_op(&one, &old, MPI_LONG_LONG, at(r), 1, MPI_SUM, win));
        CHECK_MPI(MPI_Compare_and_swap(&one, &zero, &old, MPI_LONG_LONG, at(r), 2, win));
        CHECK_MPI(MPI_Get_accumulate(data, 4, MPI_LONG_LONG, got, 4, MPI_LONG_LONG, at(r), 0, 4,
                                     MPI_LONG_LONG, MPI_MAX, win));
        expect(&c, c.mapped, c.mapped_bytes, 5, (1 + N + 1 + 1 + 4) * 8);
        CHECK_MPI(MPI_Put(data, N / 2, MPI_LONG_LONG, at(r), 0, 1, every_other, win));
        CHECK_MPI(MPI_Rget(got, 2, MPI_LONG_LONG, at(r), 0, 2, MPI_LONG_LONG, win, &request));
        CHECK_MPI(MPI_Wait(&request, MPI_STATUS_IGNORE));
        expect(&c, c.mapped, c.mapped_bytes, 2, (N / 2 + 2) * 8);
        CHECK_MPI(MPI_Put(data, 0, MPI_LONG_LONG, at(r), 0, 0, MPI_LONG_LONG, win)); /* nothing */
    }
    CHECK_MPI(MPI_Put(data, 1, MPI_LONG_LONG, MPI_PROC_NULL, 0, 1, MPI_LONG_LONG, win));
    CHECK_MPI(MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN));
    CHECK_CLASS(MPI_Put(data, 1, MPI_LONG_LONG, 0, N, 1, MPI_LONG_LONG, win), MPI_ERR_RMA_RANGE);
    expect(&c, c.mapped, c.mapped_bytes, 0, 0);
    CHECK_MPI(MPI_Put(data, 1, MPI_LONG_LONG, me, 0, 1, MPI_LONG_LONG, win));
    CHECK_MPI(MPI_Win_unlock_all(win));
    CHECK_MPI(MPI_Win_free(&win));
    CHECK_MPI(MPI_Type_free(&every_other));
    expect(&c, c.mapped, c.mapped_bytes, 1, 8); /* the window is gone, its counts are not */
    expect(process, process->mapped, process->mapped_bytes, np * (2 * ROUNDS + 7) + 1,
           np * (ROUNDS * (N + 1) + 7 + N + N / 2 + 2) * 8LL + 8);
}

/* Private memory: the first operation goes by an active message, if such are used at all; one with gaps never
 * does. */
static void private(struct counts *process, int helper)
{
    MPI_Win win;
    MPI_Datatype every_other, coarse; /* the runs of the latter are long enough for the kernel */
    struct counts c;
    long long memory[LONG], data[LONG], want;
    memset(memory, 0, sizeof memory);
    memset(data, 0, sizeof data);
    CHECK_MPI(MPI_Type_vector(N / 2, 1, 2, MPI_LONG_LONG, &every_other));
    CHECK_MPI(MPI_Type_commit(&every_other));
    CHECK_MPI(MPI_Type_vector(2, LONG / 4, LONG / 2, MPI_LONG_LONG, &coarse));
    CHECK_MPI(MPI_Type_commit(&coarse));
    CHECK_MPI(MPI_Win_create(memory, sizeof memory, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    watch_all(&c, "win", &win);
    CHECK_MPI(MPI_Win_lock_all(0, win));
    CHECK_MPI(MPI_Put(data, 2, MPI_LONG_LONG, me, 0, 2, MPI_LONG_LONG, win));
    expect(&c, c.mapped, c.mapped_bytes, 1, 16);
    for (int r = 1; r < np; r++) {
        CHECK_MPI(MPI_Put(data, N, MPI_LONG_LONG, at(r), 0, N, MPI_LONG_LONG, win));
        unsigned long long messages;
        CHECK_MPI(MPI_T_pvar_read(session, c.active, &messages));
        if (messages > 0 || helper)
            expect(&c, c.active, c.active_bytes, 1, N * 8);
        else /* ranks that share cores leave it to the kernel, where they may */
            expect(&c, c.kernel, c.kernel_bytes, 1, N * 8);
        CHECK_MPI(MPI_Win_flush(at(r), win));
        CHECK_MPI(MPI_Put(data, LONG / 2, MPI_LONG_LONG, at(r), 0, 1, coarse, win));
        CHECK_MPI(MPI_Get(data, LONG / 2, MPI_LONG_LONG, at(r), 0, 1, coarse, win));
        if (helper)
            expect(&c, c.helper, c.helper_bytes, 2, LONG * 8);
        else
            expect(&c, c.kernel, c.kernel_bytes, 2, LONG * 8);
        CHECK_MPI(MPI_Put(data, N / 2, MPI_LONG_LONG, at(r), 0, 1, every_other, win));
        CHECK_MPI(MPI_Get(data, N / 2, MPI_LONG_LONG, at(r), 0, 1, every_other, win));
        if (helper)
            expect(&c, c.active, c.active_bytes, 2, N * 8);
        else { /* by messages as long as the target comes for them */
            want = value(c.active) + value(c.kernel);
            CHECK_EQ(want, 2);
            want = value(c.active_bytes) + value(c.kernel_bytes);
            CHECK_EQ(want, N * 8);
            CHECK_EQ(value(c.operations), 2);
            CHECK_EQ(value(c.bytes), N * 8);
        }
    }
    want = 5 * (np - 1) + 1;
    CHECK_EQ(value(process->operations), want);
    CHECK_EQ(value(process->bytes), (np - 1) * (2 * N + LONG) * 8 + 16);

    /* However the others go: each once. */
    want = value(c.active) + value(c.kernel) + value(c.helper);
    CHECK_EQ(want, 0);
    for (int i = 0; i < ROUNDS; i++)
        for (int r = 1; r < np; r++) {
            long long old, one = 1;
            CHECK_MPI(MPI_Put(data, 1, MPI_LONG_LONG, at(r), i, 1, MPI_LONG_LONG, win));
            CHECK_MPI(MPI_Get(data, 3, MPI_LONG_LONG, at(r), i, 3, MPI_LONG_LONG, win));
            CHECK_MPI(MPI_Accumulate(&one, 1, MPI_LONG_LONG, at(r), i, 1, MPI_LONG_LONG, MPI_SUM, win));
            CHECK_MPI(MPI_Fetch_and_op(&one, &old, MPI_LONG_LONG, at(r), i, MPI_SUM, win));
            CHECK_MPI(MPI_Compare_and_swap(&one, &old, &old, MPI_LONG_LONG, at(r), i, win));
            CHECK_MPI(MPI_Win_flush_all(win));
        }
    CHECK_EQ(value(c.active) + value(c.kernel) + value(c.helper), ROUNDS * (np - 1) * 5);
    CHECK_EQ(value(c.operations), ROUNDS * (np - 1) * 5);
    CHECK_EQ(value(c.bytes), ROUNDS * (np - 1) * 7 * 8);
    CHECK_EQ(value(c.mapped), 0);
    CHECK_EQ(value(process->operations), ROUNDS * (np - 1) * 5);
    CHECK_EQ(value(process->back), value(c.back));
    CHECK_MPI(MPI_Win_unlock_all(win));
    CHECK_MPI(MPI_Win_free(&win));
    CHECK_MPI(MPI_Type_free(&coarse));
    CHECK_MPI(MPI_Type_free(&every_other));
}

/* Every rank alone on its node: what is another rank's is reached by packets. */
static void far(struct counts *process)
{
    MPI_Win win;
    struct counts c;
    long long *memory, data[N], one = 1, old;
    memset(data, 0, sizeof data);
    CHECK_MPI(MPI_Win_allocate(N * 8, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win));
    watch_all(&c, "win", &win);
    CHECK_MPI(MPI_Win_lock_all(0, win));
    for (int r = 0; r < np; r++) {
        CHECK_MPI(MPI_Put(data, N, MPI_LONG_LONG, at(r), 0, N, MPI_LONG_LONG, win));
        CHECK_MPI(MPI_Get(data, 3, MPI_LONG_LONG, at(r), 0, 3, MPI_LONG_LONG, win));
        CHECK_MPI(MPI_Accumulate(data, N, MPI_LONG_LONG, at(r), 0, N, MPI_LONG_LONG, MPI_SUM, win));
        CHECK_MPI(MPI_Fetch_and_op(&one, &old, MPI_LONG_LONG, at(r), 1, MPI_SUM, win));
        CHECK_MPI(MPI_Compare_and_swap(&one, &old, &old, MPI_LONG_LONG, at(r), 2, win));
        if (r > 0)
            expect(&c, c.packets, c.packets_bytes, 5, (2 * N + 5) * 8);
        else
            expect(&c, c.mapped, c.mapped_bytes, 5, (2 * N + 5) * 8);
    }
    CHECK_MPI(MPI_Win_unlock_all(win));
    CHECK_MPI(MPI_Win_free(&win));
    CHECK_EQ(value(process->packets), 5 * (np - 1));
    CHECK_EQ(value(process->operations), 5 * np);
}

int main(int argc, char **argv)
{
    int provided, threads = argc > 1 && strcmp(argv[1], "threads") == 0,
                  helper = argc > 1 && strcmp(argv[1], "helper") == 0;
    struct counts process;
    CHECK_MPI(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided));
    if (threads) {
        MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
        check_know_world();
    } else {
        check_init(&argc, &argv);
    }
    CHECK_MPI(MPI_T_pvar_session_create(&session));
    watch_all(&process, "rma", NULL);
    if (argc > 1 && strcmp(argv[1], "far") == 0) {
        far(&process);
    } else {
        mapped(&process);
        private(&process, helper);
    }
    int rc = check_finish();
    CHECK_MPI(MPI_T_pvar_session_free(&session));
    CHECK_MPI(MPI_T_finalize());
    return rc || check_failed;
}
