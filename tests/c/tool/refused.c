/*
 * What the fast path does not carry out is counted, each call once and by its reason; what it carries out is
 * not. Argument "threads": at MPI_THREAD_MULTIPLE. Argument "closed": there is no fast path.
 */
#include "counted.h"

#include <sched.h>
#include <unistd.h>

enum { NOT_PLAIN, NO_ROOM, WAITING, NEEDS_ENGINE, SENT_ONLY, OTHER_NODES, REASONS };

enum { ROUNDS = 8, MOST = 1 << 16 };

static MPI_T_pvar_handle all, by[REASONS];

/* What ranks 0 and 1 tell each other without a call of MPI. */
static struct { volatile int step, pid, sent; } *notes;
static MPI_Win shared;
static int step;

static void watch_all(void)
{
    static const char *const names[REASONS] = {"not_plain", "no_room", "waiting", "needs_engine",
                                               "sent_only", "other_nodes"};
    all = watch_bound("fast_path_refusals", MPI_T_PVAR_CLASS_COUNTER, 0, NULL);
    for (int r = 0; r < REASONS; r++) {
        char name[64];
        snprintf(name, sizeof name, "fast_path_refusals_%s", names[r]);
        by[r] = watch_bound(name, MPI_T_PVAR_CLASS_COUNTER, 0, NULL);
    }
}

static void forget(void)
{
    value(all);
    for (int r = 0; r < REASONS; r++)
        value(by[r]);
}

/* So many calls have been refused since the last time, all for one reason. */
static void expect(int reason, long long calls)
{
    CHECK_EQ(value(all), calls);
    for (int r = 0; r < REASONS; r++) {
        long long counted = value(by[r]);
        CHECK_MSG(counted == (r == reason ? calls : 0),
                  "%lld calls refused for reason %d, want %lld for reason %d", counted, r, calls, reason);
    }
}

/* All ranks begin a case together, with nothing under way. */
static void begin(void)
{
    CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
    CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
    forget();
}

/* The other rank may go on behind its next await. */
static void go_on(void) { __atomic_store_n(&notes->step, ++step, __ATOMIC_RELEASE); }

static void await(void)
{
    for (++step; __atomic_load_n(&notes->step, __ATOMIC_ACQUIRE) != step;)
        sched_yield();
}

/* Waits until the other rank sleeps, which it does inside MPI alone. */
static void await_sleep(void)
{
    char path[64], text[512], state = 0;
    await();
    snprintf(path, sizeof path, "/proc/%d/task/%d/stat", notes->pid, notes->pid);
    while (state != 'S') {
        FILE *f = fopen(path, "r");
        size_t n = fread(text, 1, sizeof text - 1, f);
        fclose(f);
        text[n] = 0;
        state = strrchr(text, ')')[2];
        usleep(1000);
    }
}

/* What has come before its receive begins, and operations of one thread on its own memory, need nothing but
 * the fast path. */
static void plain(int closed, int threads)
{
    MPI_Request request;
    MPI_Comm comm = MPI_COMM_WORLD;
    int data = 1, there, calls = 0;
    begin();
    if (me == 0) {
        for (int i = 0; i < ROUNDS; i++, calls++)
            CHECK_MPI(MPI_Send(&data, 1, MPI_INT, 1, i, comm));
        for (int i = 0; i < ROUNDS; i++, calls += 2) {
            CHECK_MPI(MPI_Isend(&data, 1, MPI_INT, 1, i, comm, &request));
            CHECK_MPI(MPI_Wait(&request, MPI_STATUS_IGNORE));
        }
        go_on();
    } else if (me == 1) {
        await();
        for (int i = 0; i < ROUNDS; i++, calls += 2) {
            CHECK_MPI(MPI_Iprobe(0, i, comm, &there, MPI_STATUS_IGNORE));
            CHECK_EQ(there, 1);
            CHECK_MPI(MPI_Recv(&data, 1, MPI_INT, 0, i, comm, MPI_STATUS_IGNORE));
        }
        for (int i = 0; i < ROUNDS; i++, calls += 2) {
            CHECK_MPI(MPI_Irecv(&data, 1, MPI_INT, 0, i, comm, &request));
            CHECK_MPI(MPI_Wait(&request, MPI_STATUS_IGNORE));
        }
    }
    for (int i = 0; i < ROUNDS && !closed && !threads; i++) {
        CHECK_MPI(MPI_Win_lock(MPI_LOCK_SHARED, me, 0, shared));
        CHECK_MPI(MPI_Get(&data, 1, MPI_INT, me, 0, 1, MPI_INT, shared));
        CHECK_MPI(MPI_Win_flush(me, shared));
        CHECK_MPI(MPI_Win_unlock(me, shared));
    }
    expect(NOT_PLAIN, closed ? calls : 0);
    if (me == 1)
        go_on();
    else if (me == 0)
        await();
}

