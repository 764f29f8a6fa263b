/*
 * Small messages, which may begin and end without the library's core, among larger ones that need it:
 * whatever call ends them, each ends once, with its own status and data, and what is not done is left alone.
 * Blocking exchanges and probes of all sizes in between.
 */
#include "check.h"

enum { MOST = 24, ROUNDS = 60, LARGEST = 100000 };

static const int sizes[] = {0, 1, 4, 8, 64, 100, 1000, 4000, 16384, 16385, 40000, LARGEST};
static unsigned char in[MOST][LARGEST], out[MOST][LARGEST];
static MPI_Request r[2 * MOST + 1];
static MPI_Status s[2 * MOST + 1];
static uint64_t state = 1, own = 1; /* what all ranks draw alike, and what depends on time */
static int right, left, round_number, count;

static int draw(int n) { return (int)check_below(&state, (uint64_t)n); }

static unsigned seed_of(int rank, int i) { return (unsigned)(rank * 100003 + round_number * 101 + i); }

/* One request has ended: the i-th receive, the i-th send behind them, or the null one in between. */
static void ended(int i, const MPI_Status *st, const int *size, int *open)
{
    CHECK_MSG(i >= 0 && i < 2 * count + 1 && i != count, "index %d of %d", i, 2 * count + 1);
    CHECK_MSG(open[i], "request %d ended twice", i);
    CHECK(r[i] == MPI_REQUEST_NULL);
    open[i] = 0;
    if (i > count)
        return;
    CHECK_STATUS(*st, left, i);
    CHECK_COUNT(*st, MPI_BYTE, size[i]);
    CHECK_DATA(in[i], size[i], seed_of(left, i));
}

/* Messages of random sizes around the ring, ended by random calls. All ranks draw the same numbers. */
static void round_of_messages(void)
{
    int size[MOST], open[2 * MOST + 1], indices[2 * MOST + 1], left_over, first = draw(2), how = draw(6);
    count = 1 + draw(MOST);
    for (int i = 0; i < count; i++)
        size[i] = sizes[draw(sizeof sizes / sizeof *sizes)];
    for (int half = 0; half < 2; half++)
        for (int i = 0; i < count; i++) {
            if (half == first) {
                CHECK_MPI(MPI_Irecv(in[i], LARGEST, MPI_BYTE, i % 5 == 3 ? MPI_ANY_SOURCE : left, i,
                                    MPI_COMM_WORLD, &r[i]));
            } else {
                check_fill(out[i], size[i], seed_of(me, i));
                CHECK_MPI(MPI_Isend(out[i], size[i], MPI_BYTE, right, i, MPI_COMM_WORLD, &r[count + 1 + i]));
            }
        }
    r[count] = MPI_REQUEST_NULL;
    for (int i = 0; i <= 2 * count; i++)
        open[i] = i != count;
    for (left_over = 2 * count; left_over > 0;) {
        int which = -7, flag = -7, n = -7;
        switch (how == 5 ? (int)check_below(&own, 5) : how) {
        case 0:
            CHECK_MPI(MPI_Waitany(2 * count + 1, r, &which, s));
            ended(which, s, size, open);
            left_over--;
            break;
        case 1:
            CHECK_MPI(MPI_Testany(2 * count + 1, r, &which, &flag, s));
            CHECK(flag == 1 || (flag == 0 && which == MPI_UNDEFINED));
            if (flag) {
                ended(which, s, size, open);
                left_over--;
            }
            break;
        case 2:
        case 3:
            if (how == 2)
                CHECK_MPI(MPI_Waitsome(2 * count + 1, r, &n, indices, s));
            else
                CHECK_MPI(MPI_Testsome(2 * count + 1, r, &n, indices, s));
            CHECK_MSG(n >= (how == 2) && n <= left_over, "%d of %d requests have ended", n, left_over);
            for (int i = 0; i < n; i++)
                ended(indices[i], &s[i], size, open);
            left_over -= n;
            break;
        default: /* the last that is open by itself */
            for (which = 2 * count; !open[which]; which--)
                continue;
            CHECK_MPI(MPI_Test(&r[which], &flag, s));
            if (flag) {
                ended(which, s, size, open);
                left_over--;
            }
        }
    }
    int which = -7, n = -7, flag = -7;
    CHECK_MPI(MPI_Waitany(2 * count + 1, r, &which, s));
    CHECK_EQ(which, MPI_UNDEFINED);
    CHECK_MPI(MPI_Testany(2 * count + 1, r, &which, &flag, s));
    CHECK(flag == 1 && which == MPI_UNDEFINED);
    CHECK_MPI(MPI_Waitsome(2 * count + 1, r, &n, indices, s));
    CHECK_EQ(n, MPI_UNDEFINED);
}

