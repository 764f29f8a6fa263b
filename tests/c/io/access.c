/* Every way of access, writing and reading: data, pointers, statuses, also at the end of the file. */
#include "io.h"

enum { N = 1000 };

static MPI_File f;
static int out[N], in[N];

static void fill(int round)
{
    for (int i = 0; i < N; i++)
        out[i] = round * 1000003 + me * N + i;
    memset(in, 0xee, sizeof in);
}

static void compare(int n)
{
    for (int i = 0; i < n; i++)
        CHECK_MSG(in[i] == out[i], "element %d is %d, want %d", i, in[i], out[i]);
}

static void finish(MPI_Request *r, MPI_Status *st, int n)
{
    CHECK_MPI(MPI_Wait(r, st));
    CHECK(*r == MPI_REQUEST_NULL);
    CHECK_COUNT(*st, MPI_INT, n);
}

static void explicit_offsets(void)
{
    MPI_Status st;
    MPI_Request r;
    const MPI_Offset at = (MPI_Offset)me * N;
    fill(1);
    CHECK_MPI(MPI_File_write_at(f, at, out, N, MPI_INT, &st));
    CHECK_COUNT(st, MPI_INT, N);
    CHECK_MPI(MPI_File_read_at(f, at, in, N, MPI_INT, &st));
    CHECK_COUNT(st, MPI_INT, N);
    compare(N);
    fill(2);
    CHECK_MPI(MPI_File_write_at_all(f, at, out, N, MPI_INT, &st));
    CHECK_COUNT(st, MPI_INT, N);
    CHECK_MPI(MPI_File_read_at_all(f, at, in, N, MPI_INT, &st));
    CHECK_COUNT(st, MPI_INT, N);
    compare(N);
    fill(3);
    CHECK_MPI(MPI_File_iwrite_at(f, at, out, N, MPI_INT, &r));
    finish(&r, &st, N);
    CHECK_MPI(MPI_File_iread_at(f, at, in, N, MPI_INT, &r));
    finish(&r, &st, N);
    compare(N);
    fill(4);
    CHECK_MPI(MPI_File_iwrite_at_all(f, at, out, N, MPI_INT, &r));
    finish(&r, &st, N);
    CHECK_MPI(MPI_File_iread_at_all(f, at, in, N, MPI_INT, &r));
    finish(&r, &st, N);
    compare(N);
    fill(5);
    CHECK_MPI(MPI_File_write_at_all_begin(f, at, out, N, MPI_INT));
    CHECK_CLASS(MPI_File_write_at_all_begin(f, at, out, N, MPI_INT), MPI_ERR_OTHER);
    CHECK_CLASS(MPI_File_write_all_end(f, out, &st), MPI_ERR_OTHER);
    CHECK_MPI(MPI_File_write_at_all_end(f, out, &st));
    CHECK_COUNT(st, MPI_INT, N);
    CHECK_CLASS(MPI_File_write_at_all_end(f, out, &st), MPI_ERR_OTHER);
    CHECK_MPI(MPI_File_read_at_all_begin(f, at, in, N, MPI_INT));
    CHECK_MPI(MPI_File_read_at_all_end(f, in, &st));
    CHECK_COUNT(st, MPI_INT, N);
    compare(N);
    fill(6);
    CHECK_MPI(MPI_File_write_at_c(f, at, out, (MPI_Count)N, MPI_INT, &st));
    CHECK_MPI(MPI_File_read_at_all_c(f, at, in, (MPI_Count)N, MPI_INT, &st));
    CHECK_COUNT(st, MPI_INT, N);
    compare(N);
    CHECK_CLASS(MPI_File_write_at(f, -1, out, 1, MPI_INT, &st), MPI_ERR_ARG);
    CHECK_CLASS(MPI_File_write_at(f, 0, out, -1, MPI_INT, &st), MPI_ERR_COUNT);
    CHECK_CLASS(MPI_File_write_at(f, 0, NULL, 1, MPI_INT, &st), MPI_ERR_BUFFER);
    CHECK_CLASS(MPI_File_write_at(f, 0, out, 1, MPI_DATATYPE_NULL, &st), MPI_ERR_TYPE);
    CHECK_CLASS(MPI_File_write_at(f, INT64_MAX - 1, out, 1, MPI_INT, &st), MPI_ERR_ARG);
    CHECK_CLASS(MPI_File_write_at(f, 0, out, 3, MPI_BYTE, &st), MPI_ERR_IO); /* no whole etype */
}

