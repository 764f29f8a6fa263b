/*
 * Collectives with receives for anything from anyone open: they must not take the collectives' own traffic,
 * nor must a collective take a user's message, and the messages sent before and after the collectives find
 * their receives.
 */
#include "coll.h"

enum { OPEN = 8, ROUNDS = 40 };

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    int to = (me + 1) % np, from = (me + np - 1) % np;
    static int in[OPEN][500], out[OPEN][500], data[3000];
    MPI_Request request[OPEN], sends[OPEN];
    MPI_Status st[OPEN];

    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < OPEN; i++)
            CHECK_MPI(
                MPI_Irecv(in[i], 500, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request[i]));
        CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
        int root = round % np, n = round % 3 == 0 ? 3 : round % 3 == 1 ? 300 : 3000, sum = -1;
        if (me == root)
            coll_fill(data, n, round, root, COLL_ALL);
        CHECK_MPI(MPI_Bcast(data, n, MPI_INT, root, MPI_COMM_WORLD));
        COLL_CHECK(data, n, round, root, COLL_ALL);
        for (int i = 0; i < OPEN / 2; i++) {
            coll_fill(out[i], 10 + i, round, me, i);
            CHECK_MPI(MPI_Isend(out[i], 10 + i, MPI_INT, to, i, MPI_COMM_WORLD, &sends[i]));
        }
        CHECK_MPI(MPI_Allreduce(&me, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
        CHECK_EQ(sum, np * (np - 1) / 2);
        for (int i = OPEN / 2; i < OPEN; i++) {
            coll_fill(out[i], 10 + i, round, me, i);
            CHECK_MPI(MPI_Isend(out[i], 10 + i, MPI_INT, to, i, MPI_COMM_WORLD, &sends[i]));
        }
        CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
        CHECK_MPI(MPI_Waitall(OPEN, request, st));
        CHECK_MPI(MPI_Waitall(OPEN, sends, MPI_STATUSES_IGNORE));
        for (int i = 0; i < OPEN; i++) {
            CHECK_STATUS(st[i], from, i);
            CHECK_COUNT(st[i], MPI_INT, 10 + i);
            COLL_CHECK(in[i], 10 + i, round, from, i);
        }
    }

    /* Messages that nobody has asked for yet do not disturb a collective either. */
    for (int i = 0; i < OPEN; i++) {
        coll_fill(out[i], 400, 99, me, i);
        CHECK_MPI(MPI_Isend(out[i], 400, MPI_INT, to, i, MPI_COMM_WORLD, &sends[i]));
    }
    for (int round = 0; round < 20; round++) {
        int max = -1;
        CHECK_MPI(MPI_Allreduce(&me, &max, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD));
        CHECK_EQ(max, np - 1);
    }
    for (int i = OPEN - 1; i >= 0; i--) {
        CHECK_MPI(MPI_Recv(in[i], 500, MPI_INT, from, i, MPI_COMM_WORLD, &st[i]));
        COLL_CHECK(in[i], 400, 99, from, i);
    }
    CHECK_MPI(MPI_Waitall(OPEN, sends, MPI_STATUSES_IGNORE));
    return check_finish();
}