/* A large message. One to nobody is plain. */
static void not_plain(void)
{
    static char data[MOST + 1];
    begin();
    CHECK_MPI(MPI_Send(data, 1, MPI_CHAR, MPI_PROC_NULL, 0, MPI_COMM_WORLD));
    expect(NOT_PLAIN, 0);
    if (me == 0)
        CHECK_MPI(MPI_Send(data, sizeof data, MPI_CHAR, 1, 0, MPI_COMM_WORLD));
    expect(NOT_PLAIN, me == 0);
    if (me == 1)
        CHECK_MPI(MPI_Recv(data, sizeof data, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
}

/* Messages to a rank that computes. */
static void no_room(void)
{
    static MPI_Request requests[MOST];
    int n = 0, data = 0;
    begin();
    if (me == 0) {
        for (int full = 0; n < MOST && !full; n++) {
            unsigned long long refused = 0;
            CHECK_MPI(MPI_Isend(&data, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &requests[n]));
            CHECK_MPI(MPI_T_pvar_read(session, all, &refused));
            full = refused > 0;
        }
        expect(NO_ROOM, 1);
        notes->sent = n;
        go_on();
        CHECK_MPI(MPI_Waitall(n, requests, MPI_STATUSES_IGNORE));
    } else if (me == 1) {
        await();
        for (int i = 0; i < notes->sent; i++)
            CHECK_MPI(MPI_Recv(&data, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    }
}

/* A message that comes when its receiver sleeps. Where several threads may call, one sleeps in the engine
 * behind the fast path; so does one that has found the other rank on its processor, which may happen in any
 * round. */
static void waiting(int threads)
{
    int data = 0, asleep = 0;
    for (int i = 0; i < ROUNDS; i++) {
        begin();
        if (me == 0) {
            await_sleep();
            CHECK_MPI(MPI_Send(&data, 1, MPI_INT, 1, 0, MPI_COMM_WORLD));
            expect(WAITING, 0);
        } else if (me == 1) {
            go_on();
            CHECK_MPI(MPI_Recv(&data, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
            const long long refused = value(all);
            CHECK_EQ(value(by[WAITING]), refused);
            asleep += refused == threads;
        }
    }
    CHECK(me != 1 || asleep > 0);
}

/* A message that was announced. */
static void needs_engine(void)
{
    static char data[MOST + 1];
    MPI_Request request;
    begin();
    if (me == 0) {
        CHECK_MPI(MPI_Issend(data, sizeof data, MPI_CHAR, 1, 0, MPI_COMM_WORLD, &request));
        go_on();
        CHECK_MPI(MPI_Wait(&request, MPI_STATUS_IGNORE));
    } else if (me == 1) {
        await();
        CHECK_MPI(MPI_Recv(data, sizeof data, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        expect(NEEDS_ENGINE, 1);
    }
}

/* A message for one that was announced, to a rank that has received the other. */
static void sent_only(void)
{
    static char large[MOST + 1];
    int out = 0, in = 0;
    MPI_Request request;
    begin();
    if (me == 0) {
        CHECK_MPI(MPI_Issend(large, sizeof large, MPI_CHAR, 1, 0, MPI_COMM_WORLD, &request));
        go_on();
        CHECK_MPI(MPI_Recv(&in, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        CHECK_MPI(MPI_Wait(&request, MPI_STATUS_IGNORE));
    } else if (me == 1) {
        await();
        CHECK_MPI(MPI_Sendrecv(&out, 1, MPI_INT, 0, 0, large, sizeof large, MPI_CHAR, 0, 0, MPI_COMM_WORLD,
                               MPI_STATUS_IGNORE));
        expect(SENT_ONLY, 1);
    }
}

int main(int argc, char **argv)
{
    int provided, unit, threads = argc > 1 && strcmp(argv[1], "threads") == 0,
                        closed = argc > 1 && strcmp(argv[1], "closed") == 0;
    MPI_Aint size;
    void *memory;
    CHECK_MPI(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided));
    if (threads) {
        MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
        check_know_world();
    } else {
        check_init(&argc, &argv);
    }
    CHECK_MPI(MPI_T_pvar_session_create(&session));
    watch_all();
    CHECK_MPI(MPI_Win_allocate_shared(sizeof *notes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &shared));
    CHECK_MPI(MPI_Win_shared_query(shared, 0, &size, &unit, &memory));
    notes = memory;
    if (me == 0)
        memset((void *)notes, 0, sizeof *notes);
    for (int i = 0; i < 2 && me < 2; i++) /* the first messages connect the two ranks */
        CHECK_MPI(MPI_Sendrecv(&size, 1, MPI_AINT, 1 - me, 0, &size, 1, MPI_AINT, 1 - me, 0, MPI_COMM_WORLD,
                               MPI_STATUS_IGNORE));
    if (me == 1)
        notes->pid = getpid();
    plain(closed, threads);
    if (!closed) {
        not_plain();
        no_room();
        waiting(threads);
        needs_engine();
        sent_only();
        plain(closed, threads);
    }
    CHECK_MPI(MPI_Win_free(&shared));
    int rc = check_finish();
    CHECK_MPI(MPI_T_pvar_session_free(&session));
    CHECK_MPI(MPI_T_finalize());
    return rc || check_failed;
}
