/*
 * The counters of MPI_T count what the program does: messages and bytes by protocol, however they were sent,
 * messages that came before their receive, and sleep. A handle counts from its start to its stop and from its
 * last reset.
 */
#include "check.h"

#include <unistd.h>

enum { ROUNDS = 10, SMALL = 100, MIDDLE = 10000, BIG = 300000 };

static MPI_T_pvar_session session;

static MPI_T_pvar_handle watch(const char *name, int class)
{
    MPI_T_pvar_handle h;
    int index, count;
    CHECK_MPI(MPI_T_pvar_get_index(name, class, &index));
    CHECK_MPI(MPI_T_pvar_handle_alloc(session, index, NULL, &h, &count));
    return h;
}

static unsigned long long value(MPI_T_pvar_handle h)
{
    unsigned long long v = 0;
    CHECK_MPI(MPI_T_pvar_read(session, h, &v));
    return v;
}

/* Whether the main thread of a process is asleep at the moment. */
static int sleeps(int pid)
{
    char path[64], text[512];
    snprintf(path, sizeof path, "/proc/%d/task/%d/stat", pid, pid);
    FILE *f = fopen(path, "r");
    CHECK(f != NULL);
    size_t n = f ? fread(text, 1, sizeof text - 1, f) : 0;
    if (f)
        fclose(f);
    text[n] = 0;
    const char *name_end = strrchr(text, ')');
    return name_end && name_end[1] == ' ' && name_end[2] == 'S';
}

/* Messages to the next rank and from the one before, all of them received. */
static void talk(char *out, char *in, int bytes, MPI_Comm comm)
{
    for (int i = 0; i < ROUNDS; i++)
        CHECK_MPI(MPI_Sendrecv(out, bytes, MPI_BYTE, (me + 1) % np, 1, in, bytes, MPI_BYTE,
                               (me + np - 1) % np, 1, comm, MPI_STATUS_IGNORE));
    if (me == 0) { /* one way by plain sends, which may take a way of their own */
        for (int i = 0; i < ROUNDS; i++)
            CHECK_MPI(MPI_Send(out, bytes, MPI_BYTE, 1, 2, comm));
    } else if (me == 1) {
        for (int i = 0; i < ROUNDS; i++)
            CHECK_MPI(MPI_Recv(in, bytes, MPI_BYTE, 0, 2, comm, MPI_STATUS_IGNORE));
    }
}

