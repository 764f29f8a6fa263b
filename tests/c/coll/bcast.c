/* MPI_Bcast: every root, every size, every rank's buffer; the root's stays as it is, nothing is written
 * beside the others'. */
#include "coll.h"

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    int round = 0;
    for (int c = 0; c < COLL_COUNTS; c++)
        for (int root = 0; root < np; root++) {
            int n = coll_counts[c];
            int *b = check_alloc_at(n * sizeof(int), c % 3 == 0 ? 4 : 0);
            round++;
            if (me == root)
                coll_fill(b, n, round, root, COLL_ALL);
            CHECK_MPI(MPI_Bcast(b, n, MPI_INT, root, MPI_COMM_WORLD));
            COLL_CHECK(b, n, round, root, COLL_ALL);
            check_free(b);
        }

    /* Every number of bytes up to a bit over a few cache lines, with no regard to alignment. */
    for (int n = 0; n <= 300; n++) {
        unsigned char *b = check_alloc_at(n, n % 7);
        int root = n % np;
        if (me == root)
            check_fill(b, n, 9000 + n);
        CHECK_MPI(MPI_Bcast(b, n, MPI_BYTE, root, MPI_COMM_WORLD));
        CHECK_DATA(b, n, 9000 + n);
        check_free(b);
    }

    /* The datatypes may differ where the signatures agree, and gaps are skipped. */
    int raw[8], i;
    memset(raw, 0xff, sizeof raw);
    if (me == 0) {
        for (i = 0; i < 6; i++)
            raw[i] = 100 + i;
        CHECK_MPI(MPI_Bcast(raw, 6, MPI_INT, 0, MPI_COMM_WORLD));
    } else {
        CHECK_MPI(MPI_Bcast(raw, 3, MPI_2INT, 0, MPI_COMM_WORLD));
    }
    for (i = 0; i < 6; i++)
        CHECK_EQ(raw[i], 100 + i);
    CHECK_EQ(raw[6], -1);

    struct { double d; int i; } pair[3];
    memset(pair, me == 0 ? 0x11 : 0x22, sizeof pair);
    for (i = 0; me == 0 && i < 3; i++) {
        pair[i].d = i + 0.5;
        pair[i].i = i * 7;
    }
    CHECK_MPI(MPI_Bcast(pair, 3, MPI_DOUBLE_INT, 0, MPI_COMM_WORLD));
    for (i = 0; i < 3; i++) {
        CHECK(pair[i].d == i + 0.5);
        CHECK_EQ(pair[i].i, i * 7);
        for (int k = 12; k < 16; k++)
            CHECK_EQ(((unsigned char *)&pair[i])[k], me == 0 ? 0x11 : 0x22);
    }
    return check_finish();
}
