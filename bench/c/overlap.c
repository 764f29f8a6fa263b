/* overlap.c - how much of the time of a message is hidden behind computation, in
 * per cent: 100 says that a message costs nothing while its ranks compute, 0 that
 * it waits until they ask for it.
 *
 *   mpiexec -n 2 ./overlap <milliseconds per batch> <seconds> <bytes>...
 *
 * Both ranks send and receive, compute without MPI for as long as the exchange
 * alone takes, and then wait. "Iallreduce" does the same with a reduction.
 */
#include "bench.h"

enum { MOST = 64 << 20 };

static char *out, *in;
static int bytes, reduce;
static long turns; /* of the computation; 0 for none */
static int talk;   /* whether messages are sent */
static volatile double sink;

static void compute(void)
{
    double x = 1;

    for (long i = 0; i < turns; i++)
        x = x * 1.0000001 + 1e-9;
    sink = x;
}

static void exchanges(long n)
{
    MPI_Request r[2];

    for (long i = 0; i < n; i++) {
        int k = 0;
        if (talk && reduce) {
            MUST(MPI_Iallreduce(out, in, bytes / (int)sizeof(double), MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD,
                                &r[k++]));
        } else if (talk) {
            MUST(MPI_Irecv(in, bytes, MPI_BYTE, 1 - rank, 1, MPI_COMM_WORLD, &r[k++]));
            MUST(MPI_Isend(out, bytes, MPI_BYTE, 1 - rank, 1, MPI_COMM_WORLD, &r[k++]));
        }
        compute();
        if (talk)
            MUST(MPI_Waitall(k, r, MPI_STATUSES_IGNORE));
    }
}

static void measure(void)
{
    talk = 1;
    turns = 0;
    double communication = seconds_each(exchanges);
    talk = 0;
    turns = 100000;
    double computation = seconds_each(exchanges);
    turns = (long)((double)turns * communication / computation) + 1;
    MUST(MPI_Bcast(&turns, 1, MPI_LONG, 0, MPI_COMM_WORLD));
    computation = seconds_each(exchanges);
    talk = 1;
    double together = seconds_each(exchanges);
    double hidden = 100 * (computation + communication - together) / communication;
    result_alone(bytes, hidden < 0 ? 0 : hidden > 100 ? 100 : hidden);
}

static void verify(void)
{
    double expected = 0;

    for (int i = 0; reduce && i < bytes / (int)sizeof(double); i++)
        ((double *)out)[i] = rank + 1 + i % 5;
    if (!reduce)
        memset(out, rank + 1, (size_t)bytes);
    talk = 1;
    turns = 0;
    exchanges(1);
    for (int i = 0; reduce && i < bytes / (int)sizeof(double); i++) {
        expected = 3 + 2 * (i % 5);
        if (((double *)in)[i] != expected)
            fail("the sum is wrong");
    }
    for (int i = 0; !reduce && i < bytes; i++)
        if (in[i] != 2 - rank)
            fail("a message carried other bytes than were sent");
}

int main(int argc, char **argv)
{
    static const char *const names[] = {"Isend and Irecv", "Iallreduce"};

    bench_start(&argc, &argv);
    if (size != 2)
        fail("overlap needs 2 ranks");
    for (int i = 3; i < argc; i++) {
        bytes = (int)argument(argc, argv, i, 8, MOST);
        for (reduce = 0; reduce < 2 && time_left(); reduce++) {
            out = buffer((size_t)bytes);
            in = buffer((size_t)bytes);
            ATTEMPT(names[reduce]) {
                verify();
                measure();
            }
            free(out);
            free(in);
        }
    }
    MPI_Finalize();
    return 0;
}
