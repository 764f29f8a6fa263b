/*
 * Receives posted before the messages come, wildcards and named ones mixed: a message goes to the receive
 * that was posted first among those that match (MPI 5.0, 3.5).
 */
#include "check.h"

/* The receives, in the order in which they are posted. Tag -1 and source -1 stand for the wildcards. */
static const struct { int source, tag; } posted[] = {
    {1, 5}, {-1, 5}, {1, -1}, {-1, -1}, {1, 6}, {-1, 6}, {1, 5}, {-1, -1}, {1, 7}, {-1, 5},
};
enum { POSTED = sizeof posted / sizeof posted[0] };

/* The tags that rank 1 sends, and the receive that each must reach. */
static const struct { int tag, reaches; } sent[] = {
    {5, 0}, {6, 2}, {5, 1}, {5, 3}, {6, 4}, {6, 5}, {5, 6}, {7, 7}, {5, 9}, {7, 8},
};

static void run(int length, int late)
{
    unsigned char *b[POSTED];
    MPI_Request request[POSTED];
    MPI_Status st[POSTED];

    if (me == 0) {
        for (int i = 0; i < POSTED; i++) {
            b[i] = check_alloc(length + 8);
            CHECK_MPI(MPI_Irecv(
                b[i], length + 8, MPI_BYTE, posted[i].source < 0 ? MPI_ANY_SOURCE : posted[i].source,
                posted[i].tag < 0 ? MPI_ANY_TAG : posted[i].tag, MPI_COMM_WORLD, &request[i]));
        }
    }
    if (!late)
        CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
    if (me == 1) {
        unsigned char *out = check_alloc(length);
        for (int k = 0; k < POSTED; k++) {
            check_fill(out, length, 50 + k);
            CHECK_MPI(MPI_Send(out, length, MPI_BYTE, 0, sent[k].tag, MPI_COMM_WORLD));
        }
        check_free(out);
    }
    if (me == 0) {
        CHECK_MPI(MPI_Waitall(POSTED, request, st));
        for (int k = 0; k < POSTED; k++) {
            int i = sent[k].reaches;
            CHECK_EQ(st[i].MPI_TAG, sent[k].tag);
            CHECK_EQ(st[i].MPI_SOURCE, 1);
            CHECK_DATA(b[i], length, 50 + k);
        }
        for (int i = 0; i < POSTED; i++) {
            CHECK_EQ(request[i] == MPI_REQUEST_NULL, 1);
            check_free(b[i]);
        }
    }
    CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    if (np < 2)
        check_skip("two ranks are needed");
    for (int late = 0; late < 2; late++)
        for (int round = 0; round < 50; round++)
            run(round % 3 == 0 ? 8 : round % 3 == 1 ? 3000 : 100000, late);
    return check_finish();
}
