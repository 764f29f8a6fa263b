/*
 * Sendrecv_replace, Isendrecv and Isendrecv_replace: around a ring in both directions, with oneself, with
 * MPI_PROC_NULL on either side, contiguous and not, and many at a time.
 */
#include "check.h"

enum { MANY = 20, FLOOD = 3000 };

/* More of them than the library keeps in its quick places, of all sizes that go different ways, ended in
 * various ways; receives of the same tag ahead of them and behind them have their messages in order. */
static void mixed(int to, int from)
{
    static int out[FLOOD], in[FLOOD], first, last;
    static MPI_Request r[FLOOD + 2];
    MPI_Status s;
    int flag, index, done;

    for (int round = 0; round < 3; round++) {
        first = last = -1;
        CHECK_MPI(MPI_Irecv(&first, 1, MPI_INT, from, 21, MPI_COMM_WORLD, &r[0]));
        for (int i = 0; i < FLOOD; i++) {
            in[i] = out[i] = 100000 * me + 10 * i + round;
            if (i % 3 == 0)
                CHECK_MPI(MPI_Isendrecv_replace(&in[i], 1, MPI_INT, to, 21, i % 2 ? MPI_ANY_SOURCE : from,
                                                i % 5 ? 21 : MPI_ANY_TAG, MPI_COMM_WORLD, &r[i + 1]));
            else
                CHECK_MPI(MPI_Isendrecv(&out[i], 1, MPI_INT, to, 21, &in[i], 1, MPI_INT, from, 21,
                                        MPI_COMM_WORLD, &r[i + 1]));
        }
        CHECK_MPI(MPI_Irecv(&last, 1, MPI_INT, from, 21, MPI_COMM_WORLD, &r[FLOOD + 1]));
        for (int end = -7; end >= -8; end--)
            CHECK_MPI(MPI_Send(&end, 1, MPI_INT, to, 21, MPI_COMM_WORLD));
        if (round == 0) {
            CHECK_MPI(MPI_Waitall(FLOOD + 2, r, MPI_STATUSES_IGNORE));
        } else if (round == 1) {
            for (done = 0; done < FLOOD + 2; done++) {
                CHECK_MPI(MPI_Waitany(FLOOD + 2 - done, r + done, &index, &s));
                CHECK(index >= 0 && index < FLOOD + 2 - done);
                CHECK_STATUS(s, from, 21);
                r[done + index] = r[done];
            }
        } else {
            for (int i = FLOOD + 1; i >= 0; i--) {
                CHECK_MPI(MPI_Request_get_status(r[i], &flag, &s));
                for (flag = 0; !flag;)
                    CHECK_MPI(MPI_Test(&r[i], &flag, &s));
                CHECK_STATUS(s, from, 21);
            }
        }
        /* Messages come in order: each receive has that of the call before. */
        CHECK_EQ(first, 100000 * from + round);
        CHECK_EQ(in[FLOOD - 1], -7);
        CHECK_EQ(last, -8);
        for (int i = 0; i + 1 < FLOOD; i++)
            CHECK_EQ(in[i], 100000 * from + 10 * (i + 1) + round);
    }
}

/* The receive is too small, and what cannot be cancelled. */
static void refused(int to, int from)
{
    int out[4] = {1, 2, 3, 4}, in[4] = {0};
    MPI_Request r;
    MPI_Status s;

    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    CHECK_MPI(MPI_Isendrecv(out, 4, MPI_INT, to, 31, in, 2, MPI_INT, from, 31, MPI_COMM_WORLD, &r));
    CHECK_CLASS(MPI_Wait(&r, &s), MPI_ERR_TRUNCATE);
    CHECK_EQ(in[2], 0);
    CHECK_CLASS(MPI_Isendrecv(out, 4, MPI_INT, np, 31, in, 4, MPI_INT, from, 31, MPI_COMM_WORLD, &r),
                MPI_ERR_RANK);
    CHECK_CLASS(MPI_Isendrecv(out, 4, MPI_INT, to, -5, in, 4, MPI_INT, from, 31, MPI_COMM_WORLD, &r),
                MPI_ERR_TAG);
    CHECK_CLASS(MPI_Isendrecv(out, 4, MPI_INT, to, 31, in, -1, MPI_INT, from, 31, MPI_COMM_WORLD, &r),
                MPI_ERR_COUNT);
    CHECK_MPI(MPI_Isendrecv(out, 4, MPI_INT, to, 32, in, 4, MPI_INT, from, 32, MPI_COMM_WORLD, &r));
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;
    MPI_Get_library_version(version, &length);
    if (strncmp(version, "gompi", 5) == 0)
        CHECK_CLASS(MPI_Cancel(&r), MPI_ERR_REQUEST);
    CHECK_MPI(MPI_Wait(&r, &s));
    CHECK_STATUS(s, from, 32);
    CHECK_COUNT(s, MPI_INT, 4);
    CHECK_EQ(in[3], 4);
}

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
        CHECK_MPI(
            MPI_Sendrecv_replace(b, n, MPI_BYTE, MPI_PROC_NULL, 4, MPI_PROC_NULL, 4, MPI_COMM_WORLD, &s));
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
        CHECK_MPI(
            MPI_Isendrecv(&out[i], 1, MPI_INT, to, 8, &in[i], 1, MPI_INT, from, 8, MPI_COMM_WORLD, &r[i]));
    }
    CHECK_MPI(MPI_Waitall(MANY, r, MPI_STATUSES_IGNORE));
    for (int i = 0; i < MANY; i++)
        CHECK_EQ(in[i], 1000 * from + i);
    mixed(to, from);
    refused(to, from);
    return check_finish();
}
