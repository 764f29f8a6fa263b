/* Views: blocks, subarrays and darrays of several ranks make up one array; what a view tells; what is
 * refused. */
#include "io.h"

enum { ROWS = 96, COLS = 80 };

static MPI_File f;

/* Every element of the array is its number; the file must hold it whole. */
static void verify(const char *name, int rows, int cols)
{
    CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
    if (me == 0) {
        long n;
        unsigned char *p = io_slurp(name, &n);
        CHECK_EQ(n, (long)rows * cols * 4);
        for (int i = 0; i < rows * cols; i++) {
            int v;
            memcpy(&v, p + 4L * i, 4);
            CHECK_MSG(v == i, "element %d is %d", i, v);
        }
        free(p);
    }
    CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
}

/* Writes this rank's part, whose elements have the numbers that the filetype gives them, by collective access
 * or alone, and reads it again. */
static void through(MPI_Datatype filetype, int collective)
{
    MPI_Status st;
    int bytes;
    MPI_Type_size(filetype, &bytes);
    const int n = bytes / 4;
    int *part = check_alloc(bytes), *got = check_alloc(bytes), *all = malloc(ROWS * COLS * 4);
    for (int i = 0; i < ROWS * COLS; i++)
        all[i] = i;
    int at = 0;
    CHECK_MPI(MPI_Pack(all, 1, filetype, part, bytes, &at, MPI_COMM_WORLD));
    free(all);
    if (me == 0 && access("array", F_OK) == 0)
        CHECK_EQ(truncate("array", 0), 0);
    CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
    CHECK_MPI(MPI_File_set_view(f, 0, MPI_INT, filetype, "native", MPI_INFO_NULL));
    if (collective)
        CHECK_MPI(MPI_File_write_all(f, part, n, MPI_INT, &st));
    else
        CHECK_MPI(MPI_File_write(f, part, n, MPI_INT, &st));
    CHECK_COUNT(st, MPI_INT, n);
    verify("array", ROWS, COLS);
    CHECK_MPI(MPI_File_seek(f, 0, MPI_SEEK_SET));
    if (collective)
        CHECK_MPI(MPI_File_read_all(f, got, n, MPI_INT, &st));
    else
        CHECK_MPI(MPI_File_read(f, got, n, MPI_INT, &st));
    CHECK_COUNT(st, MPI_INT, n);
    CHECK(memcmp(part, got, bytes) == 0);
    CHECK_MPI(MPI_File_read_at(f, n - 1, got, 10, MPI_INT, &st)); /* the next tile is beyond the end */
    CHECK_COUNT(st, MPI_INT, 1);
    check_free(part);
    check_free(got);
    CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD)); /* before the file is emptied again */
}

static void arrays(int collective)
{
    MPI_Datatype t;
    /* Columns: rank r has COLS / np of them, or what is left. */
    int sizes[2] = {ROWS, COLS}, sub[2] = {ROWS, COLS / np}, start[2] = {0, me * (COLS / np)};
    if (me == np - 1)
        sub[1] = COLS - start[1];
    MPI_Type_create_subarray(2, sizes, sub, start, MPI_ORDER_C, MPI_INT, &t);
    MPI_Type_commit(&t);
    through(t, collective);
    MPI_Type_free(&t);
    /* Rows in turn, in blocks of three; and single columns in turn. */
    int dist[2][2] = {{MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_NONE},
                      {MPI_DISTRIBUTE_NONE, MPI_DISTRIBUTE_CYCLIC}};
    int args[2][2] = {{3, MPI_DISTRIBUTE_DFLT_DARG}, {MPI_DISTRIBUTE_DFLT_DARG, 1}};
    for (int k = 0; k < 2; k++) {
        int procs[2] = {k == 0 ? np : 1, k == 0 ? 1 : np};
        MPI_Type_create_darray(np, me, 2, sizes, dist[k], args[k], procs, MPI_ORDER_C, MPI_INT, &t);
        MPI_Type_commit(&t);
        through(t, collective);
        MPI_Type_free(&t);
    }
}

