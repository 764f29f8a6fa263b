/*
 * Messages of one sender with one tag arrive in the order in which they were sent, small and large mixed,
 * blocking and not, whether they were expected or not (MPI 5.0, 3.5: messages do not overtake each other).
 */
#include "check.h"

enum { MESSAGES = 400, TAGS = 3 };

static int length_of(int i)
{
    static const int kinds[] = {0, 1, 8, 44, 45, 64, 900, 5000, 20000, 70000, 200000};
    return kinds[check_mix(i) % (i % 5 == 0 ? 11 : 8)];
}

static void send_to(int dest)
{
    unsigned char *b[8] = {0};
    MPI_Request request[8];
    for (int k = 0; k < 8; k++) {
        b[k] = check_alloc(200000);
        request[k] = MPI_REQUEST_NULL;
    }
    for (int i = 0; i < MESSAGES; i++) {
        int k = i % 8, n = length_of(i), tag = i % TAGS;
        CHECK_MPI(MPI_Wait(&request[k], MPI_STATUS_IGNORE));
        check_fill(b[k], n, me * 10000 + i);
        if (check_mix(i * 7) % 3 == 0)
            CHECK_MPI(MPI_Send(b[k], n, MPI_BYTE, dest, tag, MPI_COMM_WORLD));
        else
            CHECK_MPI(MPI_Isend(b[k], n, MPI_BYTE, dest, tag, MPI_COMM_WORLD, &request[k]));
    }
    CHECK_MPI(MPI_Waitall(8, request, MPI_STATUSES_IGNORE));
    for (int k = 0; k < 8; k++)
        check_free(b[k]);
}

static void receive_from(int source, int style)
{
    unsigned char *b = check_alloc(200000);
    MPI_Status st;
    if (style == 0) /* as they come */
        for (int i = 0; i < MESSAGES; i++) {
            CHECK_MPI(MPI_Recv(b, 200000, MPI_BYTE, source, MPI_ANY_TAG, MPI_COMM_WORLD, &st));
            CHECK_STATUS(st, source, i % TAGS);
            CHECK_COUNT(st, MPI_BYTE, length_of(i));
            CHECK_DATA(b, length_of(i), source * 10000 + i);
        }
    else { /* one tag after the other within a short distance, so that small ones are kept for later */
        for (int base = 0; base < MESSAGES; base += 8 * TAGS)
            for (int tag = TAGS - 1; tag >= 0; tag--)
                for (int i = base + tag; i < base + 8 * TAGS && i < MESSAGES; i += TAGS) {
                    MPI_Request request;
                    CHECK_MPI(MPI_Irecv(b, 200000, MPI_BYTE, source, tag, MPI_COMM_WORLD, &request));
                    CHECK_MPI(MPI_Wait(&request, &st));
                    CHECK_STATUS(st, source, tag);
                    CHECK_COUNT(st, MPI_BYTE, length_of(i));
                    CHECK_DATA(b, length_of(i), source * 10000 + i);
                }
    }
    check_free(b);
}

/* Style 1 takes tag 2 first; a sender that blocks on a large message of tag 0 would wait for ever, so it uses
 * Isend throughout. */
static void send_unblocked(int dest)
{
    MPI_Request request[MESSAGES];
    unsigned char *b[MESSAGES];
    for (int i = 0; i < MESSAGES; i++) {
        int n = length_of(i);
        b[i] = check_alloc(n);
        check_fill(b[i], n, me * 10000 + i);
        CHECK_MPI(MPI_Isend(b[i], n, MPI_BYTE, dest, i % TAGS, MPI_COMM_WORLD, &request[i]));
    }
    CHECK_MPI(MPI_Waitall(MESSAGES, request, MPI_STATUSES_IGNORE));
    for (int i = 0; i < MESSAGES; i++)
        check_free(b[i]);
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    if (np < 2)
        check_skip("two ranks are needed");
    /* Pairs: even ranks send to the next odd one, then the other way round. */
    int partner = me ^ 1;
    for (int round = 0; round < 4; round++) {
        int style = round & 1, sender = (round & 2 ? 1 : 0) == (me & 1);
        CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
        if (partner >= np)
            continue;
        if (!sender)
            receive_from(partner, style);
        else if (style == 0)
            send_to(partner);
        else
            send_unblocked(partner);
    }
    return check_finish();
}
