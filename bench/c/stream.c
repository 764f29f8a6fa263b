/* stream.c - throughput between pairs of ranks: windows of nonblocking messages,
 * each window answered by one empty message. Rank i sends to rank i + size/2.
 *
 *   mpiexec -n 2 ./stream <milliseconds per batch> <seconds> oneway|bothways|cold|rate <bytes>...
 *
 * oneway, bothways and cold print megabytes (10^6 bytes) per second of all pairs,
 * in both directions together for bothways; cold is one way out of memory that is
 * in no cache. rate prints messages per second of all pairs, one way. Windows have 64
 * messages, or fewer that have 16 MiB together, but 2 at least.
 */
#include "bench.h"

enum { WINDOW = 64, WINDOW_BYTES = 16 << 20, MOST = 64 << 20, COLD = 256 << 20 };

static char *out, *in;
static size_t bytes, room, at;
static int both, window;

static void windows(long n)
{
    MPI_Request r[2 * WINDOW];
    const int half = size / 2, first = rank < half, other = first ? rank + half : rank - half;
    const int sends = first || both, receives = !first || both;

    for (long i = 0; i < n; i++) {
        int k = 0;
        size_t a = at;
        for (int w = 0; receives && w < window; w++) {
            MUST(MPI_Irecv(in + a, (int)bytes, MPI_BYTE, other, 1, MPI_COMM_WORLD, &r[k++]));
            a = a + 2 * bytes > room ? 0 : a + bytes;
        }
        a = at;
        for (int w = 0; sends && w < window; w++) {
            MUST(MPI_Isend(out + a, (int)bytes, MPI_BYTE, other, 1, MPI_COMM_WORLD, &r[k++]));
            a = a + 2 * bytes > room ? 0 : a + bytes;
        }
        at = a;
        MUST(MPI_Waitall(k, r, MPI_STATUSES_IGNORE));
        if (first)
            MUST(MPI_Recv(NULL, 0, MPI_BYTE, other, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        else
            MUST(MPI_Send(NULL, 0, MPI_BYTE, other, 2, MPI_COMM_WORLD));
    }
}

int main(int argc, char **argv)
{
    bench_start(&argc, &argv);
    if (size % 2 != 0)
        fail("stream needs an even number of ranks");
    const char *kind = argc > 3 ? argv[3] : "";
    const int rate = strcmp(kind, "rate") == 0, cold = strcmp(kind, "cold") == 0;
    both = strcmp(kind, "bothways") == 0;
    if (!rate && !both && !cold && strcmp(kind, "oneway") != 0)
        fail("argument 3 must be oneway, bothways, cold or rate");
    for (int i = 4; i < argc && time_left(); i++) {
        bytes = (size_t)argument(argc, argv, i, 1, MOST);
        /* Warm: a few messages' worth, used again and again; the messages of a
         * window all carry the same bytes, so it does not matter who overtakes. */
        room = cold ? COLD : bytes * 4;
        at = 0;
        out = buffer(room);
        in = buffer(room);
        memset(out, rank + 1, room);
        window = bytes * WINDOW <= WINDOW_BYTES ? WINDOW
                 : WINDOW_BYTES / bytes < 2     ? 2
                                                : (int)(WINDOW_BYTES / bytes);
        const int half = size / 2, other = rank < half ? rank + half : rank - half;
        if (i == 4) /* connected */
            MUST(MPI_Sendrecv(out, 1, MPI_BYTE, other, 3, in, 1, MPI_BYTE, other, 3, MPI_COMM_WORLD,
                              MPI_STATUS_IGNORE));
        double messages = window * (size / 2) * (both ? 2 : 1) / seconds_each(windows);
        if (rank >= half || both)
            for (size_t b = 0; b < bytes; b++)
                if (in[b] != (char)(other + 1))
                    fail("a message carried other bytes than were sent");
        result_rate((long)bytes, rate ? messages : messages * (double)bytes / 1e6);
        free(out);
        free(in);
    }
    MPI_Finalize();
    return 0;
}
