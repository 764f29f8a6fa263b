/* Applies MPI's reduction operations as a C compiler understands them. Reads records from standard input: the
 * name of the operation and of the C type (16 bytes each), the number of elements (int64_t), in, inout;
 * writes inout[i] = in[i] op inout[i]. */
#include <complex.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EACH(NAME, T, CODE)                                  \
    if (!strcmp(op, #NAME)) {                                \
        for (int64_t i = 0; i < n; i++) {                    \
            T x = ((T *)in)[i], y = ((T *)inout)[i];         \
            CODE;                                            \
            ((T *)inout)[i] = y;                             \
        }                                                    \
        return sizeof(T);                                    \
    }
#define ORDERED(T) EACH(MPI_MAX, T, y = x > y ? x : y) EACH(MPI_MIN, T, y = x < y ? x : y)
#define SUMS(T) EACH(MPI_SUM, T, y = x + y) EACH(MPI_PROD, T, y = x * y)
#define BITS(T) EACH(MPI_BAND, T, y = x & y) EACH(MPI_BOR, T, y = x | y) EACH(MPI_BXOR, T, y = x ^ y)
#define TRUTH(T) EACH(MPI_LAND, T, y = x && y) EACH(MPI_LOR, T, y = x || y) EACH(MPI_LXOR, T, y = !x != !y)
#define PAIR(T, I)                                                                                     \
    struct pair { T v; I i; };                                                                         \
    EACH(MPI_MAXLOC, struct pair, if (x.v > y.v) y = x; else if (x.v == y.v && x.i < y.i) y.i = x.i)    \
    EACH(MPI_MINLOC, struct pair, if (x.v < y.v) y = x; else if (x.v == y.v && x.i < y.i) y.i = x.i)
#define TYPE(NAME, BODY) if (!strcmp(type, #NAME)) { BODY return 0; }

static size_t apply(const char *op, const char *type, void *in, void *inout, int64_t n)
{
#define INTEGER(NAME, T) TYPE(NAME, ORDERED(T) SUMS(T) BITS(T) TRUTH(T))
    INTEGER(Int8, int8_t)
    INTEGER(Int16, int16_t) INTEGER(Int32, int32_t) INTEGER(Int64, int64_t) INTEGER(Uint8, uint8_t) INTEGER(
        Uint16, uint16_t) INTEGER(Uint32, uint32_t) INTEGER(Uint64, uint64_t) INTEGER(Int128, __int128)
#define FLOATING(NAME, T) TYPE(NAME, ORDERED(T) SUMS(T))
        FLOATING(Float16, _Float16) FLOATING(Float32, float) FLOATING(Float64, double)
            FLOATING(Float80, long double) FLOATING(Float128, _Float128)
#define COMPLEX(NAME, T) TYPE(NAME, SUMS(T _Complex))
                COMPLEX(Complex32, _Float16) COMPLEX(Complex64, float) COMPLEX(Complex128, double)
                    COMPLEX(Complex160, long double) COMPLEX(Complex256, _Float128)
                        TYPE(Logical8, TRUTH(bool)) TYPE(Logical16, TRUTH(int16_t))
                            TYPE(Logical32, TRUTH(int32_t)) TYPE(Logical64, TRUTH(int64_t))
                                TYPE(Logical128, TRUTH(__int128)) TYPE(Int16Int, PAIR(short, int))
                                    TYPE(Int32Int, PAIR(int, int)) TYPE(Int64Int, PAIR(long, int))
                                        TYPE(Float32Int, PAIR(float, int)) TYPE(Float64Int, PAIR(double, int))
                                            TYPE(Float80Int, PAIR(long double, int))
                                                TYPE(Float128Int, PAIR(_Float128, int))
                                                    TYPE(Float32Pair, PAIR(float, float))
                                                        TYPE(Float64Pair, PAIR(double, double)) return 0;
}

int main(void)
{
    struct { char op[16], type[16]; int64_t n, bytes; } head;
    while (fread(&head, sizeof head, 1, stdin) == 1) {
        size_t room = (size_t)(head.bytes + 63) / 64 * 64 + 64;
        void *in = aligned_alloc(64, room), *inout = aligned_alloc(64, room);
        if (!in || !inout || fread(in, (size_t)head.bytes, 1, stdin) != 1 ||
            fread(inout, (size_t)head.bytes, 1, stdin) != 1)
            return 1;
        size_t size = apply(head.op, head.type, in, inout, head.n);
        if (size * (size_t)head.n != (size_t)head.bytes) {
            fprintf(stderr, "%s on %s: element of %zu bytes\n", head.op, head.type, size);
            return 2;
        }
        fwrite(inout, (size_t)head.bytes, 1, stdout);
        free(in);
        free(inout);
    }
    return 0;
}
