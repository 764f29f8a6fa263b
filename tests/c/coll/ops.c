/*
 * Every predefined reduction on every datatype that the standard allows for it (MPI 5.0, 6.9.2), against a
 * plain loop in C. Values are such that no order of evaluation makes a difference: small integers for sums
 * and products.
 */
#include "check.h"
#include <complex.h>
#include <stdbool.h>

enum op { MAX, MIN, SUM, PROD, LAND, LOR, LXOR, BAND, BOR, BXOR, OPS };

static const char *const op_names[OPS] = {"MPI_MAX", "MPI_MIN",  "MPI_SUM",  "MPI_PROD", "MPI_LAND",
                                          "MPI_LOR", "MPI_LXOR", "MPI_BAND", "MPI_BOR",  "MPI_BXOR"};

static MPI_Op op_of(enum op o)
{
    MPI_Op all[OPS] = {MPI_MAX, MPI_MIN,  MPI_SUM,  MPI_PROD, MPI_LAND,
                       MPI_LOR, MPI_LXOR, MPI_BAND, MPI_BOR,  MPI_BXOR};
    return all[o];
}

/* Sets of operations, by the standard's table. */
enum {
    ORDER = 1 << MAX | 1 << MIN,
    ARITHMETIC = 1 << SUM | 1 << PROD,
    LOGICAL = 1 << LAND | 1 << LOR | 1 << LXOR,
    BITS = 1 << BAND | 1 << BOR | 1 << BXOR,
};

struct reduction {
    const char *name;
    MPI_Datatype type;
    unsigned ops;
    void (*run)(const struct reduction *, enum op, int count, int root);
};

/* reduce performs the operation for all (root < 0) or for one rank. */
static void reduce(const struct reduction *t, enum op o, const void *out, void *in, int count, int root)
{
    if (root < 0)
        CHECK_MPI(MPI_Allreduce(out, in, count, t->type, op_of(o), MPI_COMM_WORLD));
    else
        CHECK_MPI(MPI_Reduce(out, in, count, t->type, op_of(o), root, MPI_COMM_WORLD));
}

static uint64_t bits_of(int r, int i) { return check_mix(r * 65537u + i); }

/*
 * DEFINE(name, T, value of rank r at i for operation o, a op b): the run over arrays of T. The result is
 * compared by ==.
 */
#define DEFINE(NAME, T, VALUE, APPLY)                                                                  \
    static T NAME##_value(int r, int i, enum op o)                                                     \
    {                                                                                                  \
        uint64_t x = bits_of(r, i);                                                                    \
        int small = (int)(x % 7) - 3;                                                                  \
        (void)small;                                                                                   \
        (void)o;                                                                                       \
        return (T)(VALUE);                                                                             \
    }                                                                                                  \
    static T NAME##_apply(enum op o, T a, T b)                                                         \
    {                                                                                                  \
        switch (o) {                                                                                   \
            APPLY                                                                                      \
        default:                                                                                       \
            return a;                                                                                  \
        }                                                                                              \
    }                                                                                                  \
    static void NAME(const struct reduction *t, enum op o, int count, int root)                        \
    {                                                                                                  \
        T *out = check_alloc(count * sizeof(T)), *in = check_alloc(count * sizeof(T));                 \
        for (int i = 0; i < count; i++)                                                                \
            out[i] = NAME##_value(me, i, o);                                                           \
        reduce(t, o, out, in, count, root);                                                            \
        check_count();                                                                                 \
        for (int i = 0; (root < 0 || root == me) && i < count; i++) {                                  \
            T want = NAME##_value(0, i, o);                                                            \
            for (int r = 1; r < np; r++)                                                               \
                want = NAME##_apply(o, want, NAME##_value(r, i, o));                                   \
            if (!(in[i] == want)) {                                                                    \
                check_fail(__FILE__, __LINE__, "%s on %s: element %d of %d is wrong (%g, want %g)",     \
                           op_names[o], t->name, i, count, (double)in[i], (double)want);               \
                break;                                                                                 \
            }                                                                                          \
        }                                                                                              \
        check_free(out);                                                                               \
        check_free(in);                                                                                \
    }

#define APPLY_ORDER                                                                                    \
    case MAX:                                                                                          \
        return a > b ? a : b;                                                                          \
    case MIN:                                                                                          \
        return a < b ? a : b;
#define APPLY_ARITHMETIC(T)                                                                            \
    case SUM:                                                                                          \
        return (T)(a + b);                                                                             \
    case PROD:                                                                                         \
        return (T)(a * b);
