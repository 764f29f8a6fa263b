/* Ordered access: positions by rank whatever each contributes, none included; other types on other ranks; the
 * pointer where it should be when the call returns. */
#include "io.h"

static MPI_File f;

static MPI_Offset pointer(void)
{
    MPI_Offset at = -1;
    CHECK_MPI(MPI_File_get_position_shared(f, &at));
    return at;
}

/* Elements of a rank in a round. */
static int amount(int rank, int round) { return (rank * 7 + round * 3) % 5; }

static void rounds(void)
{
    long total = 0;
    int buf[5], got[5];
    for (int round = 0; round < 50; round++) {
        int n = amount(me, round);
        for (int i = 0; i < n; i++)
            buf[i] = round * 1000 + me * 10 + i;
        MPI_Status st;
        CHECK_MPI(MPI_File_write_ordered(f, buf, n, MPI_INT, &st));
        CHECK_COUNT(st, MPI_INT, n);
        for (int r = 0; r < np; r++)
            total += amount(r, round);
        CHECK_EQ(pointer(), total); /* nobody else is ahead: the next call needs everybody */
        CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
    }
    CHECK_MPI(MPI_File_seek_shared(f, 0, MPI_SEEK_SET));
    for (int round = 0; round < 50; round++) {
        int n = amount(me, round);
        MPI_Status st;
        CHECK_MPI(MPI_File_read_ordered(f, got, n, MPI_INT, &st));
        CHECK_COUNT(st, MPI_INT, n);
        for (int i = 0; i < n; i++)
            CHECK_EQ(got[i], round * 1000 + me * 10 + i);
    }
    CHECK_EQ(pointer(), total);
    if (me == 0) {
        long n, at = 0;
        unsigned char *all = io_slurp("ordered", &n);
        CHECK_EQ(n, 4 * total);
        for (int round = 0; round < 50; round++)
            for (int r = 0; r < np; r++)
                for (int i = 0; i < amount(r, round); i++, at++) {
                    int v;
                    memcpy(&v, all + 4 * at, 4);
                    CHECK_EQ(v, round * 1000 + r * 10 + i);
                }
        free(all);
    }
    CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
}

/* Rank r writes its r as char, short, int or double, with a gap between elements of the same. */
static void types(void)
{
    static const MPI_Datatype type[] = {MPI_CHAR, MPI_SHORT, MPI_INT, MPI_DOUBLE};
    static const int size[] = {1, 2, 4, 8};
    CHECK_MPI(MPI_File_set_view(f, 3, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL));
    CHECK_EQ(pointer(), 0);
    char buf[3 * 8];
    memset(buf, 'a' + me, sizeof buf);
    MPI_Datatype gaps;
    MPI_Type_vector(2, 1, 2, type[me % 4], &gaps);
    MPI_Type_commit(&gaps);
    CHECK_MPI(MPI_File_write_ordered(f, buf, 1, gaps, MPI_STATUS_IGNORE));
    long before = 0, all = 0;
    for (int r = 0; r < np; r++) {
        if (r < me)
            before += 2 * size[r % 4];
        all += 2 * size[r % 4];
    }
    CHECK_EQ(pointer(), all);
    char got[16];
    CHECK_MPI(MPI_File_read_at(f, before, got, 2 * size[me % 4], MPI_BYTE, MPI_STATUS_IGNORE));
    for (int i = 0; i < 2 * size[me % 4]; i++)
        CHECK_EQ(got[i], 'a' + me);
    MPI_Type_free(&gaps);
    CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
}

/* Through a view that shows every other int; the same on all ranks, as the shared pointer wants it. */
static void view(void)
{
    CHECK_MPI(MPI_File_set_size(f, 0));
    MPI_Datatype every, resized;
    MPI_Type_contiguous(1, MPI_INT, &every);
    MPI_Type_create_resized(every, 0, 8, &resized);
    MPI_Type_commit(&resized);
    CHECK_MPI(MPI_File_set_view(f, 4, MPI_INT, resized, "native", MPI_INFO_NULL));
    int mine[3] = {me, me + 100, me + 200};
    CHECK_MPI(MPI_File_write_ordered(f, mine, me == 1 ? 0 : 3, MPI_INT, MPI_STATUS_IGNORE));
    CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
    if (me == 0) {
        long n;
        unsigned char *p = io_slurp("ordered", &n);
        const int writers = np > 1 ? np - 1 : 1;
        CHECK_EQ(n, 8 * 3 * writers);
        for (int k = 0; k < 3 * writers; k++) {
            int gap, v, r = k / 3 == 0 ? 0 : k / 3 + 1;
            memcpy(&gap, p + 8 * k, 4);
            memcpy(&v, p + 8 * k + 4, 4);
            CHECK_EQ(gap, 0);
            CHECK_EQ(v, r + k % 3 * 100);
        }
        free(p);
    }
    MPI_Type_free(&every);
    MPI_Type_free(&resized);
    CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
}

/* Ordered and shared access take turns; nothing is lost and nothing is written twice. */
static void mixed(void)
{
    CHECK_MPI(MPI_File_set_size(f, 0));
    CHECK_MPI(MPI_File_set_view(f, 0, MPI_LONG, MPI_LONG, "native", MPI_INFO_NULL));
    enum { ROUNDS = 200 };
    for (long i = 0; i < ROUNDS; i++) {
        long v = i * np + me;
        CHECK_MPI(MPI_File_write_shared(f, &v, 1, MPI_LONG, MPI_STATUS_IGNORE));
        if (i % 10 == 0)
            CHECK_MPI(MPI_File_write_ordered(f, &v, me % 2, MPI_LONG, MPI_STATUS_IGNORE));
    }
    CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
    const long total = ROUNDS * np + ROUNDS / 10 * (np / 2);
    CHECK_EQ(pointer(), total);
    if (me == 0) {
        long n;
        unsigned char *p = io_slurp("ordered", &n);
        CHECK_EQ(n, 8 * total);
        int *seen = calloc(ROUNDS * np, sizeof *seen);
        for (long k = 0; k < total; k++) {
            long v;
            memcpy(&v, p + 8 * k, 8);
            CHECK(v >= 0 && v < ROUNDS * np);
            seen[v]++;
        }
        for (long v = 0; v < ROUNDS * np; v++)
            CHECK_EQ(seen[v], 1 + (v / np % 10 == 0 && v % np % 2 == 1));
        free(seen);
        free(p);
    }
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    f = io_open("ordered", MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE);
    CHECK_MPI(MPI_File_set_view(f, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
    rounds();
    types();
    view();
    mixed();
    CHECK_MPI(MPI_File_close(&f));
    return check_finish();
}
