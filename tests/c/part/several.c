/*
 * Several threads make partitions ready while several others look for those that come; and one thread for
 * each of several operations, which are initialized in the same order everywhere.
 */
#include "../threads/threads.h"

enum { THREADS = 4, PARTS = 64, EACH = 700, ROUNDS = 12 };

static MPI_Request send, receive;
static unsigned char *out, *in;
static pthread_barrier_t together;

static void work(int thread)
{
    int from = (me + np - 1) % np;
    for (int round = 0; round < ROUNDS; round++) {
        if (thread == 0) {
            check_renew(in, PARTS * EACH);
            CHECK_MPI(MPI_Start(&receive));
            CHECK_MPI(MPI_Start(&send));
        }
        pthread_barrier_wait(&together);
        for (int i = thread; i < PARTS; i += THREADS) {
            check_fill(out + i * EACH, EACH, (me * 100 + round) * PARTS + i);
            CHECK_MPI(MPI_Pready(i, send));
        }
        for (int i = thread; i < PARTS / 2; i += THREADS) {
            for (int flag = 0; !flag;)
                CHECK_MPI(MPI_Parrived(receive, i, &flag));
            for (int k = 2 * i; k < 2 * i + 2; k++)
                CHECK_DATA(in + k * EACH, EACH, (from * 100 + round) * PARTS + k);
        }
        pthread_barrier_wait(&together);
        if (thread == 0) {
            CHECK_MPI(MPI_Wait(&send, MPI_STATUS_IGNORE));
            CHECK_MPI(MPI_Wait(&receive, MPI_STATUS_IGNORE));
        }
    }
}

/* One operation per thread, on a tag of its own. */
static void apart(int thread)
{
    int to = (me + 1) % np, from = (me + np - 1) % np;
    unsigned char *a = check_alloc(PARTS * EACH), *b = check_alloc(PARTS * EACH);
    MPI_Request r[2];
    CHECK_MPI(
        MPI_Precv_init(b, PARTS / 4, 4 * EACH, MPI_BYTE, from, thread, MPI_COMM_WORLD, MPI_INFO_NULL, &r[0]));
    CHECK_MPI(MPI_Psend_init(a, PARTS, EACH, MPI_BYTE, to, thread, MPI_COMM_WORLD, MPI_INFO_NULL, &r[1]));
    for (int round = 0; round < ROUNDS; round++) {
        check_fill(a, PARTS * EACH, me * 1000 + thread * 100 + round);
        CHECK_MPI(MPI_Startall(2, r));
        CHECK_MPI(MPI_Pready_range(0, PARTS - 1, r[1]));
        CHECK_MPI(MPI_Waitall(2, r, MPI_STATUSES_IGNORE));
        CHECK_DATA(b, PARTS * EACH, from * 1000 + thread * 100 + round);
    }
    CHECK_MPI(MPI_Request_free(&r[0]));
    CHECK_MPI(MPI_Request_free(&r[1]));
    check_free(a);
    check_free(b);
}

int main(int argc, char **argv)
{
    threads_init(&argc, &argv);
    pthread_barrier_init(&together, NULL, THREADS);
    out = check_alloc(PARTS * EACH);
    in = check_alloc(PARTS * EACH);
    CHECK_MPI(
        MPI_Psend_init(out, PARTS, EACH, MPI_BYTE, (me + 1) % np, 1, MPI_COMM_WORLD, MPI_INFO_NULL, &send));
    CHECK_MPI(MPI_Precv_init(in, PARTS / 2, 2 * EACH, MPI_BYTE, (me + np - 1) % np, 1, MPI_COMM_WORLD,
                             MPI_INFO_NULL, &receive));
    threads_run(THREADS, work);
    CHECK_MPI(MPI_Request_free(&send));
    CHECK_MPI(MPI_Request_free(&receive));
    threads_run(THREADS, apart);
    check_free(out);
    check_free(in);
    return check_finish();
}
