/* matching.c - what a message costs, in microseconds one way, while many others
 * wait to be matched at its receiver.
 *
 *   mpiexec -n 2 ./matching <milliseconds per batch> <seconds> posted|unexpected|wildcards <depth>...
 *
 * posted: so many receives of other tags wait. unexpected: so many messages of
 * other tags have come and wait for a receive. wildcards: so many receives of other
 * tags from any source wait.
 */
#include "bench.h"

enum { BYTES = 8, MOST = 1000000, TAG = 1, FIRST = 2 };

static void pingpong(long n)
{
    char data[BYTES] = {0};

    for (long i = 0; i < n; i++) {
        if (rank == 0) {
            MUST(MPI_Send(data, BYTES, MPI_BYTE, 1, TAG, MPI_COMM_WORLD));
            MUST(MPI_Recv(data, BYTES, MPI_BYTE, 1, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        } else {
            MUST(MPI_Recv(data, BYTES, MPI_BYTE, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
            MUST(MPI_Send(data, BYTES, MPI_BYTE, 0, TAG, MPI_COMM_WORLD));
        }
    }
}

/* Sends message i, which says so. */
static void send_all(int depth)
{
    for (int i = 0; i < depth; i++)
        MUST(MPI_Send(&i, 1, MPI_INT, 1 - rank, FIRST + i, MPI_COMM_WORLD));
}

static void verify(const int *got, int depth)
{
    for (int i = 0; i < depth; i++)
        if (got[i] != i)
            fail("a receive was matched with a message of another tag");
}

/* Rank 1 holds the receives; rank 0 meets no queue, so all that it costs is at
 * rank 1. */
static double posted(int depth, int source, int *got, MPI_Request *requests)
{
    if (rank == 1)
        for (int i = 0; i < depth; i++)
            MUST(MPI_Irecv(&got[i], 1, MPI_INT, source, FIRST + i, MPI_COMM_WORLD, &requests[i]));
    double seconds = seconds_each(pingpong);
    if (rank == 0)
        send_all(depth);
    else
        MUST(MPI_Waitall(depth, requests, MPI_STATUSES_IGNORE));
    return seconds;
}

/* The messages are in rank 1's library before the clock starts, because the
 * message behind them is. */
static double unexpected(int depth, int *got)
{
    int token = 0;

    if (rank == 0) {
        send_all(depth);
        MUST(MPI_Send(&token, 1, MPI_INT, 1, 0, MPI_COMM_WORLD));
    } else {
        MUST(MPI_Recv(&token, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    }
    double seconds = seconds_each(pingpong);
    if (rank == 1)
        for (int i = 0; i < depth; i++)
            MUST(MPI_Recv(&got[i], 1, MPI_INT, 0, FIRST + i, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    return seconds;
}

int main(int argc, char **argv)
{
    bench_start(&argc, &argv);
    if (size != 2)
        fail("matching needs 2 ranks");
    const char *kind = argc > 3 ? argv[3] : "";
    const int wild = strcmp(kind, "wildcards") == 0, late = strcmp(kind, "unexpected") == 0;
    if (!wild && !late && strcmp(kind, "posted") != 0)
        fail("argument 3 must be posted, unexpected or wildcards");
    series = kind;
    for (int i = 4; i < argc && time_left(); i++) {
        int depth = (int)argument(argc, argv, i, 0, MOST);
        int *got = buffer((size_t)depth * sizeof *got);
        MPI_Request *requests = buffer((size_t)depth * sizeof *requests);
        double seconds =
            late ? unexpected(depth, got) : posted(depth, wild ? MPI_ANY_SOURCE : 0, got, requests);
        if (rank == 1)
            verify(got, depth);
        result(depth, seconds / 2 * 1e6);
        free(got);
        free(requests);
    }
    MPI_Finalize();
    return 0;
}
