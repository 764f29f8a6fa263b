/*
 * What every program of this suite stands on: checks that name the place, the rank and the values,
 * reproducible data, and buffers whose surroundings are watched. A program begins with check_init and
 * ends with check_finish; in between it may check as much as it likes. A failed check is reported at once
 * and the program goes on (up to CHECK_LIMIT failures); the job then ends with exit code 1.
 *
 * Everything is static: each program is one file and links against nothing but the MPI library.
 */
#ifndef GOMPI_TESTS_CHECK_H
#define GOMPI_TESTS_CHECK_H

#include <inttypes.h>
#include <mpi.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK_LIMIT 10     /* failures of one rank after which it gives up */
#define CHECK_GUARD_SIZE 64 /* watched bytes on either side of a buffer */
#define CHECK_GUARD_BYTE 0xa5
#define CHECK_FRESH_BYTE 0xee /* what a buffer holds before anything is received */
#define CHECK_SKIP 77         /* exit code of a program that cannot run here */

#define CHECK_UNUSED __attribute__((unused))

/* Rank and size in MPI_COMM_WORLD, set by check_init. */
static int me CHECK_UNUSED = -1;
static int np CHECK_UNUSED = 0;

static long check_made;   /* checks made by this rank; threads count too */
static int check_failed;  /* checks failed by this rank */

/* ---- reporting ---- */

static int check_mpi_is_up(void)
{
    int up = 0, down = 0;
    MPI_Initialized(&up);
    MPI_Finalized(&down);
    return up && !down;
}

static void check_give_up(void)
{
    fflush(NULL);
    if (check_mpi_is_up())
        MPI_Abort(MPI_COMM_WORLD, 1);
    exit(1);
}

__attribute__((format(printf, 3, 4))) CHECK_UNUSED
static void check_fail(const char *file, int line, const char *fmt, ...)
{
    char text[1024];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    const char *slash = strrchr(file, '/');
    fprintf(stderr, "%s:%d: rank %d of %d: %s\n", slash ? slash + 1 : file, line, me, np, text);
    if (__atomic_add_fetch(&check_failed, 1, __ATOMIC_RELAXED) >= CHECK_LIMIT)
        check_give_up();
}

static inline void check_count(void) { __atomic_add_fetch(&check_made, 1, __ATOMIC_RELAXED); }

CHECK_UNUSED
static void check_equal(const char *file, int line, const char *what, long long got, long long want)
{
    check_count();
    if (got != want)
        check_fail(file, line, "%s is %lld, want %lld", what, got, want);
}

CHECK_UNUSED
static void check_success(const char *file, int line, const char *call, int rc)
{
    check_count();
    if (rc == MPI_SUCCESS)
        return;
    char text[MPI_MAX_ERROR_STRING] = "";
    int n = 0;
    MPI_Error_string(rc, text, &n);
    check_fail(file, line, "%s returned %d: %s", call, rc, text);
}

CHECK_UNUSED
static void check_error_class(const char *file, int line, const char *call, int rc, int want)
{
    int class = -1, n = 0;
    char text[MPI_MAX_ERROR_STRING] = "";
    check_count();
    if (rc != MPI_SUCCESS) {
        MPI_Error_class(rc, &class);
        MPI_Error_string(rc, text, &n);
    } else {
        class = MPI_SUCCESS;
    }
    if (class != want)
        check_fail(file, line, "%s gave error class %d, want %d: %s", call, class, want, text);
}