static void told(void)
{
    MPI_Datatype block, tile, e, t;
    MPI_Offset disp = -1, at = -1;
    MPI_Aint extent = -1;
    char rep[MPI_MAX_DATAREP_STRING] = "";
    MPI_Type_contiguous(2, MPI_INT, &block);
    MPI_Type_create_resized(block, 0, 20, &tile);
    MPI_Type_commit(&tile);
    CHECK_MPI(MPI_File_set_view(f, 100, MPI_INT, tile, "internal", MPI_INFO_NULL));
    CHECK_MPI(MPI_File_get_view(f, &disp, &e, &t, rep));
    CHECK_EQ(disp, 100);
    CHECK(e == MPI_INT);
    CHECK(strcmp(rep, "internal") == 0);
    int ni, na, nd, combiner;
    CHECK_MPI(MPI_Type_get_envelope(t, &ni, &na, &nd, &combiner));
    CHECK_EQ(combiner, MPI_COMBINER_RESIZED);
    CHECK_MPI(MPI_Type_free(&t));
    for (int i = 0; i < 7; i++) {
        CHECK_MPI(MPI_File_get_byte_offset(f, i, &at));
        CHECK_EQ(at, 100 + i / 2 * 20 + i % 2 * 4);
    }
    CHECK_MPI(MPI_File_get_type_extent(f, MPI_DOUBLE, &extent));
    CHECK_EQ(extent, 8);
    MPI_Type_free(&block);
    MPI_Type_free(&tile);

    /* The end, in a view: the first etype that begins behind the last byte. */
    CHECK_MPI(MPI_File_set_size(f, 1000));
    MPI_Datatype every;
    MPI_Type_create_resized(MPI_INT, 0, 16, &every);
    MPI_Type_commit(&every);
    CHECK_MPI(MPI_File_set_view(f, 0, MPI_INT, every, "native", MPI_INFO_NULL));
    CHECK_MPI(MPI_File_seek(f, 0, MPI_SEEK_END));
    CHECK_MPI(MPI_File_get_position(f, &at));
    CHECK_EQ(at, 63);
    MPI_Type_free(&every);
}

/* Tiles may reach into each other, while the data of each rises: a struct that ends in a subarray has the
 * bounds of that alone. Rank 0 writes what lies ahead of an array with its part of the array. */
static void reaching(int collective)
{
    enum { HEADER = 512, HEIGHT = 5 };
    int sizes[2] = {HEIGHT, 2 * np}, part[2] = {HEIGHT, 2}, from[2] = {0, 2 * me};
    int one[2] = {HEADER, 1};
    MPI_Aint displs[2] = {0, HEADER}, lb, extent;
    MPI_Datatype columns, t, kinds[2] = {MPI_BYTE, MPI_DATATYPE_NULL};
    MPI_Type_create_subarray(2, sizes, part, from, MPI_ORDER_C, MPI_INT, &columns);
    kinds[1] = columns;
    MPI_Type_create_struct(2, one, displs, kinds, &t);
    MPI_Type_commit(&t);
    MPI_Type_commit(&columns);
    MPI_Type_get_extent(t, &lb, &extent);
    CHECK_EQ(lb, HEADER);
    CHECK_EQ(extent, HEIGHT * 2 * np * 4);

    int data[HEADER / 4 + HEIGHT * 2], got[HEADER / 4 + HEIGHT * 2], n = HEIGHT * 2;
    int *p = data;
    if (me == 0) {
        n += HEADER / 4;
        for (int i = 0; i < HEADER / 4; i++)
            *p++ = i;
    }
    for (int i = 0; i < HEIGHT * 2; i++)
        *p++ = HEADER / 4 + i / 2 * 2 * np + 2 * me + i % 2;
    if (me == 0 && access("array", F_OK) == 0)
        CHECK_EQ(truncate("array", 0), 0);
    CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
    CHECK_MPI(MPI_File_set_view(f, me == 0 ? 0 : HEADER, MPI_BYTE, me == 0 ? t : columns, "native", MPI_INFO_NULL));
    MPI_Status st;
    if (collective)
        CHECK_MPI(MPI_File_write_all(f, data, n, MPI_INT, &st));
    else
        CHECK_MPI(MPI_File_write(f, data, n, MPI_INT, &st));
    CHECK_COUNT(st, MPI_INT, n);
    verify("array", 1, HEADER / 4 + HEIGHT * 2 * np);
    if (collective)
        CHECK_MPI(MPI_File_read_at_all(f, 0, got, n, MPI_INT, &st));
    else
        CHECK_MPI(MPI_File_read_at(f, 0, got, n, MPI_INT, &st));
    CHECK_COUNT(st, MPI_INT, n);
    CHECK(memcmp(got, data, (size_t)n * 4) == 0);
    CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
    MPI_Type_free(&t);
    MPI_Type_free(&columns);
}

