/* A request begun by one thread is completed by another; collectives are called by one thread while others
 * send. */
#include "threads.h"

enum { MESSAGES = 300, SENDERS = 2 };

static MPI_Request requests[SENDERS][MESSAGES];
static long received[SENDERS][MESSAGES];
static pthread_barrier_t posted;

static void run(int thread)
{
    int right = (me + 1) % np, left = (me + np - 1) % np;
    if (thread < SENDERS) { /* posts what the other of the two completes */
        for (int i = 0; i < MESSAGES; i++) {
            received[thread][i] = -1;
            CHECK_MPI(MPI_Irecv(&received[thread][i], 1, MPI_LONG, left, thread * 1000 + i, MPI_COMM_WORLD,
                                &requests[thread][i]));
        }
        pthread_barrier_wait(&posted);
        for (int i = MESSAGES - 1; i >= 0; i--) {
            long v = me * 1000000L + thread * 1000 + i;
            CHECK_MPI(MPI_Send(&v, 1, MPI_LONG, right, thread * 1000 + i, MPI_COMM_WORLD));
        }
        int other = (thread + 1) % SENDERS;
        CHECK_MPI(MPI_Waitall(MESSAGES, requests[other], MPI_STATUSES_IGNORE));
        for (int i = 0; i < MESSAGES; i++)
            CHECK_EQ(received[other][i], left * 1000000L + other * 1000 + i);
        pthread_barrier_wait(&posted);
    } else {
        pthread_barrier_wait(&posted);
        for (int i = 0; i < 100; i++) {
            int v = -1, root = i % np;
            if (me == root)
                v = i;
            CHECK_MPI(MPI_Bcast(&v, 1, MPI_INT, root, MPI_COMM_WORLD));
            CHECK_EQ(v, i);
            CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
        }
        pthread_barrier_wait(&posted);
    }
}

int main(int argc, char **argv)
{
    threads_init(&argc, &argv);
    pthread_barrier_init(&posted, NULL, SENDERS + 1);
    for (int round = 0; round < 3; round++)
        threads_run(SENDERS + 1, run);
    pthread_barrier_destroy(&posted);
    return check_finish();
}