#define APPLY_LOGICAL(T)                                                                               \
    case LAND:                                                                                         \
        return (T)(a && b);                                                                            \
    case LOR:                                                                                          \
        return (T)(a || b);                                                                            \
    case LXOR:                                                                                         \
        return (T)(!a != !b);
#define APPLY_BITS(T)                                                                                  \
    case BAND:                                                                                         \
        return (T)(a & b);                                                                             \
    case BOR:                                                                                          \
        return (T)(a | b);                                                                             \
    case BXOR:                                                                                         \
        return (T)(a ^ b);

/* Small for sums and products, half of them zero for logical operations, all bits otherwise. */
#define INTEGER_VALUE(T)                                                                                     \
    (o == SUM || o == PROD ? (T)small : o >= LAND && o <= LXOR && (x & 256) ? (T)0 : (T)(x >> 3))
#define DEFINE_INTEGER(NAME, T)                                                                        \
    DEFINE(NAME, T, INTEGER_VALUE(T), APPLY_ORDER APPLY_ARITHMETIC(T) APPLY_LOGICAL(T) APPLY_BITS(T))
#define FLOAT_VALUE (o == SUM || o == PROD ? (double)small : (double)(int64_t)x / 1024.0)
#define DEFINE_FLOAT(NAME, T) DEFINE(NAME, T, FLOAT_VALUE, APPLY_ORDER APPLY_ARITHMETIC(T))
#define DEFINE_COMPLEX(NAME, T) DEFINE(NAME, T, small + ((int)(x >> 32) % 3) * I, APPLY_ARITHMETIC(T))

DEFINE_INTEGER(schar_run, signed char)
DEFINE_INTEGER(uchar_run, unsigned char)
DEFINE_INTEGER(short_run, short)
DEFINE_INTEGER(ushort_run, unsigned short)
DEFINE_INTEGER(int_run, int)
DEFINE_INTEGER(uint_run, unsigned)
DEFINE_INTEGER(long_run, long)
DEFINE_INTEGER(ulong_run, unsigned long)
DEFINE_INTEGER(llong_run, long long)
DEFINE_INTEGER(ullong_run, unsigned long long)
DEFINE_FLOAT(float_run, float)
DEFINE_FLOAT(double_run, double)
DEFINE_FLOAT(ldouble_run, long double)
DEFINE_COMPLEX(fcomplex_run, float complex)
DEFINE_COMPLEX(dcomplex_run, double complex)
DEFINE_COMPLEX(lcomplex_run, long double complex)
DEFINE(bool_run, bool, (x >> 7) & 1, APPLY_LOGICAL(bool))
DEFINE(logical_run, int, (x >> 7) & 1, APPLY_LOGICAL(int))
#ifdef TEST_GOMPI
DEFINE(logical1_run, int8_t, (x >> 7) & 1, APPLY_LOGICAL(int8_t))
DEFINE(logical2_run, int16_t, (x >> 7) & 1, APPLY_LOGICAL(int16_t))
DEFINE(logical8_run, int64_t, (x >> 7) & 1, APPLY_LOGICAL(int64_t))
DEFINE_INTEGER(int128_run, __int128)
#ifdef __SIZEOF_FLOAT128__
DEFINE_FLOAT(float128_run, __float128)
#endif
#endif

#define INTEGER (ORDER | ARITHMETIC | LOGICAL | BITS)  /* C's integers */
#define FINTEGER (ORDER | ARITHMETIC | BITS)           /* Fortran's, and MPI_Aint and its like */
#define FLOATING (ORDER | ARITHMETIC)
#define ROW(t, set, run) {#t, t, set, run}

