/* Partitions without data arrive when the sender's partition is ready, not before, in each of several rounds;
 * equally many on both sides, and more or fewer at the receiver. */
#include "check.h"

enum { PARTS = 6, ROUNDS = 3 };

static MPI_Comm order; /* for what the two sides tell each other */

static void told(int from) { CHECK_MPI(MPI_Recv(NULL, 0, MPI_INT, from, 1, order, MPI_STATUS_IGNORE)); }
static void tell(int to) { CHECK_MPI(MPI_Send(NULL, 0, MPI_INT, to, 1, order)); }

static void until_arrived(MPI_Request r, int k)
{
    int flag = 0;
    for (double end = MPI_Wtime() + 60; !flag && MPI_Wtime() < end;)
        CHECK_MPI(MPI_Parrived(r, k, &flag));
    CHECK_MSG(flag, "partition %d", k);
}

/* Partition i of the sender is ready: those of the receiver whose share ends there have arrived, later ones
 * have not. */
static void receiver(int parts, MPI_Count count, MPI_Datatype type)
{
    MPI_Request r;
    int flag;
    int buf[4 * PARTS];
    CHECK_MPI(MPI_Precv_init(buf, parts, count, type, 0, 5, MPI_COMM_WORLD, MPI_INFO_NULL, &r));
    for (int round = 0; round < ROUNDS; round++) {
        CHECK_MPI(MPI_Start(&r));
        for (int k = 0; k < parts; k++) {
            CHECK_MPI(MPI_Parrived(r, k, &flag));
            CHECK_MSG(!flag, "partition %d of %d, round %d", k, parts, round);
        }
        for (int i = 0; i < PARTS; i++) {
            tell(0);
            told(0);
            for (int k = 0; k < parts; k++) {
                if ((k + 1) * PARTS <= (i + 1) * parts) {
                    until_arrived(r, k);
                    continue;
                }
                CHECK_MPI(MPI_Parrived(r, k, &flag));
                CHECK_MSG(!flag, "partition %d of %d after %d, round %d", k, parts, i, round);
            }
        }
        CHECK_MPI(MPI_Wait(&r, MPI_STATUS_IGNORE));
        for (int k = 0; k < parts; k++) {
            CHECK_MPI(MPI_Parrived(r, k, &flag));
            CHECK(flag);
        }
    }
    CHECK_MPI(MPI_Request_free(&r));
}

static void sender(MPI_Count count, MPI_Datatype type)
{
    MPI_Request r;
    int buf[4 * PARTS] = {0};
    CHECK_MPI(MPI_Psend_init(buf, PARTS, count, type, 1, 5, MPI_COMM_WORLD, MPI_INFO_NULL, &r));
    for (int round = 0; round < ROUNDS; round++) {
        CHECK_MPI(MPI_Start(&r));
        for (int i = 0; i < PARTS; i++) {
            told(1);
            CHECK_MPI(MPI_Pready(i, r));
            tell(1);
        }
        CHECK_MPI(MPI_Wait(&r, MPI_STATUS_IGNORE));
    }
    CHECK_MPI(MPI_Request_free(&r));
}

/* Both sides in one process. */
static void oneself(int parts, MPI_Count count)
{
    MPI_Request in, out;
    int a[4 * PARTS] = {0}, b[4 * PARTS] = {0}, flag;
    CHECK_MPI(MPI_Psend_init(a, parts, count, MPI_INT, 0, 6, MPI_COMM_SELF, MPI_INFO_NULL, &out));
    CHECK_MPI(MPI_Precv_init(b, parts, count, MPI_INT, 0, 6, MPI_COMM_SELF, MPI_INFO_NULL, &in));
    for (int round = 0; round < ROUNDS; round++) {
        CHECK_MPI(MPI_Start(&in));
        for (int i = 0; i < parts; i++) {
            CHECK_MPI(MPI_Parrived(in, i, &flag));
            CHECK_MSG(!flag, "partition %d of %d, round %d", i, parts, round);
        }
        CHECK_MPI(MPI_Start(&out));
        for (int i = 0; i < parts; i++) {
            CHECK_MPI(MPI_Pready(i, out));
            for (int j = i + 1; j < parts; j++) {
                CHECK_MPI(MPI_Parrived(in, j, &flag));
                CHECK_MSG(!flag, "partition %d of %d after %d, round %d", j, parts, i, round);
            }
        }
        for (int i = 0; i < parts; i++)
            until_arrived(in, i);
        CHECK_MPI(MPI_Wait(&in, MPI_STATUS_IGNORE));
        CHECK_MPI(MPI_Wait(&out, MPI_STATUS_IGNORE));
    }
    CHECK_MPI(MPI_Request_free(&in));
    CHECK_MPI(MPI_Request_free(&out));
}

int main(int argc, char **argv)
{
    MPI_Datatype nothing;
    check_init(&argc, &argv);
    CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &order));
    int flag = 0;
    CHECK_MPI(MPI_Parrived(MPI_REQUEST_NULL, 0, &flag));
    CHECK(flag);
    CHECK_MPI(MPI_Type_contiguous(0, MPI_INT, &nothing));
    CHECK_MPI(MPI_Type_commit(&nothing));
    static const int parts[] = {PARTS, 1, 2, 3, 4, 12};
    for (int p = 1; p < 4; p++)
        oneself(p, 0), oneself(p, 2);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0] && np > 1; i++) {
        if (me == 0)
            sender(0, MPI_INT), sender(3, nothing), sender(2, MPI_INT);
        if (me == 1)
            receiver(parts[i], 0, MPI_INT), receiver(parts[i], 1, nothing),
                receiver(parts[i], 2 * PARTS / parts[i], MPI_INT);
    }
    CHECK_MPI(MPI_Type_free(&nothing));
    CHECK_MPI(MPI_Comm_free(&order));
    return check_finish();
}
