/*
 * Every pointer argument of every function, one at a time, is NULL plus an offset (8), or a page without
 * memory (0x2000). The call fails with a class of the argument's and a text with its name and the address,
 * and never with an error of the library. Without arguments the program starts itself for each address again
 * and again, once more after each crash; for 0x2000 those functions may crash that answer without a call into
 * Go (docs/guide.md, "Bad addresses"). argv: eight, for several ranks, all of which make the same call
 * with 8.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <signal.h>
#include <unistd.h>

#include "../abi/calls_world.h"

static void *address;
static int which;

/* The i-th pointer of a call. */
static void *at(int i, const void *legal) { return i == which ? address : (void *)(uintptr_t)legal; }

#define AT(i, ...) at(i, __VA_ARGS__)

/* What prepares a call need not succeed: earlier calls may have left things behind. */
#undef DO
#define DO(call) ((void)(call))

static MPI_Request the_send, the_receive;
static MPI_T_cvar_handle the_cvar;
static MPI_T_pvar_handle the_pvar;
static MPI_T_pvar_session the_pvars;
static MPI_T_enum the_enum;
static MPI_T_event_registration the_event;

static int on_query(void *state, MPI_Status *st) { return (void)state, (void)st, MPI_SUCCESS; }
static int on_free(void *state) { return (void)state, MPI_SUCCESS; }
static int on_cancel(void *state, int complete) { return (void)state, (void)complete, MPI_SUCCESS; }
#define fn_Grequest_query_function on_query
#define fn_Grequest_free_function on_free
#define fn_Grequest_cancel_function on_cancel
#define fn_T_event_free_cb_function NULL
#define fn_T_event_cb_function NULL
#define fn_T_event_dropped_cb_function NULL

#include "zz_addresses.h"

enum { CALLS = sizeof bad_calls / sizeof *bad_calls, MOST_POINTERS = 16 };

/* What two processes know: the call that is made, and how many have failed. */
static struct progress {
    volatile int call, pointer, failed;
} *progress;

static int listed(const char *const list[], const char *name)
{
    for (; *list != NULL; list++)
        if (strcmp(*list, name) == 0)
            return 1;
    return 0;
}

/* The i-th name of a list with spaces between; NULL behind the last. */
static const char *nth(const char *names, int i)
{
    static char found[64];
    for (; i > 0 && names != NULL; i--)
        if ((names = strchr(names, ' ')) != NULL)
            names++;
    if (names == NULL)
        return NULL;
    snprintf(found, sizeof found, "%.*s", (int)strcspn(names, " "), names);
    return found;
}

/* Arguments at which any address is legal, or that are not looked at. */
static const char *const unseen[] = {
    "MPI_Get_address location", "MPI_Address location", /* an address is all that is asked for */
    "MPI_Dist_graph_neighbors sourceweights", "MPI_Dist_graph_neighbors destweights", /* the graph has no weights */
    "MPI_T_event_copy buffer", "MPI_T_event_read buffer", /* there is no event here */
    "MPI_Init argc", "MPI_Init argv", "MPI_Init_thread argc", "MPI_Init_thread argv", /* nothing is read there */
    NULL,
};

/* Functions that give no text for their errors (MPI 5.0, 20.3), as there may be no MPI yet. */
static const char *const silent[] = {"MPI_Status_c2f", "MPI_Status_f2c", NULL};

/* Functions that may use an address without a call into Go, beside those that are answered from records.
 * Messages of a process to itself and its collectives try it first. */