static const struct reduction reductions[] = {
    ROW(MPI_SIGNED_CHAR, INTEGER, schar_run),
    ROW(MPI_UNSIGNED_CHAR, INTEGER, uchar_run),
    ROW(MPI_SHORT, INTEGER, short_run),
    ROW(MPI_UNSIGNED_SHORT, INTEGER, ushort_run),
    ROW(MPI_INT, INTEGER, int_run),
    ROW(MPI_UNSIGNED, INTEGER, uint_run),
    ROW(MPI_LONG, INTEGER, long_run),
    ROW(MPI_UNSIGNED_LONG, INTEGER, ulong_run),
    ROW(MPI_LONG_LONG_INT, INTEGER, llong_run),
    ROW(MPI_LONG_LONG, INTEGER, llong_run),
    ROW(MPI_UNSIGNED_LONG_LONG, INTEGER, ullong_run),
    ROW(MPI_INT8_T, INTEGER, schar_run),
    ROW(MPI_INT16_T, INTEGER, short_run),
    ROW(MPI_INT32_T, INTEGER, int_run),
    ROW(MPI_INT64_T, INTEGER, long_run),
    ROW(MPI_UINT8_T, INTEGER, uchar_run),
    ROW(MPI_UINT16_T, INTEGER, ushort_run),
    ROW(MPI_UINT32_T, INTEGER, uint_run),
    ROW(MPI_UINT64_T, INTEGER, ulong_run),
    ROW(MPI_INTEGER, FINTEGER, int_run),
    ROW(MPI_INTEGER1, FINTEGER, schar_run),
    ROW(MPI_INTEGER2, FINTEGER, short_run),
    ROW(MPI_INTEGER4, FINTEGER, int_run),
    ROW(MPI_INTEGER8, FINTEGER, long_run),
    ROW(MPI_AINT, FINTEGER, long_run),
    ROW(MPI_OFFSET, FINTEGER, llong_run),
    ROW(MPI_COUNT, FINTEGER, llong_run),
    ROW(MPI_FLOAT, FLOATING, float_run),
    ROW(MPI_DOUBLE, FLOATING, double_run),
    ROW(MPI_LONG_DOUBLE, FLOATING, ldouble_run),
    ROW(MPI_REAL, FLOATING, float_run),
    ROW(MPI_REAL4, FLOATING, float_run),
    ROW(MPI_REAL8, FLOATING, double_run),
    ROW(MPI_DOUBLE_PRECISION, FLOATING, double_run),
    ROW(MPI_C_COMPLEX, ARITHMETIC, fcomplex_run),
    ROW(MPI_C_FLOAT_COMPLEX, ARITHMETIC, fcomplex_run),
    ROW(MPI_C_DOUBLE_COMPLEX, ARITHMETIC, dcomplex_run),
    ROW(MPI_C_LONG_DOUBLE_COMPLEX, ARITHMETIC, lcomplex_run),
    ROW(MPI_CXX_FLOAT_COMPLEX, ARITHMETIC, fcomplex_run),
    ROW(MPI_CXX_DOUBLE_COMPLEX, ARITHMETIC, dcomplex_run),
    ROW(MPI_CXX_LONG_DOUBLE_COMPLEX, ARITHMETIC, lcomplex_run),
    ROW(MPI_COMPLEX, ARITHMETIC, fcomplex_run),
    ROW(MPI_COMPLEX8, ARITHMETIC, fcomplex_run),
    ROW(MPI_COMPLEX16, ARITHMETIC, dcomplex_run),
    ROW(MPI_DOUBLE_COMPLEX, ARITHMETIC, dcomplex_run),
    ROW(MPI_C_BOOL, LOGICAL, bool_run),
    ROW(MPI_CXX_BOOL, LOGICAL, bool_run),
    ROW(MPI_LOGICAL, LOGICAL, logical_run),
    ROW(MPI_BYTE, BITS, uchar_run),
#ifdef TEST_GOMPI
    ROW(MPI_LOGICAL1, LOGICAL, logical1_run),
    ROW(MPI_LOGICAL2, LOGICAL, logical2_run),
    ROW(MPI_LOGICAL4, LOGICAL, logical_run),
    ROW(MPI_LOGICAL8, LOGICAL, logical8_run),
    ROW(MPI_INTEGER16, FINTEGER, int128_run),
#ifdef __SIZEOF_FLOAT128__
    ROW(MPI_REAL16, FLOATING, float128_run),
#endif
#endif
};

int main(int argc, char **argv)
{
    static const int counts[] = {1, 2, 7, 64, 1001, 20000};
    enum { COUNTS = sizeof counts / sizeof counts[0] };

    check_init(&argc, &argv);
    for (size_t k = 0; k < sizeof reductions / sizeof reductions[0]; k++) {
        const struct reduction *t = &reductions[k];
        if (t->type == MPI_DATATYPE_NULL) {
#ifdef TEST_GOMPI
            CHECK_MSG(0, "%s is missing", t->name);
#endif
            continue;
        }
        for (enum op o = 0; o < OPS; o++) {
            if (!(t->ops >> o & 1))
                continue;
            for (int c = 0; c < COUNTS; c++) {
                t->run(t, o, counts[c], -1);
                if (c < 5)
                    t->run(t, o, counts[c], (int)(k + c) % np);
            }
        }
    }
    return check_finish();
}
