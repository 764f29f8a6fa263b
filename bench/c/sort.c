/* sort.c - milliseconds in which the ranks sort integers that are spread over them:
 * each counts its keys by range, MPI_Alltoall tells how many go where, MPI_Alltoallv
 * moves them, and each counts out its range.
 *
 *   mpiexec -n 4 ./sort <milliseconds per batch> <seconds> <keys per rank>...
 */
#include "bench.h"

enum { MOST = 1 << 24, RANGE = 1 << 16 };

static int *keys, *out, *in, *sorted;
static int *send_counts, *send_places, *receive_counts, *receive_places, *histogram;
static int n, got;

static int owner(int key)
{
    return (int)((long)key * size / RANGE);
}

static void sort_once(void)
{
    memset(send_counts, 0, (size_t)size * sizeof *send_counts);
    for (int i = 0; i < n; i++)
        send_counts[owner(keys[i])]++;
    MUST(MPI_Alltoall(send_counts, 1, MPI_INT, receive_counts, 1, MPI_INT, MPI_COMM_WORLD));
    send_places[0] = receive_places[0] = 0;
    for (int r = 1; r < size; r++) {
        send_places[r] = send_places[r - 1] + send_counts[r - 1];
        receive_places[r] = receive_places[r - 1] + receive_counts[r - 1];
    }
    got = receive_places[size - 1] + receive_counts[size - 1];
    if (got > 2 * n + RANGE)
        fail("the keys are not spread evenly");
    for (int i = 0; i < n; i++)
        out[send_places[owner(keys[i])]++] = keys[i];
    for (int r = 0; r < size; r++)
        send_places[r] -= send_counts[r];
    MUST(MPI_Alltoallv(out, send_counts, send_places, MPI_INT, in, receive_counts, receive_places, MPI_INT,
                       MPI_COMM_WORLD));
    memset(histogram, 0, RANGE * sizeof *histogram);
    for (int i = 0; i < got; i++)
        histogram[in[i]]++;
    int *to = sorted;
    for (int key = 0; key < RANGE; key++)
        for (int k = histogram[key]; k > 0; k--)
            *to++ = key;
}

static void run(long times)
{
    for (long i = 0; i < times; i++)
        sort_once();
}

/* Sorted within each rank, from rank to rank, and as many keys with the same sum. */
static void verify(void)
{
    int last = 0;
    long mine[4] = {n, got, 0, 0}, all[4];

    for (int i = 0; i < n; i++)
        mine[2] += keys[i];
    for (int i = 0; i < got; i++)
        mine[3] += sorted[i];
    for (int i = 1; i < got; i++)
        if (sorted[i - 1] > sorted[i])
            fail("the keys are not in order");
    if (got == 0)
        fail("a rank has no key");
    const int up = rank > 0 ? rank - 1 : MPI_PROC_NULL, down = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    MUST(MPI_Sendrecv(&sorted[got - 1], 1, MPI_INT, down, 1, &last, 1, MPI_INT, up, 1, MPI_COMM_WORLD,
                      MPI_STATUS_IGNORE));
    if (last > sorted[0])
        fail("the keys are not in order from rank to rank");
    MUST(MPI_Allreduce(mine, all, 4, MPI_LONG, MPI_SUM, MPI_COMM_WORLD));
    if (all[0] != all[1] || all[2] != all[3])
        fail("keys were lost or changed");
}

int main(int argc, char **argv)
{
    bench_start(&argc, &argv);
    int **lists[] = {&send_counts, &send_places, &receive_counts, &receive_places};
    for (size_t k = 0; k < sizeof lists / sizeof lists[0]; k++)
        *lists[k] = buffer((size_t)size * sizeof(int));
    histogram = buffer(RANGE * sizeof *histogram);
    for (int i = 3; i < argc && time_left(); i++) {
        unsigned seed = 12345u + (unsigned)rank;
        n = (int)argument(argc, argv, i, 4096, MOST);
        keys = buffer((size_t)n * sizeof *keys);
        out = buffer((size_t)n * sizeof *out);
        in = buffer((size_t)(2 * n + RANGE) * sizeof *in);
        sorted = buffer((size_t)(2 * n + RANGE) * sizeof *sorted);
        for (int k = 0; k < n; k++) {
            seed = seed * 1664525u + 1013904223u;
            keys[k] = (int)(seed >> 8) & (RANGE - 1);
        }
        ATTEMPT("integer sort") {
            run(1);
            verify();
            result(n, seconds_each(run) * 1e3);
        }
        free(keys);
        free(out);
        free(in);
        free(sorted);
    }
    MPI_Finalize();
    return 0;
}
