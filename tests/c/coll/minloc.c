/* MPI_MINLOC and MPI_MAXLOC on all pair types: the value, the lowest index among equals, and gaps left alone.
 */
#include "check.h"
#include <stddef.h>

enum { LARGEST = 3000 };

/* Few different values, so that there are many ties; indices in no order of ranks. */
static int value_of(int r, int i) { return (int)(check_mix(r * 7919u + i) % 5) - 2; }
static int index_of(int r, int i) { return (int)(check_mix(i * 31u + r) % 90); }

static void expected(int i, int max, int *value, int *index)
{
    *value = value_of(0, i);
    *index = index_of(0, i);
    for (int r = 1; r < np; r++) {
        int v = value_of(r, i), k = index_of(r, i);
        if (max ? v > *value : v < *value) {
            *value = v;
            *index = k;
        } else if (v == *value && k < *index) {
            *index = k;
        }
    }
}

#define RUN(TYPE, A, B)                                                                                      \
    do {                                                                                                     \
        struct pair {                                                                                        \
            A value;                                                                                         \
            B index;                                                                                         \
        } *out = check_alloc(LARGEST * sizeof *out), *in = check_alloc(LARGEST * sizeof *in);                \
        if ((TYPE) == MPI_DATATYPE_NULL)                                                                     \
            break;                                                                                           \
        for (int max = 0; max < 2; max++)                                                                    \
            for (int n = 1; n <= LARGEST; n = n * 5 + 2)                                                     \
                for (int root = -1; root < np; root++) {                                                     \
                    MPI_Op op = max ? MPI_MAXLOC : MPI_MINLOC;                                               \
                    for (int i = 0; i < n; i++) {                                                            \
                        out[i].value = (A)value_of(me, i);                                                   \
                        out[i].index = (B)index_of(me, i);                                                   \
                    }                                                                                        \
                    check_renew(in, LARGEST * sizeof *in);                                                   \
                    if (root < 0)                                                                            \
                        CHECK_MPI(MPI_Allreduce(out, in, n, TYPE, op, MPI_COMM_WORLD));                      \
                    else                                                                                     \
                        CHECK_MPI(MPI_Reduce(out, in, n, TYPE, op, root, MPI_COMM_WORLD));                   \
                    for (int i = 0; (root < 0 || root == me) && i < n; i++) {                                \
                        int value, index;                                                                    \
                        expected(i, max, &value, &index);                                                    \
                        CHECK_MSG(in[i].value == (A)value && in[i].index == (B)index,                        \
                                  "%s of %s, element %d: (%g, %g), want (%d, %d)",                           \
                                  max ? "MPI_MAXLOC" : "MPI_MINLOC", #TYPE, i, (double)in[i].value,          \
                                  (double)in[i].index, value, index);                                        \
                        size_t end = offsetof(struct pair, index) + sizeof(B), where;                        \
                        CHECK_MSG(check_all_bytes((char *)&in[i] + end, sizeof *in - end, CHECK_FRESH_BYTE,  \
                                                  &where),                                                   \
                                  "%s: the gap was written", #TYPE);                                         \
                    }                                                                                        \
                    CHECK_FRESH(in, n * sizeof *in, (LARGEST - n) * sizeof *in);                             \
                }                                                                                            \
        check_free(out);                                                                                     \
        check_free(in);                                                                                      \
    } while (0)

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    RUN(MPI_2INT, int, int);
    RUN(MPI_SHORT_INT, short, int);
    RUN(MPI_LONG_INT, long, int);
    RUN(MPI_FLOAT_INT, float, int);
    RUN(MPI_DOUBLE_INT, double, int);
    RUN(MPI_LONG_DOUBLE_INT, long double, int);
    RUN(MPI_2INTEGER, int, int);
    RUN(MPI_2REAL, float, float);
    RUN(MPI_2DOUBLE_PRECISION, double, double);
    return check_finish();
}
