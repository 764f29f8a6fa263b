/* pingpong.c - latency: half the time that a message takes to and fro between
 * two ranks, in microseconds.
 *
 *   mpiexec -n 2 ./pingpong <milliseconds per batch> <seconds> warm|cold <bytes>...
 *
 * warm uses one buffer again and again; cold goes through more memory than a
 * cache holds, so that no message is in a cache before it is sent.
 */
#include "bench.h"

enum { COLD = 256 << 20 };

static char *data;
static size_t bytes, step, room, at;

/* Moves to the buffer of the next message. */
static void advance(void)
{
    at += step;
    if (at + bytes > room)
        at = 0;
}

static void pingpong(long n)
{
    for (long i = 0; i < n; i++) {
        advance();
        if (rank == 0) {
            MUST(MPI_Send(data + at, (int)bytes, MPI_BYTE, 1, 1, MPI_COMM_WORLD));
            MUST(MPI_Recv(data + at, (int)bytes, MPI_BYTE, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        } else {
            MUST(MPI_Recv(data + at, (int)bytes, MPI_BYTE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
            MUST(MPI_Send(data + at, (int)bytes, MPI_BYTE, 0, 1, MPI_COMM_WORLD));
        }
    }
}

/* One message to and fro that must come back as it went. */
static void verify(void)
{
    for (size_t i = 0; rank == 0 && i < bytes; i++)
        data[at + i] = (char)(i * 7 + 3);
    size_t before = at;
    at = room; /* advance() goes to the start */
    if (rank == 0)
        memmove(data, data + before, bytes);
    pingpong(1);
    for (size_t i = 0; i < bytes; i++)
        if (data[i] != (char)(i * 7 + 3))
            fail("the message was changed on its way");
}

int main(int argc, char **argv)
{
    bench_start(&argc, &argv);
    if (size != 2)
        fail("pingpong needs 2 ranks");
    const int cold = argc > 3 && strcmp(argv[3], "cold") == 0;
    if (cold)
        data = buffer(COLD);
    for (int i = 4; i < argc && time_left(); i++) {
        bytes = (size_t)argument(argc, argv, i, 0, COLD);
        if (!cold)
            data = buffer(bytes);
        room = cold ? COLD : bytes;
        step =
            cold ? (bytes + 4096 + 64) / 64 * 64 : 0; /* a page further, so that prefetching gains nothing */
        at = 0;
        double microseconds = seconds_each(pingpong) / 2 * 1e6;
        verify();
        result((long)bytes, microseconds);
        if (!cold)
            free(data);
    }
    MPI_Finalize();
    return 0;
}
