/*
 * Signal handlers that use much stack (1 to 200 KiB, on the stack that the thread is on) under traffic of
 * every kind: messages of vectors, collectives with an operation of the program's, windows, files,
 * attributes, errors, spawned programs. SIGALRM and SIGPROF come from timers, SIGUSR1 is sent to every thread
 * in turn, 5000 times a second. They interrupt each other, and some of them raise others: up to six handlers
 * are on one stack. Every byte is checked; a handler runs in the program's threads alone.
 *
 *   handlers SECONDS THREADS [spawn]
 */
#include "check.h"
#include <pthread.h>
#include <signal.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { THREADS = 4, N = 5000, LEAST = 1 << 10, MOST = 200 << 10 };

/* Signals that are raised by handlers, each by that of the one before it. */
static const int raised[] = {SIGUSR2, SIGVTALRM, SIGWINCH};
enum { RAISED = sizeof raised / sizeof *raised, PATIENCE = 100 /* seconds */ };

static __thread int mine;
static __thread uint64_t handler_state;
static int handled[NSIG], strays, torn, stop;
static pthread_t threads[THREADS];
static int n_threads = 1, ready, rounds;
static double end;
static sigset_t unblocked;

/* Uses a random amount of stack, and finds in it what it has put there. */
static void on_signal(int sig)
{
    __atomic_add_fetch(&handled[sig], 1, __ATOMIC_RELAXED);
    if (!mine) {
        __atomic_add_fetch(&strays, 1, __ATOMIC_RELAXED);
        return;
    }
    size_t n = LEAST + check_random(&handler_state) % (MOST - LEAST);
    for (int i = 0; i < RAISED; i++)
        if (sig == raised[i])
            n = MOST;
    volatile unsigned char room[n];
    unsigned char with = (unsigned char)(n ^ (size_t)sig);
    memset((void *)room, with, n);
    if (sig == SIGALRM && check_random(&handler_state) % 4 == 0)
        raise(raised[0]);
    for (int i = 0; i + 1 < RAISED; i++)
        if (sig == raised[i])
            raise(raised[i + 1]);
    for (size_t i = 0; i < n; i += 512)
        if (room[i] != with)
            __atomic_add_fetch(&torn, 1, __ATOMIC_RELAXED);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Sends SIGUSR1 to the program's threads; takes no signal itself. */
static void *send_signals(void *unused)
{
    const struct timespec pause = {0, 200000};
    (void)unused;
    for (; !__atomic_load_n(&stop, __ATOMIC_ACQUIRE); __atomic_add_fetch(&rounds, 1, __ATOMIC_RELEASE)) {
        for (int i = 0; i < __atomic_load_n(&ready, __ATOMIC_ACQUIRE); i++)
            pthread_kill(threads[i], SIGUSR1);
        nanosleep(&pause, NULL);
    }
    return NULL;
}

static void add(void *in, void *inout, int *n, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *n; i++)
        ((int *)inout)[i] += ((int *)in)[i];
}

static int copy(MPI_Comm c, int key, void *extra, void *value, void *out, int *flag)
{
    (void)c, (void)key, (void)extra;
    *(void **)out = (char *)value + 1;
    *flag = 1;
    return MPI_SUCCESS;
}

static int errors_heard;

static void on_error(MPI_Comm *c, int *code, ...)
{
    (void)c, (void)code;
    __atomic_add_fetch(&errors_heard, 1, __ATOMIC_RELAXED);
}

struct place {
    MPI_Comm comm;
    MPI_Op sum;
    MPI_Datatype column;
    MPI_Win win;
    MPI_File file;
    MPI_Errhandler handler;
    int key, thread;
    int *out, *in, *memory;
};

static int value(int from, int round, int i) { return from * 1000003 + round * 7919 + i; }

/* Columns of a matrix to the next rank, several at once. */
static void messages(struct place *p, int round)
{
    enum { PARTS = 4 };
    int to = (me + 1) % np, from = (me + np - 1) % np, part = N / PARTS;
    MPI_Request r[2 * PARTS];
    for (int i = 0; i < N; i++) {
        p->out[2 * i] = value(me, round, i);
        p->in[2 * i] = p->in[2 * i + 1] = -1;
    }
    for (int k = 0; k < PARTS; k++) {
        CHECK_MPI(MPI_Irecv(p->in + 2 * k * part, 1, p->column, from, k, p->comm, &r[k]));
        CHECK_MPI(MPI_Isend(p->out + 2 * k * part, 1, p->column, to, k, p->comm, &r[PARTS + k]));
    }
    CHECK_MPI(MPI_Waitall(2 * PARTS, r, MPI_STATUSES_IGNORE));
    for (int i = 0; i < N; i++)
        CHECK_MSG(p->in[2 * i] == value(from, round, i) && p->in[2 * i + 1] == -1, "element %d in round %d", i, round);
}

