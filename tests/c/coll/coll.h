/* What the programs on collectives share: sizes, roots, and element values that tell where they came from. */
#ifndef GOMPI_TESTS_COLL_H
#define GOMPI_TESTS_COLL_H

#include "check.h"

/* Counts of ints. The last ones are left out by programs that are quadratic in the number of ranks. */
static const int coll_counts[] = {0, 1, 2, 3, 7, 8, 16, 17, 100, 1000, 1023, 4096, 16384, 20001, 262144};
enum { COLL_COUNTS = sizeof coll_counts / sizeof coll_counts[0], COLL_SMALL = 12 };

/* The i-th element that rank `from` has for rank `to` in round `round`. */
static inline int coll_value(int round, int from, int to, int i)
{
    return (int)(check_mix(((uint64_t)round << 48) ^ ((uint64_t)from << 40) ^ ((uint64_t)to << 32) ^
                           (uint64_t)i) &
                 0x7fffffff);
}

static inline void coll_fill(int *p, int n, int round, int from, int to)
{
    for (int i = 0; i < n; i++)
        p[i] = coll_value(round, from, to, i);
}

#define COLL_CHECK(p, n, round, from, to) coll_check(__FILE__, __LINE__, (p), (n), (round), (from), (to))
CHECK_UNUSED
static void coll_check(const char *file, int line, const int *p, int n, int round, int from, int to)
{
    check_count();
    for (int i = 0; i < n; i++)
        if (p[i] != coll_value(round, from, to, i)) {
            check_fail(file, line, "round %d, count %d: element %d of rank %d's data for %d is %d, want %d", round, n, i,
                       from, to, p[i], coll_value(round, from, to, i));
            return;
        }
}

/* Stands for "the same for everybody". */
enum { COLL_ALL = 255 };

#endif