static const char *const in_c[] = {
    "MPI_Pack", "MPI_Unpack", "MPI_Pack_external", "MPI_Unpack_external",
    "MPI_Start", "MPI_Startall", "MPI_Request_free", "MPI_Cancel",
    "MPI_Mprobe", "MPI_Improbe", "MPI_Mrecv", "MPI_Mrecv_c", "MPI_Imrecv", "MPI_Imrecv_c",
    "MPI_Wait", "MPI_Waitall", "MPI_Waitany", "MPI_Waitsome", "MPI_Test", "MPI_Testall", "MPI_Testany", "MPI_Testsome",
    "MPI_Put", "MPI_Put_c", "MPI_Get", "MPI_Get_c", "MPI_Accumulate", "MPI_Accumulate_c", "MPI_Get_accumulate",
    "MPI_Get_accumulate_c", "MPI_Fetch_and_op", "MPI_Rput", "MPI_Rput_c", "MPI_Rget", "MPI_Rget_c",
    "MPI_Raccumulate", "MPI_Raccumulate_c", "MPI_Rget_accumulate", "MPI_Rget_accumulate_c",
    "MPI_Compare_and_swap", "MPI_Win_test",
    "MPI_Get_address", "MPI_Address", "MPI_Initialized", "MPI_Finalized", "MPI_Test_cancelled",
    "MPI_Status_set_cancelled", "MPI_Status_get_source", "MPI_Status_get_tag", "MPI_Status_get_error",
    "MPI_Status_set_source", "MPI_Status_set_tag", "MPI_Status_set_error", "MPI_Status_c2f", "MPI_Status_f2c",
    "MPI_Request_get_status", "MPI_Request_get_status_all", "MPI_Request_get_status_any",
    "MPI_Request_get_status_some",
    NULL,
};

static void complain(const char *function, const char *pointer, const char *what)
{
    fprintf(stderr, "%s, %s = %p: %s\n", function, pointer, address, what);
    progress->failed++;
}

static void judge(const char *function, const char *pointer, int rc)
{
    char said[MPI_MAX_ERROR_STRING] = "", where[32], name[64], place[128];
    int n, class = MPI_SUCCESS;
    snprintf(name, sizeof name, "%s", pointer);
    snprintf(where, sizeof where, "%#lx", (unsigned long)address);
    snprintf(place, sizeof place, "%s %s", function, name);
    if (listed(unseen, place))
        return;
    if (rc == MPI_SUCCESS) {
        complain(function, name, "no error");
        return;
    }
    MPI_Error_class(rc, &class);
    MPI_Error_string(rc, said, &n);
    if (class == MPI_ERR_INTERN)
        complain(function, name, said);
    else if (!listed(silent, function) && (strstr(said, where) == NULL || strstr(said, name) == NULL))
        complain(function, name, said);
}

/* Takes what messages of earlier calls have left, and ends the access to the file that one has begun. */
static void drain(void)
{
    int flag = 1;
    MPI_Message m;
    MPI_File_read_all_end(the_file, in, MPI_STATUS_IGNORE);
    MPI_File_write_all_end(the_file, out, MPI_STATUS_IGNORE);
    MPI_File_read_at_all_end(the_file, in, MPI_STATUS_IGNORE);
    MPI_File_write_at_all_end(the_file, out, MPI_STATUS_IGNORE);
    MPI_File_read_ordered_end(the_file, in, MPI_STATUS_IGNORE);
    MPI_File_write_ordered_end(the_file, out, MPI_STATUS_IGNORE);
    MPI_Barrier(the_comm);
    while (flag &&
           MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, the_comm, &flag, &m, MPI_STATUS_IGNORE) == MPI_SUCCESS)
        if (flag)
            MPI_Mrecv(in, sizeof in / sizeof *in, MPI_INT, &m, MPI_STATUS_IGNORE);
    MPI_Barrier(the_comm);
}

static void run_from(int call, int pointer)
{
    for (; call < CALLS; call++, pointer = 0) {
        const struct bad_call *c = &bad_calls[call];
        if (np > 1 && c->rooted)
            continue; /* what is bad at the root only, the others do not find */
        for (; nth(c->pointers, pointer) != NULL; pointer++) {
            progress->call = call;
            progress->pointer = which = pointer;
            alarm(100);
            drain();
            judge(c->name, nth(c->pointers, pointer), c->call());
        }
    }
    alarm(0);
}

