/* external32 is big-endian and has sizes of its own, byte for byte. */
#include <stddef.h>

#include "check.h"

static void both(int line, const void *data, int count, MPI_Datatype type, size_t memory, const char *want,
                 int size)
{
    unsigned char out[64], in[64];
    MPI_Aint at = 0, bytes = -1;
    memset(out, 0xee, sizeof out);
    memset(in, 0, sizeof in);
    CHECK_MPI(MPI_Pack_external_size("external32", count, type, &bytes));
    CHECK_MSG(bytes == size, "line %d: size %ld, want %d", line, (long)bytes, size);
    CHECK_MPI(MPI_Pack_external("external32", data, count, type, out, sizeof out, &at));
    CHECK_MSG(at == size && memcmp(out, want, (size_t)size) == 0 && out[size] == 0xee, "line %d: packed wrongly", line);
    at = 0;
    CHECK_MPI(MPI_Unpack_external("external32", out, size, &at, in, count, type));
    CHECK_MSG(at == size && memcmp(in, data, memory) == 0, "line %d: unpacked wrongly", line);
}

#define BOTH(data, count, type, bytes)                                                                       \
    both(__LINE__, data, count, type, sizeof(data), bytes, sizeof(bytes) - 1)

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    char c[] = {'a', 'b', 'c'};
    BOTH(c, 3, MPI_CHAR, "abc");
    short s[] = {0x0102, -2};
    BOTH(s, 2, MPI_SHORT, "\x01\x02\xff\xfe");
    int i[] = {1, -2};
    BOTH(i, 2, MPI_INT, "\0\0\0\x01\xff\xff\xff\xfe");
    long l[] = {5, -6};
    BOTH(l, 2, MPI_LONG, "\0\0\0\x05\xff\xff\xff\xfa");
    unsigned long ul[] = {0xfffffff0UL};
    BOTH(ul, 1, MPI_UNSIGNED_LONG, "\xff\xff\xff\xf0");
    long long ll[] = {-2};
    BOTH(ll, 1, MPI_LONG_LONG, "\xff\xff\xff\xff\xff\xff\xff\xfe");
    int64_t w[] = {0x0102030405060708};
    BOTH(w, 1, MPI_INT64_T, "\1\2\3\4\5\6\7\x08");
    float f[] = {1.0f, -2.5f};
    BOTH(f, 2, MPI_FLOAT, "\x3f\x80\0\0\xc0\x20\0\0");
    double d[] = {1.0};
    BOTH(d, 1, MPI_DOUBLE, "\x3f\xf0\0\0\0\0\0\0");

    /* gaps are left out, elements are in the order of the type map */
    struct mixed {
        double d;
        char c;
        short s;
    } m[2];
    memset(m, 0, sizeof m);
    m[0] = (struct mixed){1.0, 'x', 3};
    m[1] = (struct mixed){-1.0, 'y', 4};
    int one[3] = {1, 1, 1};
    MPI_Aint where[3] = {offsetof(struct mixed, s), offsetof(struct mixed, c), offsetof(struct mixed, d)};
    MPI_Datatype of[3] = {MPI_SHORT, MPI_CHAR, MPI_DOUBLE}, t;
    CHECK_MPI(MPI_Type_create_struct(3, one, where, of, &t));
    CHECK_MPI(MPI_Type_commit(&t));
    BOTH(m, 2, t, "\0\3x\x3f\xf0\0\0\0\0\0\0\0\4y\xbf\xf0\0\0\0\0\0\0");
    CHECK_MPI(MPI_Type_free(&t));
    return check_finish();
}
