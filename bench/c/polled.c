/* polled.c - messages per second of all ranks together when nobody waits: each rank
 * keeps one receive from anybody posted, asks by MPI_Test whether it is done, and
 * sends to the others in turn when its last send is over, as codes do that hand out
 * updates or work.
 *
 *   mpiexec -n 2 ./polled <milliseconds per batch> <seconds> <bytes>...
 */
#include "bench.h"

enum { MOST = 1 << 20 };

static char *out, *in;
static int bytes;

static void messages(long n)
{
    MPI_Request sending = MPI_REQUEST_NULL, receiving;
    MPI_Status status;
    const long all = n * (size - 1); /* everybody sends as many to each of the others */
    long sent = 0, received = 0;
    int done, count;

    MUST(MPI_Irecv(in, bytes, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &receiving));
    while (sent < all || received < all) {
        do {
            if (received == all)
                break;
            MUST(MPI_Test(&receiving, &done, &status));
            if (!done)
                break;
            MUST(MPI_Get_count(&status, MPI_BYTE, &count));
            if (count != bytes || in[count - 1] != (char)(status.MPI_SOURCE + 1))
                fail("a message carried other bytes than were sent");
            if (++received < all)
                MUST(MPI_Irecv(in, bytes, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &receiving));
        } while (done);
        MUST(MPI_Test(&sending, &done, MPI_STATUS_IGNORE));
        if (done && sent < all) {
            const int to = (int)(rank + 1 + sent % (size - 1)) % size;
            MUST(MPI_Isend(out, bytes, MPI_BYTE, to, (int)(sent % 100), MPI_COMM_WORLD, &sending));
            sent++;
        }
    }
    MUST(MPI_Wait(&sending, MPI_STATUS_IGNORE));
    MUST(MPI_Barrier(MPI_COMM_WORLD)); /* the next batch's messages must not come into this one */
}

int main(int argc, char **argv)
{
    bench_start(&argc, &argv);
    if (size < 2)
        fail("polled needs 2 ranks");
    for (int i = 3; i < argc && time_left(); i++) {
        bytes = (int)argument(argc, argv, i, 1, MOST);
        out = buffer((size_t)bytes);
        in = buffer((size_t)bytes);
        memset(out, rank + 1, (size_t)bytes);
        result_rate(bytes, size * (size - 1) / seconds_each(messages));
        free(out);
        free(in);
    }
    MPI_Finalize();
    return 0;
}
