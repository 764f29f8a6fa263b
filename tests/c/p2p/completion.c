/* Waitany, Waitsome, Testany, Testsome, Testall, Request_get_status: each message completes once and under
 * its own index. */
#include "check.h"

enum { N = 40 };

static int in[N], out[N];
static MPI_Request receives[N], sends[N];

static void begin(int round)
{
    int to = (me + 1) % np, from = (me + np - 1) % np;
    for (int i = 0; i < N; i++) {
        in[i] = -1;
        CHECK_MPI(MPI_Irecv(&in[i], 1, MPI_INT, from, i, MPI_COMM_WORLD, &receives[i]));
    }
    for (int k = 0; k < N; k++) {
        int i = k * 7 % N; /* another order than that of the receives; 7 and 40 have no common divisor */
        out[i] = me * 10000 + round * 100 + i;
        CHECK_MPI(MPI_Isend(&out[i], 1, MPI_INT, to, i, MPI_COMM_WORLD, &sends[i]));
    }
}

static void arrived(int i, const MPI_Status *st, int round, char *seen)
{
    int from = (me + np - 1) % np;
    CHECK(i >= 0 && i < N);
    if (i < 0 || i >= N)
        return;
    CHECK_MSG(!seen[i], "request %d completed twice", i);
    seen[i] = 1;
    CHECK(receives[i] == MPI_REQUEST_NULL);
    CHECK_EQ(in[i], from * 10000 + round * 100 + i);
    CHECK_STATUS(*st, from, i);
    CHECK_COUNT(*st, MPI_INT, 1);
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    for (int round = 0; round < 12; round++) {
        char seen[N] = {0};
        int index = -1, flag = 0, count = 0, indices[N];
        MPI_Status st, sts[N];
        begin(round);
        switch (round % 6) {
        case 0:
            for (int k = 0; k < N; k++) {
                CHECK_MPI(MPI_Waitany(N, receives, &index, &st));
                arrived(index, &st, round, seen);
            }
            CHECK_MPI(MPI_Waitany(N, receives, &index, &st));
            CHECK_EQ(index, MPI_UNDEFINED);
            break;
        case 1:
            for (int done = 0; done < N;) {
                CHECK_MPI(MPI_Testany(N, receives, &index, &flag, &st));
                if (!flag)
                    continue;
                arrived(index, &st, round, seen);
                done++;
            }
            CHECK_MPI(MPI_Testany(N, receives, &index, &flag, &st));
            CHECK(flag);
            CHECK_EQ(index, MPI_UNDEFINED);
            break;
        case 2:
        case 3:
            for (int done = 0; done < N; done += count) {
                if (round % 6 == 2) {
                    CHECK_MPI(MPI_Waitsome(N, receives, &count, indices, sts));
                    CHECK(count > 0);
                } else {
                    CHECK_MPI(MPI_Testsome(N, receives, &count, indices, sts));
                }
                CHECK(count >= 0 && count <= N - done);
                if (count < 0 || count > N - done)
                    check_give_up();
                for (int k = 0; k < count; k++)
                    arrived(indices[k], &sts[k], round, seen);
            }
            CHECK_MPI(MPI_Waitsome(N, receives, &count, indices, sts));
            CHECK_EQ(count, MPI_UNDEFINED);
            break;
        case 4:
            while (!flag) {
                CHECK_MPI(MPI_Testall(N, receives, &flag, sts));
                /* Nothing is freed before all are done. */
                for (int i = 0; !flag && i < N; i++)
                    CHECK(receives[i] != MPI_REQUEST_NULL);
            }
            for (int i = 0; i < N; i++)
                arrived(i, &sts[i], round, seen);
            break;
        default:
            for (int i = N - 1; i >= 0; i--) {
                for (flag = 0; !flag;)
                    CHECK_MPI(MPI_Request_get_status(receives[i], &flag, &st));
                CHECK_STATUS(st, (me + np - 1) % np, i);
                CHECK(receives[i] != MPI_REQUEST_NULL); /* looked at, not freed */
                CHECK_MPI(MPI_Wait(&receives[i], &sts[i]));
                arrived(i, &sts[i], round, seen);
            }
        }
        for (int i = 0; i < N; i++)
            CHECK_MSG(seen[i], "request %d never completed", i);
        CHECK_MPI(MPI_Waitall(N, sends, MPI_STATUSES_IGNORE));
    }

    /* Nothing to wait for. */
    int index = -1, flag = 0, count = -1;
    CHECK_MPI(MPI_Waitany(0, NULL, &index, MPI_STATUS_IGNORE));
    CHECK_EQ(index, MPI_UNDEFINED);
    CHECK_MPI(MPI_Testall(0, NULL, &flag, MPI_STATUSES_IGNORE));
    CHECK(flag);
    CHECK_MPI(MPI_Testsome(0, NULL, &count, NULL, MPI_STATUSES_IGNORE));
    CHECK_EQ(count, MPI_UNDEFINED);
    flag = 0;
    CHECK_MPI(MPI_Request_get_status(MPI_REQUEST_NULL, &flag, MPI_STATUS_IGNORE));
    CHECK(flag);
    return check_finish();
}
