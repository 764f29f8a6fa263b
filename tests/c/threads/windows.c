/*
 * Threads that each send and receive windows of small messages on a communicator of their own, with all that
 * ends them: Waitall, Wait, Test, Testall, Waitany, blocking calls in between, cancelled receives, messages
 * that are large. Every message arrives once, in its order, in its thread. Arguments: threads, rounds.
 */
#include "threads.h"

enum { WINDOW = 80, MOST = 8, LARGE = 60000 };

static int threads, rounds;
static MPI_Comm comms[MOST];

static void work(int t)
{
    const int right = (me + 1) % np, left = (me + np - 1) % np;
    MPI_Comm comm = comms[t];
    MPI_Request r[2 * WINDOW];
    MPI_Status s[2 * WINDOW];
    int in[WINDOW], out[WINDOW], flag;
    char *big_in = malloc(LARGE), *big_out = malloc(LARGE);
    unsigned state = 17 + (unsigned)t * 31; /* the same on all ranks */

    for (int round = 0; round < rounds; round++) {
        state = state * 1103515245 + 12345;
        const int w = 1 + (int)(state >> 16) % WINDOW, way = (int)(state >> 8) % 6;
        int k = 0;
        for (int i = 0; i < w; i++) {
            in[i] = -1;
            CHECK_MPI(MPI_Irecv(&in[i], 1, MPI_INT, i % 7 == 3 ? MPI_ANY_SOURCE : left, 1, comm, &r[k++]));
        }
        for (int i = 0; i < w; i++) {
            out[i] = (round * 100 + i) * 16 + t;
            CHECK_MPI(MPI_Isend(&out[i], 1, MPI_INT, right, 1, comm, &r[k++]));
        }
        if (way == 1) {
            for (int i = k - 1; i >= 0; i--)
                CHECK_MPI(MPI_Wait(&r[i], MPI_STATUS_IGNORE));
        } else if (way == 2) {
            for (int i = 0; i < k; i++)
                for (flag = 0; !flag;)
                    CHECK_MPI(MPI_Test(&r[i], &flag, MPI_STATUS_IGNORE));
        } else if (way == 3) {
            for (flag = 0; !flag;)
                CHECK_MPI(MPI_Testall(k, r, &flag, s));
        } else if (way == 4) {
            for (int i = 0, which; i < k; i++)
                CHECK_MPI(MPI_Waitany(k, r, &which, MPI_STATUS_IGNORE));
        } else {
            CHECK_MPI(MPI_Waitall(k, r, s));
            for (int i = 0; i < w; i++)
                CHECK_STATUS(s[i], left, 1);
        }
        for (int i = 0; i < w; i++)
            CHECK_EQ(in[i], (round * 100 + i) * 16 + t);
        if (round % 5 == 0) {
            MPI_Request never;
            CHECK_MPI(MPI_Irecv(&in[0], 1, MPI_INT, left, 99, comm, &never));
            CHECK_MPI(MPI_Sendrecv(&round, 1, MPI_INT, right, 2, &in[1], 1, MPI_INT, left, 2, comm, &s[0]));
            CHECK_EQ(in[1], round);
            CHECK_MPI(MPI_Cancel(&never));
            CHECK_MPI(MPI_Wait(&never, &s[0]));
            CHECK_MPI(MPI_Test_cancelled(&s[0], &flag));
            CHECK_EQ(flag, 1);
        }
        if (round % 9 == 0) {
            memset(big_out, round + t, LARGE);
            CHECK_MPI(MPI_Irecv(big_in, LARGE, MPI_BYTE, left, 3, comm, &r[0]));
            CHECK_MPI(MPI_Isend(big_out, LARGE, MPI_BYTE, right, 3, comm, &r[1]));
            CHECK_MPI(MPI_Waitall(2, r, MPI_STATUSES_IGNORE));
            CHECK(big_in[0] == (char)(round + t) && big_in[LARGE - 1] == (char)(round + t));
        }
        if (round % 4 == 0 && np > 1) { /* to and fro with blocking calls */
            int x = round * 8 + t, y = -1;
            if (me % 2 == 0 && me + 1 < np) {
                CHECK_MPI(MPI_Send(&x, 1, MPI_INT, me + 1, 4, comm));
                CHECK_MPI(MPI_Recv(&y, 1, MPI_INT, me + 1, 4, comm, MPI_STATUS_IGNORE));
                CHECK_EQ(y, x);
            } else if (me % 2 == 1) {
                CHECK_MPI(MPI_Probe(me - 1, 4, comm, &s[0]));
                CHECK_MPI(MPI_Recv(&y, 1, MPI_INT, me - 1, 4, comm, MPI_STATUS_IGNORE));
                CHECK_MPI(MPI_Send(&y, 1, MPI_INT, me - 1, 4, comm));
            }
        }
    }
    free(big_in);
    free(big_out);
}

int main(int argc, char **argv)
{
    threads_init(&argc, &argv);
    threads = argc > 1 && atoi(argv[1]) > 0 && atoi(argv[1]) <= MOST ? atoi(argv[1]) : 2;
    rounds = argc > 2 ? atoi(argv[2]) : 200;
    for (int t = 0; t < threads; t++)
        CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &comms[t]));
    threads_run(threads, work);
    for (int t = 0; t < threads; t++)
        CHECK_MPI(MPI_Comm_free(&comms[t]));
    return check_finish();
}
