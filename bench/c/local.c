/* local.c - nanoseconds of calls that need no other rank: with MPI_PROC_NULL, which
 * programs pass at the edges of their grids, and messages of a rank to itself.
 *
 *   mpiexec -n 2 ./local <milliseconds per batch> <seconds> <bytes of messages to oneself>...
 */
#include "bench.h"

enum { NULL_BYTES = 8, MOST = 64 << 20 };

static char *out, *in;
static int bytes;

static void send_to_null(long n)
{
    for (long i = 0; i < n; i++)
        MUST(MPI_Send(out, NULL_BYTES, MPI_BYTE, MPI_PROC_NULL, 1, MPI_COMM_WORLD));
}

static void receive_from_null(long n)
{
    for (long i = 0; i < n; i++)
        MUST(MPI_Recv(in, NULL_BYTES, MPI_BYTE, MPI_PROC_NULL, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
}

static void both_with_null(long n)
{
    for (long i = 0; i < n; i++)
        MUST(MPI_Sendrecv(out, NULL_BYTES, MPI_BYTE, MPI_PROC_NULL, 1, in, NULL_BYTES, MPI_BYTE,
                          MPI_PROC_NULL, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
}

static void to_oneself(long n)
{
    MPI_Request request;

    for (long i = 0; i < n; i++) {
        MUST(MPI_Isend(out, bytes, MPI_BYTE, rank, 1, MPI_COMM_WORLD, &request));
        MUST(MPI_Recv(in, bytes, MPI_BYTE, rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
    }
}

static void measure(const char *name, void (*repeat)(long))
{
    ATTEMPT(name)
        result(0, seconds_each(repeat) * 1e9);
}

/* Nothing comes from MPI_PROC_NULL, and the status says so. */
static void verify_null(void)
{
    MPI_Status status;
    int count = -1;

    in[0] = 77;
    MUST(MPI_Recv(in, NULL_BYTES, MPI_BYTE, MPI_PROC_NULL, MPI_ANY_TAG, MPI_COMM_WORLD, &status));
    MUST(MPI_Get_count(&status, MPI_BYTE, &count));
    if (in[0] != 77 || count != 0 || status.MPI_SOURCE != MPI_PROC_NULL || status.MPI_TAG != MPI_ANY_TAG)
        fail("a receive from MPI_PROC_NULL is not empty");
}

int main(int argc, char **argv)
{
    static char name[64];

    bench_start(&argc, &argv);
    out = buffer(NULL_BYTES);
    in = buffer(NULL_BYTES);
    verify_null();
    measure("MPI_Send to MPI_PROC_NULL", send_to_null);
    measure("MPI_Recv from MPI_PROC_NULL", receive_from_null);
    measure("MPI_Sendrecv with MPI_PROC_NULL", both_with_null);
    free(out);
    free(in);
    for (int i = 3; i < argc && time_left(); i++) {
        bytes = (int)argument(argc, argv, i, 1, MOST);
        out = buffer((size_t)bytes);
        in = buffer((size_t)bytes);
        memset(out, rank + 1, (size_t)bytes);
        snprintf(name, sizeof name, "to oneself, %d bytes", bytes);
        measure(name, to_oneself);
        if (in[0] != rank + 1 || in[bytes - 1] != rank + 1)
            fail("a message to oneself carried other bytes");
        free(out);
        free(in);
    }
    MPI_Finalize();
    return 0;
}
