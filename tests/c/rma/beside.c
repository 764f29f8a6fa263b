/* A progress thread carries out what others want of a rank at the same time as the thread of the program that
 * waits inside MPI does: everything is done once, and before the epoch ends. Pairs of near ranks ask each
 * other for more than is under way at once, while a receive is open, which such a thread looks after.
 *
 *   beside [rounds]
 */
#include "window.h"

enum { WINDOWS = 16, ADDS = 20 };

/* The near rank with which this one makes a pair, -1 if there is none. */
static int partner(void)
{
    MPI_Comm node;
    MPI_Group world, near;
    int rank, size, with, other = -1;

    CHECK_MPI(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node));
    CHECK_MPI(MPI_Comm_rank(node, &rank));
    CHECK_MPI(MPI_Comm_size(node, &size));
    with = rank ^ 1;
    if (with < size) {
        CHECK_MPI(MPI_Comm_group(MPI_COMM_WORLD, &world));
        CHECK_MPI(MPI_Comm_group(node, &near));
        CHECK_MPI(MPI_Group_translate_ranks(near, 1, &with, world, &other));
        CHECK_MPI(MPI_Group_free(&near));
        CHECK_MPI(MPI_Group_free(&world));
    }
    CHECK_MPI(MPI_Comm_free(&node));
    return other;
}

/* Both ranks of a pair count in each other's memory; the second word by fetches, whose answers they wait
 * for. */
static void count(const struct window *w, int other, MPI_Group pair, int rounds)
{
    const int64_t one = 1;
    const MPI_Aint at = w->base[other];
    const volatile int64_t *own = (const volatile int64_t *)w->own;
    int64_t added = 0, fetched = 0;

    for (int i = 0; i < rounds; i++) {
        CHECK_MPI(MPI_Win_post(pair, 0, w->win));
        CHECK_MPI(MPI_Win_start(pair, 0, w->win));
        for (int k = 0; k <= i % 3; k++) {
            int64_t before = -1;
            CHECK_MPI(MPI_Fetch_and_op(&one, &before, MPI_INT64_T, other, at + 8, MPI_SUM, w->win));
            CHECK_EQ(before, fetched++);
            for (int j = 0; j < i % ADDS; j++, added++)
                CHECK_MPI(MPI_Accumulate(&one, 1, MPI_INT64_T, other, at, 1, MPI_INT64_T, MPI_SUM, w->win));
        }
        CHECK_MPI(MPI_Win_complete(w->win));
        CHECK_MPI(MPI_Win_wait(w->win));
        CHECK_EQ(own[0], added);
        CHECK_EQ(own[1], fetched);
    }
}

static void pairs(enum memory memory, int other, int rounds)
{
    struct window w = window_open(memory, 2 * sizeof(int64_t));
    MPI_Group world, pair;

    if (other >= 0) {
        CHECK_MPI(MPI_Comm_group(MPI_COMM_WORLD, &world));
        CHECK_MPI(MPI_Group_incl(world, 1, &other, &pair));
        count(&w, other, pair, rounds);
        CHECK_MPI(MPI_Group_free(&pair));
        CHECK_MPI(MPI_Group_free(&world));
    }
    window_close(&w);
}

int main(int argc, char **argv)
{
    const int rounds = argc > 1 ? atoi(argv[1]) : 1000;
    MPI_Request receive = MPI_REQUEST_NULL;
    int other, in = -1;

    check_init(&argc, &argv);
    other = partner();
    if (other >= 0)
        CHECK_MPI(MPI_Irecv(&in, 1, MPI_INT, other, 0, MPI_COMM_WORLD, &receive));
    for (int i = 0; i < WINDOWS; i++)
        pairs(i % 2 ? DYNAMIC : PRIVATE, other, rounds);
    if (other >= 0) {
        CHECK_MPI(MPI_Send(&other, 1, MPI_INT, other, 0, MPI_COMM_WORLD));
        CHECK_MPI(MPI_Wait(&receive, MPI_STATUS_IGNORE));
        CHECK_EQ(in, me);
    }
    return check_finish();
}
