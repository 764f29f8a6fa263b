/* What has been called, in a file that survives the process, and what the ranks agree on. */
#include "fuzz.h"
#include <fcntl.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { RECORD_SIZE = 1 << 20, LINE = 2000, MOST_RANKS = 8 };

static char *record;
static size_t at;

static void *shared_file(const char *path, size_t size)
{
    int fd = open(path, O_RDWR | O_CREAT, 0600);
    void *p = MAP_FAILED;
    if (fd >= 0 && ftruncate(fd, (off_t)size) == 0)
        p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (fd >= 0)
        close(fd);
    if (p == MAP_FAILED) {
        perror(path);
        exit(2);
    }
    return p;
}

void make_record(int rank)
{
    char name[40];
    snprintf(name, sizeof name, "pid.%d", rank);
    FILE *pid = fopen(name, "w");
    if (pid) {
        fprintf(pid, "%d", (int)getpid());
        fclose(pid);
    }
    snprintf(name, sizeof name, "record.%d", rank);
    record = shared_file(name, RECORD_SIZE);
}

static void put(const char *format, va_list args)
{
    if (at + LINE >= RECORD_SIZE) {
        memmove(record, record + RECORD_SIZE / 2, at - RECORD_SIZE / 2);
        at -= RECORD_SIZE / 2;
        memset(record + at, 0, RECORD_SIZE - at);
    }
    int n = vsnprintf(record + at, LINE, format, args);
    at += (size_t)(n < LINE ? n : LINE - 1);
}

void note(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    put(format, args);
    va_end(args);
}

void failed(const char *format, ...)
{
    va_list args;
    char text[LINE];
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    note("\nFAILED: %s\n", text);
    fprintf(stderr, "rank %d: %s\n", me, text);
    fflush(NULL);
    _exit(3);
}

static void note_elements(const struct param *p, int64_t value, int64_t n)
{
    if (n > 4)
        n = 4;
    note("{");
    for (int64_t i = 0; i < n; i++) {
        const char *e = (const char *)value + (size_t)i * p->size;
        int64_t x = 0;
        memcpy(&x, e, p->size < 8 ? p->size : 8);
        note(p->size == 4 ? "%s%lld" : "%s%#llx", i ? ", " : "",
             p->size == 4 ? (long long)(int)x : (long long)x);
    }
    note("}");
}

void record_call(const struct call *c)
{
    static int number;
    note("%d%s %s(", number++, together ? " all" : "", c->function->name);
    for (int i = 0; i < c->function->n; i++) {
        const struct param *p = &c->function->params[i];
        int64_t v = c->v[i];
        note("%s%s=", i ? ", " : "", p->name);
        bool readable = v > 4096 && !c->bad[i];
        if (p->kind == K_str && p->direction == IN && readable)
            note("\"%.40s\"%s", (char *)v, strlen((char *)v) > 40 ? "..." : "");
        else if (readable && p->array && p->direction != OUT && p->kind != K_argv && p->kind != K_argvs)
            note_elements(p, v, p->length >= 0 ? c->v[p->length] : 2);
        else if (readable && p->direction == INOUT && p->size <= 8 && p->kind != K_argvp && p->kind != K_buf)
            note_elements(p, v, 1);
        else
            note(p->size == 4 && v < INT32_MAX && v >= INT32_MIN && p->direction == IN ? "%lld" : "%#llx",
                 (long long)v);
    }
    note(")");
}

void record_result(int rc)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int n = 0;
    if (rc != MPI_SUCCESS)
        PMPI_Error_string(rc, text, &n);
    note(" = %d %s\n", rc, text);
}

/* passes_low_address says of a call whether one of its addresses is NULL, MPI_IN_PLACE or another such
 * constant. */
static bool passes_low_address(const struct call *c)
{
    for (int i = 0; i < c->function->n; i++) {
        enum kind kind = c->function->params[i].kind;
        bool memory = kind == K_buf || kind == K_cbuf || kind == K_mem || kind == K_ptr;
        if (memory && c->v[i] >= 0 && c->v[i] < 4096)
            return true;
    }
    return false;
}

/* judge looks at what a call has returned. */
void judge(const struct call *c, int rc)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int n = 0, class = 0;
    if (rc == MPI_SUCCESS || strstr(c->function->name, "MPI_T_"))
        return;
    if (strstr(c->function->name, "call_errhandler") || strstr(c->function->name, "_attr") ||
        strstr(c->function->name, "keyval"))
        return; /* codes of the caller's own */
    if (PMPI_Error_class(rc, &class) != MPI_SUCCESS || PMPI_Error_string(rc, text, &n) != MPI_SUCCESS)
        failed("%s: returns %d, which is no error code", c->function->name, rc);
    if (class == MPI_ERR_INTERN)
        failed("%s", text);
    if (!addresses && !c->fails && !passes_low_address(c) && strstr(text, "cannot be read or written"))
        failed("%s: no bad address was passed", text);
}

/* Agreement of ranks, beside MPI: a hang of MPI has to be seen as one. */
static struct {
    int step[MOST_RANKS];
    int yes[2][MOST_RANKS];
} * board;
static int steps;

void make_agreement(const char *path) { board = shared_file(path, sizeof *board); }

bool agree(bool yes)
{
    if (!together || np == 1)
        return yes;
    steps++;
    board->yes[steps & 1][me] = yes;
    __atomic_store_n(&board->step[me], steps, __ATOMIC_RELEASE);
    bool all = true;
    for (int r = 0; r < np; r++) {
        while (__atomic_load_n(&board->step[r], __ATOMIC_ACQUIRE) < steps) {
            int flag; /* others may need this rank's progress */
            PMPI_Iprobe(MPI_PROC_NULL, 0, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
            sched_yield();
        }
        all = all && board->yes[steps & 1][r];
    }
    return all;
}