static MPI_Offset where(void)
{
    MPI_Offset at = -1;
    CHECK_MPI(MPI_File_get_position(f, &at));
    return at;
}

static void individual_pointers(void)
{
    MPI_Status st;
    MPI_Request r;
    const MPI_Offset at = (MPI_Offset)me * N;
    CHECK_MPI(MPI_File_seek(f, at, MPI_SEEK_SET));
    fill(7);
    CHECK_MPI(MPI_File_write(f, out, 100, MPI_INT, &st));
    CHECK_COUNT(st, MPI_INT, 100);
    CHECK_EQ(where(), at + 100);
    CHECK_MPI(MPI_File_write_all(f, out + 100, 100, MPI_INT, &st));
    CHECK_EQ(where(), at + 200);
    CHECK_MPI(MPI_File_iwrite(f, out + 200, 100, MPI_INT, &r));
    CHECK_EQ(where(), at + 300);
    finish(&r, &st, 100);
    CHECK_MPI(MPI_File_iwrite_all(f, out + 300, 100, MPI_INT, &r));
    CHECK_EQ(where(), at + 400);
    finish(&r, &st, 100);
    CHECK_MPI(MPI_File_write_all_begin(f, out + 400, 100, MPI_INT));
    CHECK_EQ(where(), at + 500);
    CHECK_MPI(MPI_File_write_all_end(f, out + 400, &st));
    CHECK_COUNT(st, MPI_INT, 100);
    CHECK_MPI(MPI_File_seek(f, -500, MPI_SEEK_CUR));
    CHECK_EQ(where(), at);
    CHECK_MPI(MPI_File_read(f, in, 100, MPI_INT, &st));
    CHECK_MPI(MPI_File_read_all(f, in + 100, 100, MPI_INT, &st));
    CHECK_MPI(MPI_File_iread(f, in + 200, 100, MPI_INT, &r));
    finish(&r, &st, 100);
    CHECK_MPI(MPI_File_iread_all(f, in + 300, 100, MPI_INT, &r));
    finish(&r, &st, 100);
    CHECK_MPI(MPI_File_read_all_begin(f, in + 400, 100, MPI_INT));
    CHECK_MPI(MPI_File_read_all_end(f, in + 400, &st));
    CHECK_EQ(where(), at + 500);
    compare(500);
    CHECK_CLASS(MPI_File_seek(f, -1, MPI_SEEK_SET), MPI_ERR_ARG);
    CHECK_CLASS(MPI_File_seek(f, 0, 12345), MPI_ERR_ARG);
    CHECK_EQ(where(), at + 500);
}

static void end_of_file(void)
{
    MPI_Status st;
    MPI_Request r;
    const int all = N * np;
    CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
    CHECK_MPI(MPI_File_seek(f, -10, MPI_SEEK_END));
    CHECK_EQ(where(), all - 10);
    CHECK_MPI(MPI_File_read(f, in, 25, MPI_INT, &st));
    CHECK_COUNT(st, MPI_INT, 10);
    CHECK_EQ(where(), all + 15);
    CHECK_MPI(MPI_File_read(f, in, 25, MPI_INT, &st));
    CHECK_COUNT(st, MPI_INT, 0);
    CHECK_MPI(MPI_File_read_at_all(f, all - 3, in, 25, MPI_INT, &st));
    CHECK_COUNT(st, MPI_INT, 3);
    CHECK_MPI(MPI_File_iread_at(f, all - 3, in, 25, MPI_INT, &r));
    finish(&r, &st, 3);
    CHECK_MPI(MPI_File_seek_shared(f, all - np, MPI_SEEK_SET));
    CHECK_MPI(MPI_File_read_ordered(f, in, 2, MPI_INT, &st)); /* twice as much as there is */
    int n;
    MPI_Get_count(&st, MPI_INT, &n);
    CHECK_EQ(n, 2 * me + 2 <= np ? 2 : 2 * me < np ? 1 : 0);
    MPI_Offset at;
    CHECK_MPI(MPI_File_get_position_shared(f, &at));
    CHECK_EQ(at, all + np);
}