/* CHECK(condition) */
#define CHECK(cond)                                                                                    \
    do {                                                                                               \
        check_count();                                                                                 \
        if (!(cond))                                                                                   \
            check_fail(__FILE__, __LINE__, "not true: %s", #cond);                                     \
    } while (0)

/* CHECK_MSG(condition, format, ...) for loops, where the values matter. */
#define CHECK_MSG(cond, ...)                                                                           \
    do {                                                                                               \
        check_count();                                                                                 \
        if (!(cond))                                                                                   \
            check_fail(__FILE__, __LINE__, __VA_ARGS__);                                               \
    } while (0)

#define CHECK_EQ(got, want) check_equal(__FILE__, __LINE__, #got, (long long)(got), (long long)(want))
#define CHECK_MPI(call) check_success(__FILE__, __LINE__, #call, (call))
#define CHECK_CLASS(call, class) check_error_class(__FILE__, __LINE__, #call, (call), (class))

/* CHECK_STATUS(status, source, tag) */
#define CHECK_STATUS(st, source, tag)                                                                  \
    do {                                                                                               \
        CHECK_EQ((st).MPI_SOURCE, source);                                                             \
        CHECK_EQ((st).MPI_TAG, tag);                                                                   \
    } while (0)

/* CHECK_COUNT(status, datatype, count) */
#define CHECK_COUNT(st, type, want)                                                                    \
    do {                                                                                               \
        int check_n_ = -12345;                                                                         \
        CHECK_MPI(MPI_Get_count(&(st), (type), &check_n_));                                            \
        CHECK_EQ(check_n_, want);                                                                      \
    } while (0)

/* ---- begin and end ---- */

CHECK_UNUSED
static void check_know_world(void)
{
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
}

CHECK_UNUSED
static void check_init(int *argc, char ***argv)
{
    CHECK_MPI(MPI_Init(argc, argv));
    check_know_world();
    check_made = 0;
}

/* The exit code of a program that has left MPI. */
CHECK_UNUSED
static int check_result(void)
{
    if (check_made == 0)
        check_fail(__FILE__, __LINE__, "the program has checked nothing");
    if (check_failed)
        fprintf(stderr, "rank %d of %d: %d of %ld checks failed\n", me, np, check_failed, check_made);
    return check_failed ? 1 : 0;
}

CHECK_UNUSED
static int check_finish(void)
{
    if (check_result() != 0)
        check_give_up();
    MPI_Finalize();
    return check_failed ? 1 : 0;
}

/* check_skip ends the program as "cannot run here"; every rank must call it. */
CHECK_UNUSED
static void check_skip(const char *why)
{
    if (me <= 0)
        printf("skipped: %s\n", why);
    if (check_mpi_is_up())
        MPI_Finalize();
    exit(CHECK_SKIP);
}

/* The process's resident memory in KiB, for programs that look for leaks. */
CHECK_UNUSED
static long check_resident(void)
{
    long kib = -1;
    char line[128];
    FILE *f = fopen("/proc/self/status", "r");
    while (f && kib < 0 && fgets(line, sizeof line, f))
        sscanf(line, "VmRSS: %ld", &kib);
    if (f)
        fclose(f);
    CHECK(kib > 0);
    return kib;
}

/* ---- reproducible data ---- */

/* check_mix scatters the bits of x; equal arguments give equal results on every machine. */
static inline uint64_t check_mix(uint64_t x)
{
    x += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

/* check_random steps a generator whose state is one word. */
static inline uint64_t check_random(uint64_t *state)
{
    *state += 1;
    return check_mix(*state);
}

/* check_below gives a number in [0, n). */
CHECK_UNUSED
static inline uint64_t check_below(uint64_t *state, uint64_t n) { return check_random(state) % n; }

static inline uint64_t check_word(uint64_t seed, size_t i) { return check_mix(seed * 0x10001 + i); }

/* check_fill writes the n bytes that belong to seed. */
CHECK_UNUSED
static void check_fill(void *p, size_t n, uint64_t seed)
{
    unsigned char *b = p;
    size_t i = 0;
    for (; i + 8 <= n; i += 8) {
        uint64_t w = check_word(seed, i / 8);
        memcpy(b + i, &w, 8);
    }
    if (i < n) {
        uint64_t w = check_word(seed, i / 8);
        memcpy(b + i, &w, n - i);
    }
}

CHECK_UNUSED
static unsigned char check_byte(uint64_t seed, size_t i)
{
    uint64_t w = check_word(seed, i / 8);
    unsigned char b[8];
    memcpy(b, &w, 8);
    return b[i % 8];
}

CHECK_UNUSED
static void check_data(const char *file, int line, const void *p, size_t n, uint64_t seed)
{
    const unsigned char *b = p;
    check_count();
    for (size_t i = 0; i < n; i += 8) {
        uint64_t w = check_word(seed, i / 8);
        size_t k = n - i < 8 ? n - i : 8;
        if (memcmp(b + i, &w, k) == 0)
            continue;
        while (b[i] == check_byte(seed, i))
            i++;
        check_fail(file, line, "byte %zu of %zu (data %" PRIu64 ") is 0x%02x, want 0x%02x", i, n, seed, b[i],
                   check_byte(seed, i));
        return;
    }
}

/* CHECK_DATA(p, n, seed): the n bytes at p are those that check_fill writes for seed. */
#define CHECK_DATA(p, n, seed) check_data(__FILE__, __LINE__, (p), (n), (seed))

/* ---- watched buffers ---- */

CHECK_UNUSED
static int check_all_bytes(const void *p, size_t n, unsigned char want, size_t *where)
{
    const unsigned char *b = p;
    for (size_t i = 0; i < n; i++)
        if (b[i] != want) {
            *where = i;
            return 0;
        }
    return 1;
}

struct check_buffer {
    size_t size;
    void *memory;
};

/*
 * check_alloc_at gives n bytes whose address is `shift` (less than 64) past a multiple of 64, filled with
 * CHECK_FRESH_BYTE, with CHECK_GUARD_SIZE guard bytes on either side. Free it with check_free, which looks at
 * the guards.
 */
CHECK_UNUSED
static void *check_alloc_at(size_t n, size_t shift)
{
    size_t front = 128; /* room for the description and the guard, a multiple of 64 */
    char *memory = NULL;
    if (posix_memalign((void **)&memory, 64, front + shift + n + CHECK_GUARD_SIZE) != 0) {
        check_fail(__FILE__, __LINE__, "no memory for %zu bytes", n);
        check_give_up();
    }
    struct check_buffer head = {n, memory};
    char *p = memory + front + shift;
    memcpy(p - CHECK_GUARD_SIZE - sizeof head, &head, sizeof head);
    memset(p - CHECK_GUARD_SIZE, CHECK_GUARD_BYTE, CHECK_GUARD_SIZE);
    memset(p, CHECK_FRESH_BYTE, n);
    memset(p + n, CHECK_GUARD_BYTE, CHECK_GUARD_SIZE);
    return p;
}

CHECK_UNUSED
static void *check_alloc(size_t n) { return check_alloc_at(n, 0); }

CHECK_UNUSED
static void check_guards(const char *file, int line, const void *p)
{
    const char *b = p;
    struct check_buffer head;
    size_t at;
    memcpy(&head, b - CHECK_GUARD_SIZE - sizeof head, sizeof head);
    check_count();
    if (!check_all_bytes(b - CHECK_GUARD_SIZE, CHECK_GUARD_SIZE, CHECK_GUARD_BYTE, &at))
        check_fail(file, line, "byte -%zu before a buffer of %zu bytes was overwritten", CHECK_GUARD_SIZE - at, head.size);
    if (!check_all_bytes(b + head.size, CHECK_GUARD_SIZE, CHECK_GUARD_BYTE, &at))
        check_fail(file, line, "byte %zu behind a buffer of %zu bytes was overwritten", at, head.size);
}

/* CHECK_GUARD(p): nothing was written next to the buffer that check_alloc gave. */
#define CHECK_GUARD(p) check_guards(__FILE__, __LINE__, (p))

CHECK_UNUSED
static void check_fresh(const char *file, int line, const void *p, size_t from, size_t n)
{
    size_t at;
    check_count();
    if (!check_all_bytes((const char *)p + from, n, CHECK_FRESH_BYTE, &at))
        check_fail(file, line, "byte %zu was written, only %zu bytes were due", from + at, from);
}

/* CHECK_FRESH(p, from, n): the bytes [from, from+n) of the buffer are as check_alloc left them. */
#define CHECK_FRESH(p, from, n) check_fresh(__FILE__, __LINE__, (p), (from), (n))

/* check_renew makes the n bytes at p fresh again. */
CHECK_UNUSED
static void check_renew(void *p, size_t n) { memset(p, CHECK_FRESH_BYTE, n); }

#define check_free(p) check_free_at(__FILE__, __LINE__, (p))
CHECK_UNUSED
static void check_free_at(const char *file, int line, void *p)
{
    struct check_buffer head;
    check_guards(file, line, p);
    memcpy(&head, (char *)p - CHECK_GUARD_SIZE - sizeof head, sizeof head);
    free(head.memory);
}

#endif