static void collectives(struct place *p, int round)
{
    int n = 1 + (round * 37) % (N / np);
    for (int i = 0; i < n * np; i++) {
        p->out[i] = value(me, round, i);
        p->in[i] = -1;
    }
    CHECK_MPI(MPI_Allreduce(p->out, p->in, n, MPI_INT, p->sum, p->comm));
    for (int i = 0; i < n; i++)
        CHECK_MSG(p->in[i] == np * value(0, round, i) + 1000003 * (np * (np - 1) / 2), "sum %d in round %d", i, round);
    MPI_Request r;
    CHECK_MPI(MPI_Ialltoall(p->out, n, MPI_INT, p->in, n, MPI_INT, p->comm, &r));
    CHECK_MPI(MPI_Wait(&r, MPI_STATUS_IGNORE));
    for (int k = 0; k < np; k++)
        for (int i = 0; i < n; i++)
            CHECK_MSG(p->in[k * n + i] == value(k, round, me * n + i), "element %d of %d in round %d", i, k, round);
}

static void window(struct place *p, int round)
{
    int to = (me + 1) % np, from = (me + np - 1) % np, one = 1;
    for (int i = 0; i < N; i++)
        p->out[i] = value(me, round, i);
    p->memory[N] = 0;
    CHECK_MPI(MPI_Win_fence(0, p->win));
    CHECK_MPI(MPI_Put(p->out, N, MPI_INT, to, 0, N, MPI_INT, p->win));
    CHECK_MPI(MPI_Accumulate(&one, 1, MPI_INT, to, N, 1, MPI_INT, MPI_SUM, p->win));
    CHECK_MPI(MPI_Win_fence(0, p->win));
    for (int i = 0; i < N; i++)
        CHECK_MSG(p->memory[i] == value(from, round, i), "element %d of the window in round %d", i, round);
    CHECK_EQ(p->memory[N], 1);
    CHECK_MPI(MPI_Get(p->in, N, MPI_INT, to, 0, N, MPI_INT, p->win));
    CHECK_MPI(MPI_Win_fence(0, p->win));
    for (int i = 0; i < N; i++)
        CHECK_MSG(p->in[i] == value(me, round, i), "element %d read in round %d", i, round);
}

static void file(struct place *p, int round)
{
    int from = (me + 1) % np;
    for (int i = 0; i < N; i++)
        p->out[i] = value(me, round, i);
    CHECK_MPI(MPI_File_write_at_all(p->file, (MPI_Offset)me * N * 4, p->out, N, MPI_INT, MPI_STATUS_IGNORE));
    CHECK_MPI(MPI_File_sync(p->file));
    CHECK_MPI(MPI_Barrier(p->comm));
    CHECK_MPI(MPI_File_read_at(p->file, (MPI_Offset)from * N * 4, p->in, N, MPI_INT, MPI_STATUS_IGNORE));
    for (int i = 0; i < N; i++)
        CHECK_MSG(p->in[i] == value(from, round, i), "element %d of the file in round %d", i, round);
    CHECK_MPI(MPI_Barrier(p->comm));
}

/* Callbacks, and what allocates. */
static void objects(struct place *p)
{
    MPI_Comm dup;
    void *got;
    int flag = 0, before = __atomic_load_n(&errors_heard, __ATOMIC_RELAXED);
    CHECK_MPI(MPI_Comm_dup(p->comm, &dup));
    CHECK_MPI(MPI_Comm_get_attr(dup, p->key, &got, &flag));
    CHECK(flag && got == (char *)&p->key + 1);
    CHECK_MPI(MPI_Comm_set_errhandler(dup, p->handler));
    MPI_Send(p->out, -1, MPI_INT, 0, 0, dup);
    CHECK(__atomic_load_n(&errors_heard, __ATOMIC_RELAXED) > before);
    CHECK_MPI(MPI_Comm_free(&dup));
}

static void prepare(struct place *p)
{
    char name[64];
    snprintf(name, sizeof name, "handlers.%d", p->thread);
    p->out = malloc(2 * N * sizeof(int));
    p->in = malloc(2 * N * sizeof(int));
    CHECK_MPI(MPI_Op_create(add, 1, &p->sum));
    CHECK_MPI(MPI_Type_vector(N / 4, 1, 2, MPI_INT, &p->column));
    CHECK_MPI(MPI_Type_commit(&p->column));
    CHECK_MPI(
        MPI_Win_allocate((N + 1) * sizeof(int), sizeof(int), MPI_INFO_NULL, p->comm, &p->memory, &p->win));
    CHECK_MPI(MPI_File_open(p->comm, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                            MPI_INFO_NULL, &p->file));
    CHECK_MPI(MPI_Comm_create_errhandler(on_error, &p->handler));
    CHECK_MPI(MPI_Comm_create_keyval(copy, MPI_COMM_NULL_DELETE_FN, &p->key, NULL));
    CHECK_MPI(MPI_Comm_set_attr(p->comm, p->key, &p->key));
}

