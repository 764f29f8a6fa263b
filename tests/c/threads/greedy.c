/*
 * Threads that call MPI without a pause keep no other one out: some poll, or
 * send to their own rank, until the main thread has exchanged its messages with
 * all ranks and reduced with them. A lock that goes to whoever has just had it
 * would let it wait for ever.
 */
#include "threads.h"
#include <stdatomic.h>

enum { GREEDY = 4, ROUNDS = 30 };

static atomic_int done;
static atomic_long calls[GREEDY];

static void poll_all_the_time(int tag)
{
    int flag = -1;
    CHECK_MPI(MPI_Iprobe(MPI_ANY_SOURCE, tag, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE));
    CHECK_EQ(flag, 0);
}

static void send_to_oneself(int tag)
{
    int out = tag, in = -1;
    CHECK_MPI(
        MPI_Sendrecv(&out, 1, MPI_INT, 0, tag, &in, 1, MPI_INT, 0, tag, MPI_COMM_SELF, MPI_STATUS_IGNORE));
    CHECK_EQ(in, tag);
}

static void exchange(void)
{
    int right = (me + 1) % np, left = (me + np - 1) % np;
    for (int i = 0; i < ROUNDS; i++) {
        int out = me * ROUNDS + i, in = -1, sum = -1;
        CHECK_MPI(MPI_Sendrecv(&out, 1, MPI_INT, right, 1, &in, 1, MPI_INT, left, 1, MPI_COMM_WORLD,
                               MPI_STATUS_IGNORE));
        CHECK_EQ(in, left * ROUNDS + i);
        CHECK_MPI(MPI_Allreduce(&i, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
        CHECK_EQ(sum, i * np);
    }
    for (int t = 0; t < GREEDY; t++) /* and none of those was kept out either */
        while (calls[t] == 0)
            continue;
    done = 1;
}

static void run(int thread)
{
    if (thread == GREEDY) {
        exchange();
        return;
    }
    while (!done) {
        if (thread % 2 == 0)
            poll_all_the_time(100 + thread);
        else
            send_to_oneself(100 + thread);
        calls[thread]++;
    }
}

int main(int argc, char **argv)
{
    threads_init(&argc, &argv);
    CHECK(np >= 1);
    threads_run(GREEDY + 1, run);
    return check_finish();
}