/* Exchanges around the ring, now and then with a receive of another tag posted before. */
static void round_of_exchanges(void)
{
    int size = sizes[draw(sizeof sizes / sizeof *sizes)], other = sizes[draw(sizeof sizes / sizeof *sizes)],
        posted = draw(3) == 0;
    if (posted)
        CHECK_MPI(MPI_Irecv(in[1], LARGEST, MPI_BYTE, left, 51, MPI_COMM_WORLD, r));
    check_fill(out[0], size, seed_of(me, 0));
    in[0][size < LARGEST ? size : 0] = 77;
    CHECK_MPI(MPI_Sendrecv(out[0], size, MPI_BYTE, right, 50, in[0], LARGEST, MPI_BYTE,
                           draw(2) ? left : MPI_ANY_SOURCE, 50, MPI_COMM_WORLD, s));
    CHECK_STATUS(s[0], left, 50);
    CHECK_COUNT(s[0], MPI_BYTE, size);
    CHECK_DATA(in[0], size, seed_of(left, 0));
    if (size < LARGEST)
        CHECK_EQ(in[0][size], 77);
    if (posted) {
        check_fill(out[1], other, seed_of(me, 1));
        CHECK_MPI(MPI_Sendrecv(out[1], other, MPI_BYTE, right, 51, NULL, 0, MPI_BYTE, MPI_PROC_NULL, 50,
                               MPI_COMM_WORLD, s));
        CHECK_MPI(MPI_Wait(r, s));
        CHECK_STATUS(s[0], left, 51);
        CHECK_DATA(in[1], other, seed_of(left, 1));
    }
}

/* A probe tells what the receive after it gets, and takes nothing. */
static void round_of_probes(void)
{
    int size[4], flag;
    for (int i = 0; i < 4; i++) {
        size[i] = sizes[draw(sizeof sizes / sizeof *sizes)];
        check_fill(out[i], size[i], seed_of(me, i));
        CHECK_MPI(MPI_Isend(out[i], size[i], MPI_BYTE, right, i, MPI_COMM_WORLD, &r[i]));
    }
    CHECK_MPI(MPI_Iprobe(left, 99, MPI_COMM_WORLD, &flag, s));
    CHECK_EQ(flag, 0);
    for (int i = 0; i < 4; i++) {
        int tag = draw(2) ? i : MPI_ANY_TAG, source = draw(2) ? left : MPI_ANY_SOURCE, tries = draw(3);
        if (tries == 0)
            CHECK_MPI(MPI_Probe(source, tag, MPI_COMM_WORLD, s));
        else
            for (flag = 0; !flag;)
                CHECK_MPI(MPI_Iprobe(source, tag, MPI_COMM_WORLD, &flag, s));
        CHECK_STATUS(s[0], left, i);
        CHECK_COUNT(s[0], MPI_BYTE, size[i]);
        CHECK_MPI(MPI_Iprobe(left, i, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE));
        CHECK_EQ(flag, 1);
        CHECK_MPI(MPI_Recv(in[i], size[i], MPI_BYTE, s[0].MPI_SOURCE, s[0].MPI_TAG, MPI_COMM_WORLD, s));
        CHECK_STATUS(s[0], left, i);
        CHECK_DATA(in[i], size[i], seed_of(left, i));
    }
    CHECK_MPI(MPI_Waitall(4, r, MPI_STATUSES_IGNORE));
}

/* The receive of an exchange that fails leaves its send as it is. */
static void truncated(void)
{
    int x[2] = {me, -me}, y[2] = {-7, -7};
    CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    CHECK_CLASS(MPI_Sendrecv(x, 2, MPI_INT, right, 60, y, 1, MPI_INT, left, 60, MPI_COMM_WORLD, s),
                MPI_ERR_TRUNCATE);
    CHECK_EQ(y[1], -7);
    CHECK_MPI(MPI_Sendrecv(x, 2, MPI_INT, right, 61, y, 2, MPI_INT, left, 61, MPI_COMM_WORLD, s));
    CHECK(y[0] == left && y[1] == -left);
    CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL));
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    right = (me + 1) % np;
    left = (me + np - 1) % np;
    for (round_number = 0; round_number < ROUNDS; round_number++) {
        round_of_messages();
        round_of_exchanges();
        round_of_probes();
        MPI_Barrier(MPI_COMM_WORLD); /* so that nobody's ANY_SOURCE sees the next round */
    }
    truncated();
    return check_finish();
}