int main(int argc, char **argv)
{
    int provided;
    MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    check_init(&argc, &argv);
    CHECK_MPI(MPI_T_pvar_session_create(&session));
    MPI_T_pvar_handle eager = watch("eager_messages", MPI_T_PVAR_CLASS_COUNTER);
    MPI_T_pvar_handle eager_bytes = watch("eager_bytes", MPI_T_PVAR_CLASS_AGGREGATE);
    MPI_T_pvar_handle rendezvous = watch("rendezvous_messages", MPI_T_PVAR_CLASS_COUNTER);
    MPI_T_pvar_handle rendezvous_bytes = watch("rendezvous_bytes", MPI_T_PVAR_CLASS_AGGREGATE);
    MPI_T_pvar_handle unexpected = watch("unexpected_messages", MPI_T_PVAR_CLASS_COUNTER);
    MPI_T_pvar_handle waiting = watch("unexpected_queue_length", MPI_T_PVAR_CLASS_LEVEL);
    MPI_T_pvar_handle longest = watch("unexpected_queue_longest", MPI_T_PVAR_CLASS_HIGHWATERMARK);
    MPI_T_pvar_handle posted = watch("posted_receives", MPI_T_PVAR_CLASS_LEVEL);
    MPI_T_pvar_handle requests = watch("requests", MPI_T_PVAR_CLASS_LEVEL);
    MPI_T_pvar_handle asleep = watch("time_asleep", MPI_T_PVAR_CLASS_TIMER);
    MPI_T_pvar_handle early = watch("eager_messages", MPI_T_PVAR_CLASS_COUNTER); /* never started */
    char *out = check_alloc(BIG), *in = check_alloc(BIG);
    MPI_Comm dup;
    CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &dup));

    unsigned long long sent = ROUNDS * (1 + (me == 0));
    CHECK_MPI(MPI_T_pvar_start(session, eager));
    CHECK_MPI(MPI_T_pvar_start(session, eager_bytes));
    CHECK_MPI(MPI_T_pvar_start(session, rendezvous));
    CHECK_MPI(MPI_T_pvar_start(session, rendezvous_bytes));
    for (int on_dup = 0; on_dup < 2; on_dup++) {
        talk(out, in, SMALL, on_dup ? dup : MPI_COMM_WORLD);
        CHECK_EQ(value(eager), sent);
        CHECK_EQ(value(eager_bytes), sent * SMALL);
        CHECK_EQ(value(rendezvous), 0);
        CHECK_MPI(MPI_T_pvar_reset(session, eager));
        CHECK_MPI(MPI_T_pvar_reset(session, eager_bytes));
    }
    talk(out, in, MIDDLE, dup);
    CHECK_EQ(value(eager), sent);
    CHECK_EQ(value(eager_bytes), sent * MIDDLE);
    talk(out, in, BIG, MPI_COMM_WORLD);
    CHECK_EQ(value(eager), sent);
    CHECK_EQ(value(rendezvous), sent);
    CHECK_EQ(value(rendezvous_bytes), sent * BIG);
    CHECK_MPI(MPI_T_pvar_stop(session, eager));
    talk(out, in, SMALL, MPI_COMM_WORLD);
    CHECK_EQ(value(eager), sent);
    CHECK_EQ(value(early), 0);

    /* What comes too early. */
    CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
    CHECK_MPI(MPI_T_pvar_start(session, unexpected));
    CHECK_EQ(value(waiting), 0);
    if (me == 0) {
        for (int i = 0; i < ROUNDS; i++)
            CHECK_MPI(MPI_Send(out, SMALL, MPI_BYTE, 1, 3, dup));
        CHECK_MPI(MPI_Send(out, 0, MPI_BYTE, 1, 4, dup));
    } else if (me == 1) {
        MPI_Request r;
        CHECK_MPI(MPI_Recv(in, 0, MPI_BYTE, 0, 4, dup, MPI_STATUS_IGNORE));
        CHECK_EQ(value(unexpected), ROUNDS);
        CHECK_EQ(value(waiting), ROUNDS);
        CHECK(value(longest) >= ROUNDS);
        for (int i = 0; i < ROUNDS; i++)
            CHECK_MPI(MPI_Recv(in, SMALL, MPI_BYTE, 0, 3, dup, MPI_STATUS_IGNORE));
        CHECK_EQ(value(waiting), 0);
        CHECK_EQ(value(posted), 0);
        CHECK_MPI(MPI_Irecv(in, SMALL, MPI_BYTE, 0, 5, dup, &r));
        CHECK_EQ(value(posted), 1);
        CHECK_EQ(value(requests), 1);
        CHECK_MPI(MPI_Cancel(&r));
        CHECK_MPI(MPI_Wait(&r, MPI_STATUS_IGNORE));
        CHECK_EQ(value(posted), 0);
        CHECK_EQ(value(requests), 0);
    }

    /* A rank that waits sleeps, after some yields, each of which takes milliseconds where other programs are
     * busy: so the other one sends when the system has shown it asleep for long enough. */
    int pid = getpid();
    CHECK_MPI(MPI_T_pvar_start(session, asleep));
    if (me == 1)
        CHECK_MPI(MPI_Send(&pid, 1, MPI_INT, 0, 5, MPI_COMM_WORLD));
    if (me == 0) {
        CHECK_MPI(MPI_Recv(&pid, 1, MPI_INT, 1, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        for (int looks = 0, seen = 0; seen < 30 && looks < 1500; looks++) {
            usleep(10000);
            seen += sleeps(pid);
        }
        CHECK_MPI(MPI_Send(out, 0, MPI_BYTE, 1, 6, MPI_COMM_WORLD));
    } else if (me == 1) {
        double seconds = -1;
        CHECK_MPI(MPI_Recv(in, 0, MPI_BYTE, 0, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        CHECK_MPI(MPI_T_pvar_read(session, asleep, &seconds));
        CHECK_MSG(seconds > 0.05 && seconds < 60, "asleep for %g s while the other rank waited for that", seconds);
    }
    CHECK_MPI(MPI_Comm_free(&dup));
    CHECK_MPI(MPI_T_pvar_session_free(&session));
    CHECK_MPI(MPI_T_finalize());
    check_free(out);
    check_free(in);
    return check_finish();
}
