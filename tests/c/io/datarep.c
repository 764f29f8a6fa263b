/* Data representations: external32 byte by byte, and one of the program's own that turns numbers round. */
#include "io.h"

static MPI_File f;
static int extra, reads, writes, extents;

static int extent_fn(MPI_Datatype t, MPI_Aint *extent, void *state)
{
    int size;
    CHECK(state == &extra);
    MPI_Type_size(t, &size);
    *extent = 2 * size; /* each number stands in the file twice, the second time with its bits turned round */
    extents++;
    return MPI_SUCCESS;
}

/* For MPI_INT alone, and types of it with gaps of one int. */
static int stride_of(MPI_Datatype t)
{
    MPI_Aint lb, extent;
    int size;
    MPI_Type_get_extent(t, &lb, &extent);
    MPI_Type_size(t, &size);
    return extent == size ? 1 : 2;
}

static int write_fn(void *user, MPI_Datatype t, int count, void *file, MPI_Offset position, void *state)
{
    CHECK(state == &extra);
    const int stride = stride_of(t);
    for (int i = 0; i < count; i++) {
        int v = ((int *)user)[(position + i) * stride];
        ((int *)file)[2 * i] = v;
        ((int *)file)[2 * i + 1] = ~v;
    }
    writes++;
    return MPI_SUCCESS;
}

static int read_fn(void *user, MPI_Datatype t, int count, void *file, MPI_Offset position, void *state)
{
    CHECK(state == &extra);
    const int stride = stride_of(t);
    for (int i = 0; i < count; i++) {
        int v = ((int *)file)[2 * i];
        if (((int *)file)[2 * i + 1] != ~v)
            return MPI_ERR_CONVERSION;
        ((int *)user)[(position + i) * stride] = v;
    }
    reads++;
    return MPI_SUCCESS;
}

static void external(void)
{
    MPI_Aint n;
    MPI_Status st;
    CHECK_MPI(MPI_File_set_view(f, 0, MPI_SHORT, MPI_SHORT, "external32", MPI_INFO_NULL));
    short out[3] = {0x0102, -2, 0x7fff}, in[8] = {0};
    CHECK_MPI(MPI_File_write_at_all(f, 3 * me, out, 3, MPI_SHORT, &st));
    CHECK_COUNT(st, MPI_SHORT, 3);
    CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
    if (me == 0) {
        static const unsigned char want[] = {1, 2, 0xff, 0xfe, 0x7f, 0xff};
        long bytes;
        unsigned char *p = io_slurp("represented", &bytes);
        CHECK_EQ(bytes, 6 * np);
        for (int r = 0; r < np; r++)
            CHECK(memcmp(p + 6 * r, want, 6) == 0);
        free(p);
    }
    CHECK_MPI(MPI_File_read_at_all(f, 3 * (np - 1), in, 8, MPI_SHORT, &st)); /* more than there is */
    CHECK_COUNT(st, MPI_SHORT, 3);
    CHECK(memcmp(in, out, 6) == 0);
    CHECK_EQ(in[3], 0);
    MPI_Request r;
    memset(in, 0, sizeof in);
    CHECK_MPI(MPI_File_iread_at(f, 0, in, 3, MPI_SHORT, &r));
    CHECK_MPI(MPI_Wait(&r, &st));
    CHECK_COUNT(st, MPI_SHORT, 3);
    CHECK(memcmp(in, out, 6) == 0);
    CHECK_MPI(MPI_File_get_type_extent(f, MPI_LONG, &n));
    CHECK_EQ(n, 4);
    CHECK_MPI(MPI_File_get_type_extent(f, MPI_DOUBLE, &n));
    CHECK_EQ(n, 8);

    /* A long has four bytes there, and a view of longs counts in those. */
    MPI_Datatype every;
    MPI_Type_vector(2, 1, 2, MPI_LONG, &every);
    MPI_Type_commit(&every);
    CHECK_MPI(MPI_File_set_size(f, 0));
    CHECK_MPI(MPI_File_set_view(f, 0, MPI_LONG, every, "external32", MPI_INFO_NULL));
    long two[2] = {-5, 77}, back[2] = {0, 0};
    if (me == 0)
        CHECK_MPI(MPI_File_write_at(f, 0, two, 2, MPI_LONG, &st));
    CHECK_MPI(MPI_File_sync(f));
    MPI_Offset size;
    CHECK_MPI(MPI_File_get_size(f, &size));
    CHECK_EQ(size, 12);
    CHECK_MPI(MPI_File_read_at(f, 0, back, 2, MPI_LONG, &st));
    CHECK_COUNT(st, MPI_LONG, 2);
    CHECK_EQ(back[0], -5);
    CHECK_EQ(back[1], 77);
    MPI_Type_free(&every);
    CHECK_MPI(MPI_File_set_size(f, 0));
}

