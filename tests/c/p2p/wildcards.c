/* MPI_ANY_SOURCE and MPI_ANY_TAG, alone and together, beside receives that name what they want. */
#include "check.h"

enum { PER_RANK = 60 };

/* What rank `from` sends as number i: the tag is i, the length depends on both. */
static int length_of(int from, int i) { return 1 + (from * 37 + i * 101) % 900 + (i % 20 == 19 ? 70000 : 0); }

/* All at once: rank 0 takes them in an order of its own, which a blocking send of a large one might not
 * survive. */
static void send_all(void)
{
    unsigned char *b[PER_RANK];
    MPI_Request request[PER_RANK];
    for (int i = 0; i < PER_RANK; i++) {
        b[i] = check_alloc(length_of(me, i));
        check_fill(b[i], length_of(me, i), me * 1000 + i);
        CHECK_MPI(MPI_Isend(b[i], length_of(me, i), MPI_BYTE, 0, i, MPI_COMM_WORLD, &request[i]));
    }
    CHECK_MPI(MPI_Waitall(PER_RANK, request, MPI_STATUSES_IGNORE));
    for (int i = 0; i < PER_RANK; i++)
        check_free(b[i]);
}

static void receive(int source, int tag, int *next)
{
    unsigned char *b = check_alloc(80000);
    MPI_Status st;
    CHECK_MPI(MPI_Recv(b, 80000, MPI_BYTE, source, tag, MPI_COMM_WORLD, &st));
    int from = st.MPI_SOURCE, i = st.MPI_TAG;
    CHECK_MSG(from > 0 && from < np && i >= 0 && i < PER_RANK, "a message from %d with tag %d", from, i);
    if (source != MPI_ANY_SOURCE)
        CHECK_EQ(from, source);
    if (tag != MPI_ANY_TAG)
        CHECK_EQ(i, tag);
    else if (next != NULL) {
        /* Messages of one sender match a receive of any tag in the order in which they were sent. */
        CHECK_EQ(i, next[from]);
        next[from]++;
    }
    CHECK_COUNT(st, MPI_BYTE, length_of(from, i));
    CHECK_DATA(b, length_of(from, i), from * 1000 + i);
    CHECK_FRESH(b, length_of(from, i), 80000 - length_of(from, i));
    check_free(b);
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    if (np < 2)
        check_skip("two ranks are needed");
    int *next = calloc(np, sizeof *next);

    for (int round = 0; round < 4; round++) {
        CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
        if (me != 0) {
            send_all();
            continue;
        }
        memset(next, 0, np * sizeof *next);
        switch (round) {
        case 0: /* anything from anyone */
            for (int i = 0; i < PER_RANK * (np - 1); i++)
                receive(MPI_ANY_SOURCE, MPI_ANY_TAG, next);
            for (int from = 1; from < np; from++)
                CHECK_EQ(next[from], PER_RANK);
            break;
        case 1: /* any tag, senders in turn */
            for (int i = 0; i < PER_RANK; i++)
                for (int from = np - 1; from > 0; from--)
                    receive(from, MPI_ANY_TAG, next);
            break;
        case 2: /* any source, tags backwards */
            for (int i = PER_RANK - 1; i >= 0; i--)
                for (int from = 1; from < np; from++)
                    receive(MPI_ANY_SOURCE, i, NULL);
            break;
        default: /* all four kinds in turn: named ones take from the middle, wildcards the rest */
            for (int from = 1; from < np; from++)
                for (int i = 20; i < 30; i++)
                    receive(from, i, NULL);
            for (int i = 30; i < 40; i++)
                for (int from = 1; from < np; from++)
                    receive(MPI_ANY_SOURCE, i, NULL);
            for (int from = np - 1; from > 0; from--)
                for (int i = 0; i < 20; i++)
                    receive(from, MPI_ANY_TAG, next);
            for (int from = 1; from < np; from++)
                next[from] = 40;
            for (int i = 0; i < 20 * (np - 1); i++)
                receive(MPI_ANY_SOURCE, MPI_ANY_TAG, next);
        }
    }
    free(next);
    return check_finish();
}
