/* MPI_Pack and MPI_Unpack against a loop over the bytes: every way in which data lies, behind and ahead of
 * other data; gaps and what stands around stay as they are; what is refused moves nothing. */
#include "check.h"

enum { ROOM = 40000, MARGIN = 64 };

static unsigned char memory_[ROOM + 2 * MARGIN], kept[ROOM + 2 * MARGIN], packed[ROOM + 2 * MARGIN],
    expected[ROOM + 2 * MARGIN];
static unsigned char *const data = memory_ + MARGIN;

static void fill(unsigned char *p, unsigned seed)
{
    for (size_t i = 0; i < ROOM + 2 * MARGIN; i++)
        p[i] = (unsigned char)((i * 167 + seed * 29) >> (i % 3));
}

/* Packs and unpacks count elements whose data is blocks of length bytes, stride apart, the first first bytes
 * from an element's address; elements are extent apart. */
static void both(MPI_Datatype type, int count, int blocks, int length, long first, long stride, long extent,
                 MPI_Comm comm)
{
    const int bytes = count * blocks * length;
    for (int before = 0; before < 20; before += 13) {
        int at = before, n = 0;
        fill(memory_, 1);
        fill(packed, 2);
        memcpy(expected, packed, sizeof packed);
        for (int e = 0; e < count; e++)
            for (int b = 0; b < blocks; b++, n += length)
                memcpy(expected + before + n, data + e * extent + first + b * stride, length);
        CHECK_MPI(MPI_Pack(data, count, type, packed, before + bytes, &at, comm));
        CHECK_EQ(at, before + bytes);
        CHECK(memcmp(packed, expected, sizeof packed) == 0);

        fill(memory_, 3);
        memcpy(kept, memory_, sizeof memory_);
        for (int e = 0, k = 0; e < count; e++)
            for (int b = 0; b < blocks; b++, k += length)
                memcpy(kept + MARGIN + e * extent + first + b * stride, packed + before + k, length);
        at = before;
        CHECK_MPI(MPI_Unpack(packed, before + bytes, &at, data, count, type, comm));
        CHECK_EQ(at, before + bytes);
        CHECK(memcmp(memory_, kept, sizeof memory_) == 0);

        if (bytes > 0) { /* one byte is missing */
            at = before;
            memcpy(kept, packed, sizeof packed);
            CHECK_CLASS(MPI_Pack(data, count, type, packed, before + bytes - 1, &at, comm), MPI_ERR_TRUNCATE);
            CHECK_EQ(at, before);
            CHECK(memcmp(packed, kept, sizeof packed) == 0);
            memcpy(kept, memory_, sizeof memory_);
            CHECK_CLASS(MPI_Unpack(packed, before + bytes - 1, &at, data, count, type, comm),
                        MPI_ERR_TRUNCATE);
            CHECK_EQ(at, before);
            CHECK(memcmp(memory_, kept, sizeof memory_) == 0);
        }
    }
}

static void vectors(MPI_Comm comm)
{
    static const struct {
        MPI_Datatype type;
        int size;
    } base[] = {{MPI_CHAR, 1}, {MPI_SHORT, 2}, {MPI_FLOAT, 4}, {MPI_DOUBLE, 8}};
    for (int b = 0; b < 4; b++)
        for (int blocks = 1; blocks <= 129; blocks = blocks * 3 + 1)
            for (int length = 1; length <= 64; length = length * 2 + (length > 8))
                for (int gap = 0; gap <= 5; gap += 5) {
                    const int run = length * base[b].size, stride = (length + gap) * base[b].size;
                    const long extent = (long)(blocks - 1) * stride + run;
                    if ((long)blocks * stride > ROOM)
                        continue;
                    MPI_Datatype type, moved;
                    MPI_Type_vector(blocks, length, length + gap, base[b].type, &type);
                    MPI_Type_commit(&type);
                    both(type, 1, blocks, run, 0, stride, extent, comm);
                    if (3 * extent < ROOM)
                        both(type, 3, blocks, run, 0, stride, extent, comm);
                    MPI_Type_create_hindexed_block(1, 1, (MPI_Aint[]){24}, type, &moved);
                    MPI_Type_commit(&moved);
                    if (extent + 24 < ROOM)
                        both(moved, 1, blocks, run, 24, stride, extent, comm);
                    MPI_Type_free(&type);
                    MPI_Type_free(&moved);
                }
}

