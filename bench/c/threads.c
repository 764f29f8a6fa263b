/* threads.c - messages per second between two ranks when several threads of each
 * send and receive at once. Thread i of rank 0 sends to thread i of rank 1.
 *
 *   mpiexec -n 2 ./threads <milliseconds per batch> <seconds> <bytes> <threads>...
 */
#include "bench.h"
#include <pthread.h>

enum { WINDOW = 64, MOST_THREADS = 64, MOST_BYTES = 1 << 20 };

static int bytes, threads;
static long repetitions;
static char *data[MOST_THREADS];

/* Errors of a thread end the program: a thread cannot leave the series. */
static void must(int error)
{
    if (error != MPI_SUCCESS)
        fail("an MPI call of a thread failed");
}

static void *windows(void *number)
{
    const int tag = (int)(long)number;
    MPI_Request r[WINDOW];

    for (long i = 0; i < repetitions; i++) {
        for (int w = 0; w < WINDOW; w++)
            must(rank == 0 ? MPI_Isend(data[tag], bytes, MPI_BYTE, 1, tag, MPI_COMM_WORLD, &r[w])
                           : MPI_Irecv(data[tag], bytes, MPI_BYTE, 0, tag, MPI_COMM_WORLD, &r[w]));
        must(MPI_Waitall(WINDOW, r, MPI_STATUSES_IGNORE));
        if (rank == 0)
            must(MPI_Recv(NULL, 0, MPI_BYTE, 1, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        else
            must(MPI_Send(NULL, 0, MPI_BYTE, 0, tag, MPI_COMM_WORLD));
    }
    return NULL;
}

static void all_threads(long n)
{
    pthread_t others[MOST_THREADS];

    repetitions = n;
    for (int t = 1; t < threads; t++)
        if (pthread_create(&others[t], NULL, windows, (void *)(long)t) != 0)
            fail("cannot start a thread");
    windows((void *)0L);
    for (int t = 1; t < threads; t++)
        pthread_join(others[t], NULL);
}

int main(int argc, char **argv)
{
    int provided = 0;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    bench_begin(argc, argv);
    if (size != 2)
        fail("threads needs 2 ranks");
    if (provided < MPI_THREAD_MULTIPLE) {
        if (rank == 0)
            printf("unsupported MPI_THREAD_MULTIPLE\n");
        MPI_Finalize();
        return 0;
    }
    bytes = (int)argument(argc, argv, 3, 1, MOST_BYTES);
    for (int i = 4; i < argc && time_left(); i++) {
        threads = (int)argument(argc, argv, i, 1, MOST_THREADS);
        for (int t = 0; t < threads; t++) {
            data[t] = buffer((size_t)bytes);
            memset(data[t], rank == 0 ? t + 1 : 0, (size_t)bytes);
        }
        double rate = (double)WINDOW * threads / seconds_each(all_threads);
        for (int t = 0; t < threads; t++) {
            if (data[t][0] != t + 1 || data[t][bytes - 1] != t + 1)
                fail("a thread received the message of another");
            free(data[t]);
        }
        result_rate(threads, rate);
    }
    MPI_Finalize();
    return 0;
}