static void own(void)
{
    MPI_Aint n;
    MPI_Status st;
    CHECK_MPI(MPI_Register_datarep("twice", read_fn, write_fn, extent_fn, &extra));
    CHECK_CLASS(MPI_Register_datarep("twice", read_fn, write_fn, extent_fn, &extra), MPI_ERR_DUP_DATAREP);
    CHECK_CLASS(MPI_Register_datarep("native", read_fn, write_fn, extent_fn, &extra), MPI_ERR_DUP_DATAREP);
    CHECK_MPI(MPI_File_set_view(f, 0, MPI_INT, MPI_INT, "twice", MPI_INFO_NULL));
    CHECK_MPI(MPI_File_get_type_extent(f, MPI_INT, &n));
    CHECK_EQ(n, 8);
    int out[20], in[20];
    for (int i = 0; i < 20; i++)
        out[i] = me * 100 + i;
    CHECK_MPI(MPI_File_write_ordered(f, out, 10, MPI_INT, &st));
    CHECK_COUNT(st, MPI_INT, 10);
    CHECK_MPI(MPI_File_sync(f));
    MPI_Offset size;
    CHECK_MPI(MPI_File_get_size(f, &size));
    CHECK_EQ(size, 80 * np);
    MPI_Datatype gaps;
    MPI_Type_create_resized(MPI_INT, 0, 8, &gaps);
    MPI_Type_commit(&gaps);
    memset(in, 0, sizeof in);
    CHECK_MPI(MPI_File_read_at_all(f, 10 * me, in, 10, gaps, &st));
    CHECK_COUNT(st, MPI_INT, 10);
    for (int i = 0; i < 10; i++) {
        CHECK_EQ(in[2 * i], out[i]);
        CHECK_EQ(in[2 * i + 1], 0);
    }
    MPI_Request r;
    memset(in, 0, sizeof in);
    CHECK_MPI(MPI_File_iread_at(f, 10 * np - 2, in, 10, MPI_INT, &r)); /* two are there */
    CHECK_MPI(MPI_Wait(&r, &st));
    CHECK_COUNT(st, MPI_INT, 2);
    CHECK_EQ(in[0], 100 * (np - 1) + 8);
    MPI_Type_free(&gaps);
    CHECK(extents > 0 && reads > 0 && writes > 0);

    /* What cannot be converted is an error, on all ranks. */
    CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
    CHECK_MPI(MPI_File_set_view(f, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL));
    int zero = 0;
    if (me == 0)
        CHECK_MPI(MPI_File_write_at(f, 4, &zero, 4, MPI_BYTE, &st));
    CHECK_MPI(MPI_File_set_view(f, 0, MPI_INT, MPI_INT, "twice", MPI_INFO_NULL));
    CHECK_CLASS(MPI_File_read_at(f, 0, in, 1, MPI_INT, &st), MPI_ERR_CONVERSION);

    /* No functions: the bytes are those of memory. */
    CHECK_MPI(MPI_Register_datarep_c("plain", MPI_CONVERSION_FN_NULL_C, MPI_CONVERSION_FN_NULL_C, extent_fn,
                                     &extra));
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    f = io_open("represented", MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE);
    external();
    own();
    CHECK_MPI(MPI_File_close(&f));
    return check_finish();
}
