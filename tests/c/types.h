/*
 * The predefined datatypes that have a counterpart in C: size, extent, and which bytes of an element are
 * data. A type with a gap (MPI_DOUBLE_INT: 8 bytes, 4 bytes, then 4 of padding) is described by its two
 * parts.
 */
#ifndef GOMPI_TESTS_TYPES_H
#define GOMPI_TESTS_TYPES_H

#include "check.h"
#include <complex.h>
#include <stdbool.h>
#include <stddef.h>
#include <wchar.h>

struct type_entry {
    const char *name;
    MPI_Datatype type;
    size_t size;      /* bytes of data in an element */
    size_t extent;    /* bytes from an element to the next */
    size_t first;     /* bytes of data at the front */
    size_t second_at; /* where the rest of the data begins */
};

#define DENSE(t, ctype) {#t, t, sizeof(ctype), sizeof(ctype), sizeof(ctype), sizeof(ctype)}
#define PAIR(t, a, b)                                                                                  \
    {#t,                                                                                               \
     t,                                                                                                \
     sizeof(a) + sizeof(b),                                                                            \
     sizeof(struct { a x; b y; }),                                                                      \
     sizeof(a),                                                                                        \
     offsetof(struct { a x; b y; }, y)}

static const struct type_entry all_types[] = {
    DENSE(MPI_CHAR, char),
    DENSE(MPI_SIGNED_CHAR, signed char),
    DENSE(MPI_UNSIGNED_CHAR, unsigned char),
    DENSE(MPI_BYTE, char),
    DENSE(MPI_PACKED, char),
    DENSE(MPI_WCHAR, wchar_t),
    DENSE(MPI_SHORT, short),
    DENSE(MPI_UNSIGNED_SHORT, unsigned short),
    DENSE(MPI_INT, int),
    DENSE(MPI_UNSIGNED, unsigned),
    DENSE(MPI_LONG, long),
    DENSE(MPI_UNSIGNED_LONG, unsigned long),
    DENSE(MPI_LONG_LONG, long long),
    DENSE(MPI_LONG_LONG_INT, long long),
    DENSE(MPI_UNSIGNED_LONG_LONG, unsigned long long),
    DENSE(MPI_INT8_T, int8_t),
    DENSE(MPI_INT16_T, int16_t),
    DENSE(MPI_INT32_T, int32_t),
    DENSE(MPI_INT64_T, int64_t),
    DENSE(MPI_UINT8_T, uint8_t),
    DENSE(MPI_UINT16_T, uint16_t),
    DENSE(MPI_UINT32_T, uint32_t),
    DENSE(MPI_UINT64_T, uint64_t),
    DENSE(MPI_AINT, MPI_Aint),
    DENSE(MPI_COUNT, MPI_Count),
    DENSE(MPI_OFFSET, MPI_Offset),
    DENSE(MPI_FLOAT, float),
    DENSE(MPI_DOUBLE, double),
    DENSE(MPI_LONG_DOUBLE, long double),
    DENSE(MPI_C_BOOL, bool),
    DENSE(MPI_C_COMPLEX, float complex),
    DENSE(MPI_C_FLOAT_COMPLEX, float complex),
    DENSE(MPI_C_DOUBLE_COMPLEX, double complex),
    DENSE(MPI_C_LONG_DOUBLE_COMPLEX, long double complex),
    DENSE(MPI_CXX_BOOL, bool),
    DENSE(MPI_CXX_FLOAT_COMPLEX, float complex),
    DENSE(MPI_CXX_DOUBLE_COMPLEX, double complex),
    DENSE(MPI_CXX_LONG_DOUBLE_COMPLEX, long double complex),
    DENSE(MPI_CHARACTER, char),
    DENSE(MPI_LOGICAL, int),
    DENSE(MPI_INTEGER, int),
    DENSE(MPI_REAL, float),
    DENSE(MPI_DOUBLE_PRECISION, double),
    DENSE(MPI_COMPLEX, float complex),
    DENSE(MPI_DOUBLE_COMPLEX, double complex),
    DENSE(MPI_INTEGER1, int8_t),
    DENSE(MPI_INTEGER2, int16_t),
    DENSE(MPI_INTEGER4, int32_t),
    DENSE(MPI_INTEGER8, int64_t),
    DENSE(MPI_REAL4, float),
    DENSE(MPI_REAL8, double),
    DENSE(MPI_COMPLEX8, float complex),
    DENSE(MPI_COMPLEX16, double complex),
#ifdef TEST_GOMPI
    DENSE(MPI_INTEGER16, char[16]),
    DENSE(MPI_REAL2, char[2]),
    DENSE(MPI_REAL16, char[16]),
    DENSE(MPI_COMPLEX4, char[4]),
    DENSE(MPI_COMPLEX32, char[32]),
    DENSE(MPI_LOGICAL1, int8_t),
    DENSE(MPI_LOGICAL2, int16_t),
    DENSE(MPI_LOGICAL4, int32_t),
    DENSE(MPI_LOGICAL8, int64_t),
    DENSE(MPI_LOGICAL16, char[16]),
#endif
    PAIR(MPI_FLOAT_INT, float, int),
    PAIR(MPI_DOUBLE_INT, double, int),
    PAIR(MPI_LONG_INT, long, int),
    PAIR(MPI_2INT, int, int),
    PAIR(MPI_SHORT_INT, short, int),
    PAIR(MPI_LONG_DOUBLE_INT, long double, int),
    PAIR(MPI_2INTEGER, int, int),
    PAIR(MPI_2REAL, float, float),
    PAIR(MPI_2DOUBLE_PRECISION, double, double),
};

enum { TYPE_COUNT = sizeof all_types / sizeof all_types[0] };

/* type_present says whether this MPI has the type at all (others may lack Fortran's and C++'s). */
CHECK_UNUSED
static int type_present(const struct type_entry *t)
{
#ifdef TEST_GOMPI
    (void)t;
    return 1;
#else
    return t->type != MPI_DATATYPE_NULL;
#endif
}

/* type_is_data says whether byte i of an element belongs to the data. */
CHECK_UNUSED
static int type_is_data(const struct type_entry *t, size_t i)
{
    return i < t->first || (i >= t->second_at && i < t->second_at + (t->size - t->first));
}

/* CHECK_ELEMENTS: n elements hold the data of seed (as check_fill writes it over the whole extent), and the
 * gaps are fresh. */
#define CHECK_ELEMENTS(p, t, n, seed) type_check(__FILE__, __LINE__, (p), (t), (n), (seed))
CHECK_UNUSED
static void type_check(const char *file, int line, const void *p, const struct type_entry *t, size_t n,
                       uint64_t seed)
{
    const unsigned char *b = p;
    check_count();
    if (t->size == t->extent) {
        check_data(file, line, p, n * t->extent, seed);
        return;
    }
    for (size_t i = 0; i < n * t->extent; i++) {
        int data = type_is_data(t, i % t->extent);
        unsigned char want = data ? check_byte(seed, i) : CHECK_FRESH_BYTE;
        if (b[i] != want) {
            check_fail(file, line, "%s: byte %zu of element %zu is 0x%02x, want 0x%02x (%s)", t->name, i % t->extent,
                       i / t->extent, b[i], want, data ? "data" : "gap");
            return;
        }
    }
}

#endif
