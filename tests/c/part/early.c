/*
 * A partition arrives before others are ready, whatever its sender waits for meanwhile: rounds in which
 * the partitions are ready one by one, each when the last one has been answered, and rounds in which all
 * are ready at once, in turns. Pairs of ranks; the last one of an odd number exchanges with itself.
 */
#include "check.h"

enum { ROUNDS = 12 };

static MPI_Request sending, receiving;

/* Waits until partition k has arrived. */
static void await_partition(int k)
{
    for (int flag = 0; !flag;)
        CHECK_MPI(MPI_Parrived(receiving, k, &flag));
}

/* Waits for an answer of the receiver, in another way in each round. */
static void await_answer(int round, int peer)
{
    MPI_Request r[2];
    int flag = 0, index;
    switch (round % 5) {
    case 0:
        CHECK_MPI(MPI_Recv(NULL, 0, MPI_INT, peer, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        return;
    case 1:
        while (!flag)
            CHECK_MPI(MPI_Iprobe(peer, 1, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE));
        CHECK_MPI(MPI_Recv(NULL, 0, MPI_INT, peer, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        return;
    case 2:
        CHECK_MPI(MPI_Probe(peer, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        CHECK_MPI(MPI_Recv(NULL, 0, MPI_INT, peer, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        return;
    }
    CHECK_MPI(MPI_Irecv(NULL, 0, MPI_INT, peer, 1, MPI_COMM_WORLD, &r[0]));
    r[1] = sending;
    if (round % 5 == 3)
        while (!flag)
            CHECK_MPI(MPI_Request_get_status(r[0], &flag, MPI_STATUS_IGNORE));
    CHECK_MPI(MPI_Waitany(2, r, &index, MPI_STATUS_IGNORE));
    CHECK_EQ(index, 0);
}

/* Each of sp partitions is ready when the last one has come, or all are at once. */
static void rounds(int sp, int rp, int n, int sends, int receives, int peer)
{
    int *out = check_alloc(sizeof(int) * n), *in = check_alloc(sizeof(int) * n);
    if (sends)
        CHECK_MPI(
            MPI_Psend_init(out, sp, n / sp, MPI_INT, peer, 9, MPI_COMM_WORLD, MPI_INFO_NULL, &sending));
    if (receives)
        CHECK_MPI(
            MPI_Precv_init(in, rp, n / rp, MPI_INT, peer, 9, MPI_COMM_WORLD, MPI_INFO_NULL, &receiving));
    for (int round = 0; round < ROUNDS; round++) {
        int singly = round % 3 != 1;
        MPI_Status s;
        check_fill(out, sizeof(int) * n, 100 * (sends ? me : peer) + round);
        check_renew(in, sizeof(int) * n);
        if (receives && round % 2 == 0)
            CHECK_MPI(MPI_Start(&receiving));
        if (sends)
            CHECK_MPI(MPI_Start(&sending));
        if (receives && round % 2 != 0)
            CHECK_MPI(MPI_Start(&receiving));
        for (int k = 0; k < sp; k++) {
            if (sends)
                CHECK_MPI(MPI_Pready(sp - 1 - k, sending));
            if (singly && receives) { /* all that lies in the partitions from sp-1-k on */
                for (int i = rp - 1; i >= 0 && i * sp >= (sp - 1 - k) * rp; i--)
                    await_partition(i);
                if (!sends)
                    CHECK_MPI(MPI_Send(NULL, 0, MPI_INT, peer, 1, MPI_COMM_WORLD));
            } else if (singly && sends && k < sp - 1) {
                await_answer(round, peer);
            }
        }
        if (singly && sends && !receives)
            CHECK_MPI(MPI_Recv(NULL, 0, MPI_INT, peer, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        if (receives) {
            CHECK_MPI(MPI_Wait(&receiving, &s));
            CHECK_STATUS(s, peer, 9);
            CHECK_COUNT(s, MPI_INT, n);
            CHECK_DATA(in, sizeof(int) * n, 100 * peer + round);
        }
        if (sends)
            CHECK_MPI(MPI_Wait(&sending, MPI_STATUS_IGNORE));
    }
    if (sends)
        CHECK_MPI(MPI_Request_free(&sending));
    if (receives)
        CHECK_MPI(MPI_Request_free(&receiving));
    check_free(out);
    check_free(in);
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    int alone = me == np - 1 && np % 2 != 0, peer = alone ? me : me ^ 1;
    int sizes[] = {24, 2400, 24000}, parts[][2] = {{1, 1}, {2, 2}, {8, 8}, {8, 2}, {3, 12}, {12, 8}};
    for (int z = 0; z < 3; z++)
        for (int p = 0; p < 6; p++)
            rounds(parts[p][0], parts[p][1], sizes[z], alone || me % 2 == 0, alone || me % 2 != 0, peer);
    return check_finish();
}