static void make_tools(void)
{
    int provided, n, count, kind;
    MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    MPI_T_cvar_handle_alloc(0, NULL, &the_cvar, &count);
    MPI_T_cvar_get_num(&n);
    for (int i = 0; i < n && the_enum == MPI_T_ENUM_NULL; i++)
        MPI_T_cvar_get_info(i, NULL, NULL, NULL, NULL, &the_enum, NULL, NULL, NULL, NULL);
    MPI_T_pvar_session_create(&the_pvars);
    MPI_T_pvar_get_num(&n);
    for (int i = 0; i < n && the_pvar == MPI_T_PVAR_HANDLE_NULL; i++) {
        MPI_T_pvar_get_info(i, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, &kind, NULL, NULL, NULL);
        if (kind == MPI_T_BIND_NO_OBJECT)
            MPI_T_pvar_handle_alloc(the_pvars, i, NULL, &the_pvar, &count);
    }
    MPI_T_event_handle_alloc(0, NULL, MPI_INFO_NULL, &the_event);
    MPI_Psend_init(out, 4, 1, MPI_INT, right, TAG + 2, the_comm, MPI_INFO_NULL, &the_send);
    MPI_Precv_init(in, 4, 1, MPI_INT, left, TAG + 2, the_comm, MPI_INFO_NULL, &the_receive);
    MPI_Start(&the_send);
    MPI_Start(&the_receive);
}

static void make_all(int *argc, char ***argv)
{
    MPI_Init(argc, argv);
    check_know_world();
    make_world();
    MPI_Session_set_errhandler(the_session, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(the_comm, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(the_cart, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(the_graph, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(the_dist, MPI_ERRORS_RETURN);
    MPI_File_set_errhandler(the_file, MPI_ERRORS_RETURN);
    make_tools();
}

/* A process that makes calls from one on, until it crashes or all are made. */
static int start(char *program, int fd)
{
    char number[16], where[32];
    int status;
    pid_t pid = fork();
    if (pid == 0) {
        snprintf(number, sizeof number, "%d", fd);
        snprintf(where, sizeof where, "%#lx", (unsigned long)address);
        execl(program, program, "from", number, where, (char *)NULL);
        _exit(127);
    }
    while (waitpid(pid, &status, 0) < 0)
        continue;
    return status;
}

static int run_all(char *program, int fd)
{
    struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    for (int i = 0; i < 2; i++) {
        address = (void *)(uintptr_t)(i == 0 ? 8 : 0x2000);
        progress->call = progress->pointer = 0;
        for (int status; (status = start(program, fd)) != 0 && progress->failed < 100; progress->pointer++) {
            const struct bad_call *c = &bad_calls[progress->call];
            char what[64];
            snprintf(what, sizeof what, "ends with %s %d", WIFSIGNALED(status) ? "signal" : "code",
                     WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
            if (i == 0 || !WIFSIGNALED(status) || WTERMSIG(status) != SIGSEGV ||
                !(c->record || listed(in_c, c->name)))
                complain(c->name, nth(c->pointers, progress->pointer), what);
        }
    }
    unlink(FILE_NAME);
    return progress->failed != 0;
}

static void name_the_call(int sig)
{
    (void)sig;
    complain(bad_calls[progress->call].name, nth(bad_calls[progress->call].pointers, progress->pointer), "crashes");
    _exit(1);
}

int main(int argc, char **argv)
{
    int fd = argc == 4 ? atoi(argv[2]) : memfd_create("progress", 0);
    if (ftruncate(fd, sizeof *progress) != 0)
        return 1;
    progress = mmap(NULL, sizeof *progress, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (argc == 1)
        return run_all(argv[0], fd);
    address = argc == 4 ? (void *)strtoul(argv[3], NULL, 0) : (void *)8;
    make_all(&argc, &argv);
    if (argc == 2)
        signal(SIGSEGV, name_the_call);
    run_from(progress->call, progress->pointer);
    if (progress->call != CALLS - 1)
        complain("main", "call", "not all calls were made");
    if (argc == 4)
        _exit(0); /* the parent counts, and what the calls have left behind does not matter to it */
    MPI_Session_finalize(&the_session);
    unlink(FILE_NAME);
    MPI_Finalize();
    return progress->failed != 0;
}