/* Elements at 0 and 12 every 8 bytes: 0 3, 2 5, 4 7, and so on. */
static void braided(void)
{
    int one[2] = {1, 1}, displs[2] = {0, 3}, data[12], got[12], *file,
        want[12] = {0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13};
    MPI_Datatype pair, t;
    MPI_Type_indexed(2, one, displs, MPI_INT, &pair);
    MPI_Type_create_resized(pair, 0, 8, &t);
    MPI_Type_free(&pair);
    MPI_Type_commit(&t);
    CHECK_MPI(MPI_File_set_view(f, 0, MPI_INT, t, "native", MPI_INFO_NULL));
    MPI_Offset at;
    MPI_Status st;
    for (int i = 0; i < 12; i++) {
        CHECK_MPI(MPI_File_get_byte_offset(f, i, &at));
        CHECK_EQ(at, want[i] * 4);
        data[i] = want[i] + 1;
    }
    for (int atomic = 0; atomic < 2; atomic++) {
        CHECK_MPI(MPI_File_set_size(f, 0));
        CHECK_MPI(MPI_File_set_atomicity(f, atomic));
        CHECK_MPI(MPI_File_write_at_all(f, 1, data + 1, 11, MPI_INT, &st));
        CHECK_COUNT(st, MPI_INT, 11);
        CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
        if (me == 0) {
            long n;
            file = (int *)io_slurp("array", &n);
            CHECK_EQ(n, 14 * 4);
            for (int i = 0; i < 14; i++)
                CHECK_EQ(file[i], i == 0 || i == 1 || i == 12 ? 0 : i + 1);
            free(file);
        }
        CHECK_MPI(MPI_File_read_at(f, 3, got, 7, MPI_INT, &st));
        CHECK_COUNT(st, MPI_INT, 7);
        for (int i = 0; i < 7; i++)
            CHECK_EQ(got[i], want[3 + i] + 1);
        CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
    }
    CHECK_MPI(MPI_File_set_atomicity(f, 0));
    int ends[][2] = {{0, 0}, {4, 1}, {12, 1}, {16, 3}, {20, 3}, {24, 5}, {28, 5}, {32, 7}, {4000, 999}};
    for (int i = 0; i < (int)(sizeof ends / sizeof *ends); i++) {
        CHECK_MPI(MPI_File_set_size(f, ends[i][0]));
        CHECK_MPI(MPI_File_seek(f, 0, MPI_SEEK_END));
        CHECK_MPI(MPI_File_get_position(f, &at));
        CHECK_MSG(at == ends[i][1], "the end of %d bytes is at %lld", ends[i][0], (long long)at);
        CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
    }
    MPI_Type_free(&t);
}

static void refused(void)
{
    MPI_Datatype t, raw;
    int one[2] = {1, 1}, back[2] = {4, 0};
    MPI_Type_indexed(2, one, back, MPI_INT, &t);
    MPI_Type_commit(&t);
    CHECK_CLASS(MPI_File_set_view(f, 0, MPI_INT, t, "native", MPI_INFO_NULL), MPI_ERR_IO);
    MPI_Type_free(&t);
    MPI_Type_contiguous(3, MPI_CHAR, &t);
    MPI_Type_commit(&t);
    CHECK_CLASS(MPI_File_set_view(f, 0, MPI_INT, t, "native", MPI_INFO_NULL), MPI_ERR_TYPE);
    MPI_Type_free(&t);
    MPI_Type_contiguous(3, MPI_INT, &raw);
    CHECK_CLASS(MPI_File_set_view(f, 0, MPI_INT, raw, "native", MPI_INFO_NULL), MPI_ERR_TYPE);
    MPI_Type_free(&raw);
    CHECK_CLASS(MPI_File_set_view(f, -7, MPI_INT, MPI_INT, "native", MPI_INFO_NULL), MPI_ERR_DISP);
    CHECK_CLASS(MPI_File_set_view(f, MPI_DISPLACEMENT_CURRENT, MPI_INT, MPI_INT, "native", MPI_INFO_NULL),
                MPI_ERR_DISP);
    CHECK_CLASS(MPI_File_set_view(f, 0, MPI_INT, MPI_INT, "ternary", MPI_INFO_NULL), MPI_ERR_UNSUPPORTED_DATAREP);
    if (np > 1)
        CHECK_CLASS(MPI_File_set_view(f, 0, me == 0 ? MPI_INT : MPI_DOUBLE, me == 0 ? MPI_INT : MPI_DOUBLE,
                                      "native", MPI_INFO_NULL),
                    MPI_ERR_NOT_SAME);
}

/* Places beyond 2^32, with nothing in between. */
static void far(void)
{
    const MPI_Offset at = ((MPI_Offset)5 << 30) + me * 8;
    double out = me + 0.5, in = 0;
    CHECK_MPI(MPI_File_set_view(f, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL));
    CHECK_MPI(MPI_File_write_at_all(f, at, &out, 1, MPI_DOUBLE, MPI_STATUS_IGNORE));
    CHECK_MPI(MPI_File_read_at(f, at, &in, 1, MPI_DOUBLE, MPI_STATUS_IGNORE));
    CHECK(in == out);
    CHECK_MPI(MPI_File_set_size(f, 0));
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    MPI_Info info;
    MPI_Info_create(&info);
    for (int i = 1; i + 1 < argc; i += 2)
        MPI_Info_set(info, argv[i], argv[i + 1]);
    CHECK_MPI(MPI_File_open(MPI_COMM_WORLD, "array",
                            MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE, info, &f));
    MPI_Info_free(&info);
    arrays(0);
    arrays(1);
    reaching(0);
    reaching(1);
    braided();
    told();
    refused();
    far();
    CHECK_MPI(MPI_File_close(&f));
    return check_finish();
}
