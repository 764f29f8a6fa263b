/* Numbers and strings: those that mean something, by the parameter's name, and those that do not. */
#include "fuzz.h"
#include <limits.h>
#include <stdio.h>
#include <string.h>

/* draw_size is a number of something. */
int64_t draw_size(bool large, bool bad)
{
    static const int64_t good[] = {0, 1, 1, 2, 3, 4, 7, 16, 33};
    static const int64_t odd[] = {-1,      -2,     INT_MAX,       INT_MIN,        INT_MAX - 1,
                                  1 << 20, 100000, MPI_UNDEFINED, INT_MAX / 2 + 1};
    static const int64_t huge[] = {(int64_t)1 << 31,    (int64_t)1 << 32, (int64_t)1 << 40,
                                   INT64_MAX,           INT64_MIN,        (int64_t)1 << 62,
                                   -((int64_t)1 << 40), INT64_MAX / 8,    INT64_MAX / 4 + 1};
    if (!bad)
        return PICK(good);
    return large && chance(50) ? PICK(huge) : PICK(odd);
}

/* Integers that mean something, by the parameter's name. */
static const struct {
    const char *name;
    int n;
    int values[10];
} named[] = {
    {"color", 4, {0, 1, MPI_UNDEFINED, 5}},
    {"split_type",
     5,
     {MPI_COMM_TYPE_SHARED, MPI_COMM_TYPE_HW_GUIDED, MPI_COMM_TYPE_HW_UNGUIDED, MPI_UNDEFINED,
      MPI_COMM_TYPE_RESOURCE_GUIDED}},
    {"amode",
     7,
     {MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_MODE_RDONLY, MPI_MODE_CREATE | MPI_MODE_WRONLY,
      MPI_MODE_RDWR | MPI_MODE_APPEND | MPI_MODE_CREATE,
      MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
      MPI_MODE_CREATE | MPI_MODE_EXCL | MPI_MODE_RDWR, MPI_MODE_CREATE | MPI_MODE_RDWR}},
    {"whence", 3, {MPI_SEEK_SET, MPI_SEEK_CUR, MPI_SEEK_END}},
    {"assert", 6, {0, 0, MPI_MODE_NOCHECK, MPI_MODE_NOSTORE, MPI_MODE_NOPUT, MPI_MODE_NOPRECEDE}},
    {"lock_type", 2, {MPI_LOCK_SHARED, MPI_LOCK_EXCLUSIVE}},
    {"order", 2, {MPI_ORDER_C, MPI_ORDER_FORTRAN}},
    {"array_of_distribs", 3, {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_NONE}},
    {"array_of_dargs", 3, {MPI_DISTRIBUTE_DFLT_DARG, 1, 2}},
    {"array_of_psizes", 2, {1, 2}},
    {"array_of_gsizes", 4, {4, 8, 1, 16}},
    {"array_of_sizes", 3, {8, 16, 4}},
    {"array_of_subsizes", 3, {1, 2, 4}},
    {"array_of_starts", 2, {0, 1}},
    {"typeclass", 3, {MPI_TYPECLASS_INTEGER, MPI_TYPECLASS_REAL, MPI_TYPECLASS_COMPLEX}},
    {"required", 4, {MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED, MPI_THREAD_SERIALIZED, MPI_THREAD_MULTIPLE}},
    {"partitions", 4, {1, 2, 4, 8}},
    {"fd", 1, {-1}},
    {"dims", 3, {1, 0, 2}},
    {"logical_size", 4, {4, 1, 2, 8}},
    {"var_class", 4, {0, 244, 245, 246}},
};

int draw_int(const struct param *p, bool bad)
{
    static const int some[] = {0, 0, 1, 1, 2, 3, 4, 5, 8, 12};
    static const int odd[] = {-1, -2, INT_MAX, INT_MIN, 1000, 65536, 1 << 30, INT_MAX - 1, MPI_UNDEFINED, 33};
    if (bad)
        return PICK(odd);
    for (size_t i = 0; i < sizeof named / sizeof *named; i++)
        if (strcmp(named[i].name, p->name) == 0)
            return named[i].values[below(named[i].n)];
    return chance(10) ? below(70) : PICK(some);
}

/* Strings that mean something, by the parameter's name. */
static const struct {
    const char *name;
    const char *values[6];
} texts[] = {
    {"filename", {"fuzz.data", "fuzz.data", "fuzz.other", "missing/fuzz.data", "./fuzz.data", "."}},
    {"datarep", {"native", "internal", "external32", "native", "external32", "fuzzed"}},
    {"pset_name", {"mpi://WORLD", "mpi://SELF", "mpi://world", "mpi://", "WORLD", "mpi://SELF"}},
    {"command", {"./missing", "missing", "/", "true", "./missing", "false"}},
    {"port_name", {"port", "a b", "1$2", "tag#0$x", "gompi:1:2:3", "/tmp"}},
    {"key", {"key", "no_locks", "soft", "cb_nodes", "wdir", "thread_level"}},
    {"value", {"true", "1", "-1", "false", "99999999999999999999", "value"}},
};

int64_t draw_text(const struct param *p, bool bad)
{
    static const char *const odd[] = {"",        "%s%n%s%n", "\x01\xff\xfe\x80", " ", "/",
                                      "a=b;c,d", "\n",       "mpi://",           "0"};
    static const int lengths[] = {127, 128, 129, 255, 256, 257, 1023, 1024, 1025, 4095, 4096, 5000, 12000};
    if (bad && chance(15))
        return 0;
    if (bad && addresses && chance(20))
        return bad_address();
    if (bad && chance(50)) {
        size_t n = (size_t)PICK(lengths);
        char *s = take(n + 1, 0, 0);
        memset(s, 'a' + below(26), n);
        s[n] = 0;
        return (int64_t)s;
    }
    const char *text = PICK(odd);
    if (!bad) {
        text = "fuzz";
        for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
            if (strcmp(texts[i].name, p->name) == 0)
                text = PICK(texts[i].values);
    }
    return (int64_t)strcpy(take(strlen(text) + 1, 0, 0), text);
}
