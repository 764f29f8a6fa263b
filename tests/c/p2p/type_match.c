/* Sender and receiver may describe the same data differently where the signatures agree, and any data as
 * MPI_BYTE by both. */
#include "check.h"

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    int to = (me + 1) % np, from = (me + np - 1) % np;
    MPI_Status st;

    /* 2 n ints fill n pairs. */
    int out[10], pairs[12];
    for (int i = 0; i < 10; i++)
        out[i] = me * 100 + i;
    memset(pairs, 0xff, sizeof pairs);
    CHECK_MPI(MPI_Sendrecv(out, 10, MPI_INT, to, 1, pairs, 6, MPI_2INT, from, 1, MPI_COMM_WORLD, &st));
    CHECK_COUNT(st, MPI_2INT, 5);
    for (int i = 0; i < 10; i++)
        CHECK_EQ(pairs[i], from * 100 + i);
    CHECK_EQ(pairs[10], -1);

    /* A double and an int fill a pair with a gap, and the gap is skipped on the way out. */
    struct { double d; int i; } two[2], back[3];
    memset(two, 0x11, sizeof two);
    memset(back, 0x22, sizeof back);
    for (int i = 0; i < 2; i++) {
        two[i].d = me + 0.25 * i;
        two[i].i = me * 10 + i;
    }
    CHECK_MPI(
        MPI_Sendrecv(two, 2, MPI_DOUBLE_INT, to, 2, back, 3, MPI_DOUBLE_INT, from, 2, MPI_COMM_WORLD, &st));
    CHECK_COUNT(st, MPI_DOUBLE_INT, 2);
    CHECK_COUNT(st, MPI_BYTE, 24);
    unsigned char *raw = (unsigned char *)back;
    for (int i = 0; i < 2; i++) {
        CHECK(back[i].d == from + 0.25 * i);
        CHECK_EQ(back[i].i, from * 10 + i);
        for (int k = 12; k < 16; k++)
            CHECK_EQ(raw[i * 16 + k], 0x22);
    }
    for (int k = 32; k < 48; k++)
        CHECK_EQ(raw[k], 0x22);
    return check_finish();
}