static void shared_pointer(void)
{
    MPI_Status st;
    MPI_Request r;
    MPI_Offset at;
    fill(8);
    CHECK_MPI(MPI_File_seek_shared(f, 0, MPI_SEEK_SET));
    CHECK_MPI(MPI_File_write_ordered(f, out, N, MPI_INT, &st));
    CHECK_COUNT(st, MPI_INT, N);
    CHECK_MPI(MPI_File_get_position_shared(f, &at));
    CHECK_EQ(at, N * np);
    CHECK_MPI(MPI_File_seek_shared(f, -N * np, MPI_SEEK_CUR));
    CHECK_MPI(MPI_File_read_ordered(f, in, N, MPI_INT, &st));
    compare(N);
    fill(9);
    CHECK_MPI(MPI_File_seek_shared(f, -N * np, MPI_SEEK_END));
    CHECK_MPI(MPI_File_write_ordered_begin(f, out, N, MPI_INT));
    CHECK_MPI(MPI_File_write_ordered_end(f, out, &st));
    CHECK_COUNT(st, MPI_INT, N);
    CHECK_MPI(MPI_File_seek_shared(f, 0, MPI_SEEK_SET));
    CHECK_MPI(MPI_File_read_ordered_begin(f, in, N, MPI_INT));
    CHECK_MPI(MPI_File_read_ordered_end(f, in, &st));
    CHECK_COUNT(st, MPI_INT, N);
    compare(N);

    /* Each rank gets a part of its own, whichever. */
    CHECK_MPI(MPI_File_seek_shared(f, 0, MPI_SEEK_SET));
    for (int i = 0; i < 4; i++) {
        int record[2] = {me, i};
        if (i % 2) {
            CHECK_MPI(MPI_File_iwrite_shared(f, record, 2, MPI_INT, &r));
            finish(&r, &st, 2);
        } else {
            CHECK_MPI(MPI_File_write_shared(f, record, 2, MPI_INT, &st));
            CHECK_COUNT(st, MPI_INT, 2);
        }
    }
    CHECK_MPI(MPI_File_seek_shared(f, 0, MPI_SEEK_SET));
    long sum = 0, all = 0;
    for (int i = 0; i < 4; i++) {
        int record[2] = {-1, -1};
        if (i % 2) {
            CHECK_MPI(MPI_File_iread_shared(f, record, 2, MPI_INT, &r));
            finish(&r, &st, 2);
        } else {
            CHECK_MPI(MPI_File_read_shared(f, record, 2, MPI_INT, &st));
        }
        sum += record[0] * 4 + record[1];
    }
    CHECK_MPI(MPI_Allreduce(&sum, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD));
    CHECK_EQ(all, 4L * np * (4 * np - 1) / 2);
    if (np > 1)
        CHECK_CLASS(MPI_File_seek_shared(f, me, MPI_SEEK_SET), MPI_ERR_NOT_SAME);
    CHECK_CLASS(MPI_File_seek_shared(f, -5, MPI_SEEK_SET), MPI_ERR_ARG);
}

/* A rank whose arguments are wrong does not keep the others waiting: all are told. */
static void one_is_wrong(void)
{
    MPI_Status st;
    MPI_Datatype bad = me == 0 ? MPI_DATATYPE_NULL : MPI_INT;
    CHECK_CLASS(MPI_File_write_at_all(f, me, out, 1, bad, &st), MPI_ERR_TYPE);
    CHECK_CLASS(MPI_File_read_ordered(f, in, 1, bad, &st), MPI_ERR_TYPE);
    CHECK_CLASS(MPI_File_write_all(f, out, me == np - 1 ? -1 : 1, MPI_INT, &st), MPI_ERR_COUNT);
    MPI_Datatype raw;
    MPI_Type_contiguous(4, MPI_INT, &raw);
    CHECK_CLASS(MPI_File_read_all(f, in, 1, me == 0 ? raw : MPI_INT, &st), MPI_ERR_TYPE); /* not committed */
    MPI_Type_free(&raw);
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    f = io_open("accessed", MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE);
    CHECK_MPI(MPI_File_set_view(f, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
    explicit_offsets();
    individual_pointers();
    end_of_file();
    shared_pointer();
    one_is_wrong();
    int flag = -1;
    CHECK_MPI(MPI_File_set_atomicity(f, 1));
    CHECK_MPI(MPI_File_get_atomicity(f, &flag));
    CHECK_EQ(flag, 1);
    explicit_offsets();
    individual_pointers();
    CHECK_MPI(MPI_File_sync(f));
    CHECK_MPI(MPI_File_close(&f));
    return check_finish();
}
