/* Complex numbers and pairs in external32; long double is IEEE binary128 there, whatever the machine has. */
#include <float.h>
#include <math.h>

#include "check.h"

int main(int argc, char **argv)
{
    static const struct {
        long double value;
        const char *head; /* the first four bytes; the others are zero */
    } cases[] = {{1.0L, "\x3f\xff\0\0"}, {-2.0L, "\xc0\0\0\0"}, {1.5L, "\x3f\xff\x80\0"}, {0.0L, "\0\0\0\0"}, {INFINITY, "\x7f\xff\0\0"}};
    check_init(&argc, &argv);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        unsigned char out[16], want[16] = {0};
        MPI_Aint at = 0;
        memcpy(want, cases[i].head, 4);
        CHECK_MPI(MPI_Pack_external("external32", &cases[i].value, 1, MPI_LONG_DOUBLE, out, 16, &at));
        CHECK(at == 16 && memcmp(out, want, 16) == 0);
    }
    long double values[] = {LDBL_MAX,     LDBL_MIN, LDBL_MIN / 8, -3.14159265358979323846264338327950288L,
                            LDBL_EPSILON, -0.0L};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        unsigned char out[16];
        long double back = 42;
        MPI_Aint at = 0;
        CHECK_MPI(MPI_Pack_external("external32", &values[i], 1, MPI_LONG_DOUBLE, out, 16, &at));
        at = 0;
        CHECK_MPI(MPI_Unpack_external("external32", out, 16, &at, &back, 1, MPI_LONG_DOUBLE));
        CHECK(back == values[i] && signbit(back) == signbit(values[i]));
    }
    unsigned char out[16];
    double _Complex z = 1.0, zz = 0;
    MPI_Aint at = 0;
    CHECK_MPI(MPI_Pack_external("external32", &z, 1, MPI_C_DOUBLE_COMPLEX, out, 16, &at));
    CHECK(at == 16 && memcmp(out, "\x3f\xf0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 16) == 0);
    at = 0;
    CHECK_MPI(MPI_Unpack_external("external32", out, 16, &at, &zz, 1, MPI_C_DOUBLE_COMPLEX));
    CHECK(zz == z);
    struct {
        short value;
        int index;
    } pair = {-2, 7};
    at = 0;
    CHECK_MPI(MPI_Pack_external("external32", &pair, 1, MPI_SHORT_INT, out, 16, &at));
    CHECK(at == 6 && memcmp(out, "\xff\xfe\0\0\0\7", 6) == 0);
    return check_finish();
}
