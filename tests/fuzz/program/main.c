/*
 * One batch of calls of any functions of MPI with any arguments: program SEED CALLS [words]. Words are
 * addresses (bad addresses are passed, too), ends (MPI_Abort and MPI_Finalize are called, too), skip=FROM-TO
 * (these calls are left out) and fault=KIND (the program itself does what the fuzzer is there to find).
 * Whatever the arguments are, a call ends, gives an error of a class that says what was wrong, and writes
 * nowhere but where it may. Seed and words say all about a batch. With two ranks, calls that belong together
 * are made by both, with equal arguments but for ranks, so that both succeed or both fail.
 */
#include "fuzz.h"
#include "../../c/callbacks.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static void nothing(void *a, void *b, int *n, MPI_Datatype *type) { (void)a, (void)b, (void)n, (void)type; }
static void nothing_c(void *a, void *b, MPI_Count *n, MPI_Datatype *type)
{
    (void)a, (void)b, (void)n, (void)type;
}
static int on_query(void *state, MPI_Status *status)
{
    (void)state;
    status->MPI_SOURCE = MPI_UNDEFINED;
    status->MPI_TAG = MPI_UNDEFINED;
    PMPI_Status_set_elements(status, MPI_BYTE, 0);
    PMPI_Status_set_cancelled(status, 0);
    return MPI_SUCCESS;
}
static int on_free(void *state) { return (void)state, MPI_SUCCESS; }
static int on_cancel(void *state, int complete) { return (void)state, (void)complete, MPI_SUCCESS; }
static void on_event(MPI_T_event_instance i, MPI_T_event_registration r, MPI_T_cb_safety s, void *state)
{
    (void)i, (void)r, (void)s, (void)state;
}
static void on_event_free(MPI_T_event_registration r, MPI_T_cb_safety s, void *state)
{
    (void)r, (void)s, (void)state;
}
static void on_dropped(MPI_Count n, MPI_T_event_registration r, int i, MPI_T_cb_safety s, void *state)
{
    (void)n, (void)r, (void)i, (void)s, (void)state;
}

#undef fn_User_function
#define fn_User_function nothing /* adds no ints where other types are */
#undef fn_User_function_c
#define fn_User_function_c nothing_c
#define fn_Grequest_query_function on_query
#define fn_Grequest_free_function on_free
#define fn_Grequest_cancel_function on_cancel
#define fn_T_event_cb_function on_event
#define fn_T_event_free_cb_function on_event_free
#define fn_T_event_dropped_cb_function on_dropped
#include "zz_functions.h"

int me, np = 1;
bool addresses, together;
uint64_t seed;
const struct function *const all_functions = functions;
const int all_functions_count = sizeof functions / sizeof *functions;

static uint64_t state;

uint64_t roll(void)
{
    uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}
int below(int n) { return n <= 0 ? 0 : (int)(roll() % (uint64_t)n); }
bool chance(int percent) { return below(100) < percent; }

static void cast(int step, int who)
{
    state = seed * 1000003 + (uint64_t)step * 0x51ed2701 + (uint64_t)who * 0x1234567;
    roll();
    state ^= roll();
}

/* finish notes what a call has done to the objects. One that a rank has got and another has not, such as a
 * communicator whose group has one of them, is not theirs together; nor is one that only some have known,
 * such as an error handler that one of them has attached. */
static void finish(struct call *c, int rc)
{
    for (int i = 0; i < c->function->n; i++) {
        const struct param *p = &c->function->params[i];
        if (c->v[i] == 0 || c->handles[i] == 0)
            continue;
        for (int k = 0; k < c->handles[i]; k++) {
            int64_t now = 0, was = c->before[i][k];
            memcpy(&now, (char *)c->v[i] + (size_t)k * p->size, p->size);
            if (p->size == 4)
                now = (int)now;
            if (p->direction == INOUT) {
                bool changed = now != was;
                if (!agree(!changed))
                    forget(p->kind, was);
                if (agree(changed && is_new(p->kind, now)))
                    remember(p->kind, now);
            } else if (agree(rc == MPI_SUCCESS && is_new(p->kind, now))) {
                adopt(p->kind, now);
            }
        }
    }
}

