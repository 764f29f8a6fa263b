/*
 * Sendrecv_replace, Isendrecv and Isendrecv_replace: around a ring in both directions, with oneself, with MPI_PROC_NULL on
 * either side, contiguous and not, and many at a time.
 */
#include "check.h"

enum { MANY = 20 };

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    int sizes[] = {0, 4, 3000, 200000}, to = (me + 1) % np, from = (me + np - 1) % np;
    MPI_Status s;
    MPI_Request r[MANY];
    for (int z = 0; z < 4; z++) {
        int n = sizes[z];
        char *a = check_alloc(n), *b = check_alloc(n);
        check_fill(a, n, me);
        CHECK_MPI(MPI_Sendrecv_replace(a, n, MPI_BYTE, to, 1, from, 1, MPI_COMM_WORLD, &s));
        CHECK_DATA(a, n, from);
        CHECK_STATUS(s, from, 1);
        CHECK_COUNT(s, MPI_BYTE, n);
        CHECK_MPI(MPI_Isendrecv_replace(a, n, MPI_BYTE, from, 2, to, MPI_ANY_TAG, MPI_COMM_WORLD, r));
        CHECK_MPI(MPI_Wait(r, &s));
        CHECK_DATA(a, n, me);
        CHECK_STATUS(s, to, 2);
        CHECK_MPI(MPI_Isendrecv(a, n, MPI_BYTE, to, 3, b, n, MPI_BYTE, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, r));
        CHECK_MPI(MPI_Wait(r, &s));
        CHECK_DATA(b, n, from);
        CHECK_STATUS(s, from, 3);
        CHECK_MPI(MPI_Isendrecv(a, n, MPI_BYTE, me, 4, b, n, MPI_BYTE, me, 4, MPI_COMM_WORLD, r));
        CHECK_MPI(MPI_Wait(r, &s));
        CHECK_DATA(b, n, me);
        CHECK_MPI(MPI_Sendrecv_replace(b, n, MPI_BYTE, MPI_PROC_NULL, 4, MPI_PROC_NULL, 4, MPI_COMM_WORLD, &s));
        CHECK_STATUS(s, MPI_PROC_NULL, MPI_ANY_TAG);
        CHECK_DATA(b, n, me);
        check_free(a);
        check_free(b);
    }
    /* A chain: the first rank receives from nobody, the last one sends to nobody. */
    int left = me > 0 ? me - 1 : MPI_PROC_NULL, right = me < np - 1 ? me + 1 : MPI_PROC_NULL, x = me;
    CHECK_MPI(MPI_Sendrecv_replace(&x, 1, MPI_INT, right, 5, left, 5, MPI_COMM_WORLD, &s));
    CHECK_EQ(x, me > 0 ? me - 1 : 0);
    int y = -1;
    CHECK_MPI(MPI_Isendrecv(&me, 1, MPI_INT, left, 6, &y, 1, MPI_INT, right, 6, MPI_COMM_WORLD, r));
    CHECK_MPI(MPI_Wait(r, &s));
    CHECK_EQ(y, me < np - 1 ? me + 1 : -1);

    struct { int v; char c; } pairs[3] = {{me, 'a'}, {me + 100, 'b'}, {me + 200, 'c'}};
    CHECK_MPI(MPI_Sendrecv_replace(pairs, 1, MPI_2INT, to, 7, from, 7, MPI_COMM_WORLD, &s));
    CHECK_EQ(pairs[0].v, from);

    int out[MANY], in[MANY];
    for (int i = 0; i < MANY; i++) {
        out[i] = 1000 * me + i;
        CHECK_MPI(MPI_Isendrecv(&out[i], 1, MPI_INT, to, 8, &in[i], 1, MPI_INT, from, 8, MPI_COMM_WORLD, &r[i]));
    }
    CHECK_MPI(MPI_Waitall(MANY, r, MPI_STATUSES_IGNORE));
    for (int i = 0; i < MANY; i++)
        CHECK_EQ(in[i], 1000 * from + i);
    return check_finish();
}