/* One run with room around it, blocks that go backwards, and blocks that overlap, which is allowed for
 * packing alone. */
static void oddities(MPI_Comm comm)
{
    MPI_Datatype type, inner;
    MPI_Type_contiguous(3, MPI_INT, &inner);
    MPI_Type_create_resized(inner, -4, 20, &type);
    MPI_Type_commit(&type);
    both(type, 1, 1, 12, 0, 0, 20, comm);
    both(type, 7, 1, 12, 0, 0, 20, comm);
    MPI_Type_free(&type);
    MPI_Type_free(&inner);
    MPI_Type_create_hvector(5, 2, -24, MPI_INT, &inner);
    MPI_Type_create_hindexed_block(1, 1, (MPI_Aint[]){200}, inner, &type);
    MPI_Type_commit(&type);
    both(type, 1, 5, 8, 200, -24, 104, comm);
    both(type, 2, 5, 8, 200, -24, 104, comm);
    MPI_Type_free(&type);
    MPI_Type_free(&inner);
    MPI_Type_create_hvector(6, 3, 4, MPI_INT, &type);
    MPI_Type_commit(&type);
    int at = 0, out[18];
    for (int i = 0; i < 8; i++)
        memcpy(data + 4 * i, &i, 4);
    CHECK_MPI(MPI_Pack(data, 1, type, out, sizeof out, &at, comm));
    CHECK_EQ(at, 72);
    for (int i = 0; i < 18; i++)
        CHECK_EQ(out[i], i / 3 + i % 3);
    MPI_Type_free(&type);
    both(MPI_DOUBLE, 1000, 1, 8, 0, 0, 8, comm);
    both(MPI_DOUBLE, 4000, 1, 8, 0, 0, 8, comm);
    both(MPI_CHAR, 0, 1, 1, 0, 0, 1, comm);
}

/* More data than the smaller ways take: rows x columns runs of length bytes, as far apart as they are long,
 * rows 5 bytes more. */
static void large(int rows, int columns, int length, MPI_Comm comm)
{
    const long across = 2L * columns * length + 5, bytes = (long)rows * columns * length;
    unsigned char *from = malloc(rows * across), *to = malloc(rows * across), *dense = malloc(bytes);
    MPI_Datatype row, type;
    int at = 0;
    MPI_Type_vector(columns, length, 2 * length, MPI_CHAR, &row);
    MPI_Type_create_hvector(rows, 1, across, row, &type);
    MPI_Type_commit(&type);
    for (long i = 0; i < rows * across; i++)
        from[i] = (unsigned char)(i * 7 + (i >> 9));
    memset(to, 0xee, rows * across);
    CHECK_MPI(MPI_Pack(from, 1, type, dense, (int)bytes, &at, comm));
    CHECK_EQ(at, bytes);
    at = 0;
    CHECK_MPI(MPI_Unpack(dense, (int)bytes, &at, to, 1, type, comm));
    CHECK_EQ(at, bytes);
    long wrong = 0, k = 0;
    for (int r = 0; r < rows; r++)
        for (long c = 0; c < across; c++) {
            int mine = c < 2L * columns * length && c % (2 * length) < length;
            wrong += mine && dense[k++] != from[r * across + c];
            wrong += to[r * across + c] != (mine ? from[r * across + c] : 0xee);
        }
    CHECK_EQ(wrong, 0);
    MPI_Type_free(&row);
    MPI_Type_free(&type);
    free(from);
    free(to);
    free(dense);
}