static const struct function *chosen(const char *only)
{
    for (;;) {
        const struct function *f = &functions[below(all_functions_count)];
        enum rule rule = rule_of(f);
        if (rule == ENDS && !only)
            continue;
        if (np > 1 && ((rule == TOGETHER && !together) || (rule == ALONE && together)))
            continue;
        return f;
    }
}

static void one_call(int step, const char *only)
{
    struct call c = {0};
    cast(step, 0);
    together = np > 1 && chance(60);
    if (np > 1 && !together)
        cast(step, me + 1);
    c.function = chosen(only);
    draw(&c);
    if (!may_call(&c)) {
        check_memory(false);
        return;
    }
    record_call(&c);
    seal();
    int rc = c.function->call(c.v);
    record_result(rc);
    judge(&c, rc);
    after_call(&c, rc);
    finish(&c, rc);
    check_memory(rc == MPI_SUCCESS && keeps_memory(c.function));
}

/* left_out: a word skip=FROM-TO leaves calls out, to find those that a failure needs. */
static bool left_out(int argc, char **argv, int step)
{
    int from, to;
    for (int i = 3; i < argc; i++)
        if (sscanf(argv[i], "skip=%d-%d", &from, &to) == 2 && step >= from && step <= to)
            return true;
    return false;
}

/* commit_fault does what the library must not do. */
static void commit_fault(const char *kind)
{
    if (strcmp(kind, "crash") == 0)
        raise(SIGSEGV);
    if (strcmp(kind, "trace") == 0)
        fprintf(stderr, "panic: as the Go runtime writes it\n");
    for (; strcmp(kind, "hang") == 0;)
        pause();
    if (strcmp(kind, "overrun") == 0) {
        char *buffer = take(100, 10, 20);
        seal();
        buffer[20]++;
        check_memory(false);
    }
}

static void limit(int what, rlim_t value)
{
    struct rlimit l;
    getrlimit(what, &l);
    if (l.rlim_max == RLIM_INFINITY || value < l.rlim_max)
        l.rlim_cur = value;
    setrlimit(what, &l);
}

static void on_error(MPI_Comm *comm, int *code, ...)
{
    char text[MPI_MAX_ERROR_STRING];
    int n, rank;
    PMPI_Error_string(*code, text, &n);
    PMPI_Comm_rank(*comm, &rank);
}

/* MPI_Finalize may wait for messages that nobody receives. */
static void on_alarm(int sig)
{
    (void)sig;
    _exit(4);
}

int main(int argc, char **argv)
{
    int calls = argc > 2 ? atoi(argv[2]) : 100, provided;
    const char *ends = NULL, *fault = "";
    if (argc > 1)
        seed = strtoull(argv[1], NULL, 10);
    for (int i = 3; i < argc; i++) {
        if (strcmp(argv[i], "addresses") == 0)
            addresses = true;
        if (strcmp(argv[i], "ends") == 0)
            ends = argv[i];
        if (strncmp(argv[i], "fault=", 6) == 0)
            fault = argv[i] + 6;
    }
    signal(SIGXFSZ, SIG_IGN);
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_FSIZE, (rlim_t)1 << 30);
    cast(0, 100);
    static const int levels[] = {MPI_THREAD_SINGLE, MPI_THREAD_SINGLE, MPI_THREAD_MULTIPLE};
    MPI_Init_thread(NULL, NULL, PICK(levels), &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    make_record(me);
    make_agreement("agreement");
    make_memory();
    limit(RLIMIT_AS, ((rlim_t)1 << 44) + ((rlim_t)6 << 30));
    MPI_Errhandler handler = MPI_ERRORS_RETURN;
    if (chance(25))
        MPI_Comm_create_errhandler(on_error, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, handler);
    MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    for (int step = 1; step <= calls; step++)
        if (!left_out(argc, argv, step))
            one_call(step, ends);
    commit_fault(fault);
    together = false;
    check_all_memory();
    note("end of calls\n");
    int finalized = 0;
    PMPI_Finalized(&finalized);
    if (finalized) /* by one of the calls */
        return 0;
    if (np == 1)
        drain();
    signal(SIGALRM, on_alarm);
    alarm(5);
    end_sessions();
    MPI_Finalize();
    note("finalized\n");
    return 0;
}