static void tidy(struct place *p)
{
    CHECK_MPI(MPI_File_close(&p->file));
    CHECK_MPI(MPI_Win_free(&p->win));
    CHECK_MPI(MPI_Type_free(&p->column));
    CHECK_MPI(MPI_Op_free(&p->sum));
    CHECK_MPI(MPI_Errhandler_free(&p->handler));
    CHECK_MPI(MPI_Comm_free_keyval(&p->key));
    CHECK_MPI(MPI_Comm_free(&p->comm));
    free(p->out);
    free(p->in);
}

/* Whether there have been so many handlers of each kind as the test needs. Those of SIGPROF come as the
 * process gets time of a processor. */
static int enough(void)
{
    return handled[raised[RAISED - 1]] > 5 && handled[SIGALRM] > 20 && handled[SIGPROF] > 5 &&
           handled[SIGUSR1] > 20;
}

static void *work(void *arg)
{
    struct place *p = arg;
    int going = 1;
    mine = 1; /* from now on */
    pthread_sigmask(SIG_SETMASK, &unblocked, NULL);
    prepare(p);
    for (int round = 0; going; round++) {
        for (int k = 0; k < 5; k++) {
            messages(p, round);
            collectives(p, round);
            window(p, round);
        }
        file(p, round);
        objects(p);
        going = now() < end || (!enough() && now() < end + PATIENCE);
        CHECK_MPI(MPI_Allreduce(MPI_IN_PLACE, &going, 1, MPI_INT, MPI_MAX, p->comm));
    }
    tidy(p);
    return NULL;
}

static void spawn(const char *program)
{
    char *args[] = {"child", NULL};
    MPI_Comm children;
    int sum = -1, none = 0;
    CHECK_MPI(
        MPI_Comm_spawn(program, args, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children, MPI_ERRCODES_IGNORE));
    CHECK_MPI(MPI_Allreduce(&none, &sum, 1, MPI_INT, MPI_SUM, children));
    CHECK_EQ(sum, 42);
    CHECK_MPI(MPI_Comm_disconnect(&children));
}

static int child(void)
{
    MPI_Comm parents;
    int v = 42, sum;
    MPI_Init(NULL, NULL);
    MPI_Comm_get_parent(&parents);
    MPI_Allreduce(&v, &sum, 1, MPI_INT, MPI_SUM, parents);
    MPI_Comm_disconnect(&parents);
    return MPI_Finalize();
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "child") == 0)
        return child();
    struct sigaction a = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    struct itimerval fast = {{0, 200}, {0, 200}}, off = {{0, 0}, {0, 0}};
    struct place places[THREADS];
    sigset_t all;
    pthread_t sender;
    int provided;

    mine = 1;
    if (argc > 2)
        n_threads = atoi(argv[2]);
    end = now() + (argc > 1 ? atof(argv[1]) : 1);
    sigaction(SIGALRM, &a, NULL);
    sigaction(SIGPROF, &a, NULL);
    sigaction(SIGUSR1, &a, NULL);
    for (int i = 0; i < RAISED; i++)
        sigaction(raised[i], &a, NULL);
    setitimer(ITIMER_REAL, &fast, NULL); /* MPI_Init, too */
    setitimer(ITIMER_PROF, &fast, NULL);
    CHECK_MPI(
        MPI_Init_thread(&argc, &argv, n_threads > 1 ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided));
    check_know_world();
    threads[0] = pthread_self();
    sigfillset(&all);
    for (int i = 0; i < n_threads; i++) {
        CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &places[i].comm));
        places[i].thread = i;
    }
    pthread_sigmask(SIG_SETMASK, &all, &unblocked);
    pthread_create(&sender, NULL, send_signals, NULL);
    for (int i = 1; i < n_threads; i++)
        pthread_create(&threads[i], NULL, work, &places[i]);
    __atomic_store_n(&ready, n_threads, __ATOMIC_RELEASE);
    work(&places[0]);
    __atomic_store_n(&ready, 1, __ATOMIC_RELEASE);
    /* The sender may be on its way through the old number. */
    int over = __atomic_load_n(&rounds, __ATOMIC_ACQUIRE) + 2;
    while (__atomic_load_n(&rounds, __ATOMIC_ACQUIRE) < over)
        usleep(100);
    for (int i = 1; i < n_threads; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; argc > 3 && i < 3; i++)
        spawn(argv[0]);
    __atomic_store_n(&stop, 1, __ATOMIC_RELEASE);
    pthread_join(sender, NULL);
    setitimer(ITIMER_REAL, &off, NULL);
    setitimer(ITIMER_PROF, &off, NULL);
    CHECK_EQ(strays, 0);
    CHECK_EQ(torn, 0);
    CHECK_MSG(enough(), "%d SIGALRM, %d SIGPROF, %d SIGUSR1, %d handlers of the last signal", handled[SIGALRM],
              handled[SIGPROF], handled[SIGUSR1], handled[raised[RAISED - 1]]);
    return check_finish();
}