static void refused(void)
{
    int at = 0;
    MPI_Datatype type, was;
    MPI_Comm gone;
    MPI_Type_vector(4, 1, 2, MPI_INT, &type);
    fill(packed, 5);
    memcpy(kept, packed, sizeof packed);
    CHECK_CLASS(MPI_Pack(data, 1, type, packed, ROOM, &at, MPI_COMM_WORLD), MPI_ERR_TYPE); /* not committed */
    CHECK_CLASS(MPI_Unpack(packed, ROOM, &at, data, 1, type, MPI_COMM_WORLD), MPI_ERR_TYPE);
    MPI_Type_commit(&type);
    CHECK_CLASS(MPI_Pack(data, -1, type, packed, ROOM, &at, MPI_COMM_WORLD), MPI_ERR_COUNT);
    CHECK_CLASS(MPI_Pack(NULL, 1, type, packed, ROOM, &at, MPI_COMM_WORLD), MPI_ERR_BUFFER);
    CHECK_CLASS(MPI_Pack(data, 1, type, NULL, ROOM, &at, MPI_COMM_WORLD), MPI_ERR_BUFFER);
    CHECK_CLASS(MPI_Unpack(NULL, ROOM, &at, data, 1, type, MPI_COMM_WORLD), MPI_ERR_BUFFER);
    CHECK_CLASS(MPI_Pack(data, 1, type, packed, ROOM, NULL, MPI_COMM_WORLD), MPI_ERR_ARG);
    CHECK_CLASS(MPI_Pack(data, 1, type, packed, ROOM, &at, MPI_COMM_NULL), MPI_ERR_COMM);
    at = -1;
    CHECK_CLASS(MPI_Pack(data, 1, type, packed, ROOM, &at, MPI_COMM_WORLD), MPI_ERR_ARG);
    at = ROOM + 1;
    CHECK_CLASS(MPI_Unpack(packed, ROOM, &at, data, 1, type, MPI_COMM_WORLD), MPI_ERR_ARG);
    CHECK_EQ(at, ROOM + 1);
    at = 0;
    MPI_Comm_dup(MPI_COMM_SELF, &gone);
    CHECK_MPI(MPI_Pack(data, 1, type, expected, ROOM, &at, gone));
    CHECK_EQ(at, 16);
    MPI_Comm copy = gone;
    MPI_Comm_free(&gone);
    CHECK_CLASS(MPI_Pack(data, 1, type, packed, ROOM, &at, copy), MPI_ERR_COMM);
    was = type;
    MPI_Type_free(&type);
    CHECK_CLASS(MPI_Pack(data, 1, was, packed, ROOM, &at, MPI_COMM_WORLD), MPI_ERR_TYPE);
    CHECK_EQ(at, 16);
    CHECK(memcmp(packed, kept, sizeof packed) == 0);
    /* A handle of the same number, made anew: its own layout, and not committed either. */
    MPI_Type_vector(2, 3, 5, MPI_INT, &type);
    CHECK_CLASS(MPI_Pack(data, 1, type, packed, ROOM, &at, MPI_COMM_WORLD), MPI_ERR_TYPE);
    MPI_Type_dup(type, &was);
    CHECK_CLASS(MPI_Pack(data, 1, was, packed, ROOM, &at, MPI_COMM_WORLD), MPI_ERR_TYPE);
    MPI_Type_free(&was);
    MPI_Type_commit(&type);
    MPI_Type_dup(type, &was);
    both(was, 1, 2, 12, 0, 20, 32, MPI_COMM_WORLD);
    MPI_Type_free(&was);
    MPI_Type_free(&type);
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    MPI_Comm half;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    vectors(MPI_COMM_WORLD);
    oddities(MPI_COMM_WORLD);
    oddities(MPI_COMM_SELF);
    for (int length = 1; length <= 96; length = length * 2 + 1)
        for (int rows = 1; rows <= 5; rows += 2) {
            large(rows, 50000 / rows / length, length, MPI_COMM_SELF);
            large(rows, 90000 / rows / length, length, MPI_COMM_SELF);
        }
    large(9, 1000, 8, MPI_COMM_WORLD);
    large(11, 1000, 24, MPI_COMM_WORLD);
    MPI_Comm_split(MPI_COMM_WORLD, me % 2, -me, &half);
    MPI_Comm_set_errhandler(half, MPI_ERRORS_RETURN);
    oddities(half);
    MPI_Comm_free(&half);
    refused();
    return check_finish();
}
