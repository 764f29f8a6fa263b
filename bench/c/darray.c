/* darray.c - throughput, in megabytes (10^6 bytes) per second of all ranks together, of
 * MPI_File_read_all of an array of doubles that is distributed over a grid of ranks in
 * blocks by turns (MPI_Type_create_darray), out of the system's page cache.
 *
 *   mpiexec -n 4 ./darray <milliseconds per batch> <seconds> <file> <bytes of the array>...
 */
#include "bench.h"
#include <unistd.h>

enum { COLUMNS = 1024, BLOCK = 32, MOST = 256 << 20 };

static MPI_File file;
static double *data;
static int rows, mine; /* of the array; doubles of this rank */
static int grid[2];    /* ranks in each direction */

static void read_all(long n)
{
    for (long i = 0; i < n; i++)
        MUST(MPI_File_read_at_all(file, 0, data, mine, MPI_DOUBLE, MPI_STATUS_IGNORE));
}

/* The array, in which each element is its own number. */
static void prepare(const char *path)
{
    const size_t all = (size_t)rows * COLUMNS;

    if (rank == 0) {
        double *content = buffer(all * sizeof *content);
        for (size_t i = 0; i < all; i++)
            content[i] = (double)i;
        FILE *f = fopen(path, "wb");
        if (f == NULL || fwrite(content, sizeof *content, all, f) != all || fclose(f) != 0)
            fail("cannot write the file");
        free(content);
    }
    MUST(MPI_Barrier(MPI_COMM_WORLD));
}

static int owned(int i, int direction)
{
    const int place = direction == 0 ? rank / grid[1] : rank % grid[1];

    return i / BLOCK % grid[direction] == place;
}

static void verify(void)
{
    long at = 0;

    for (int r = 0; r < rows; r++)
        for (int c = 0; c < COLUMNS; c++)
            if (owned(r, 0) && owned(c, 1) && data[at++] != (double)((long)r * COLUMNS + c))
                fail("other elements were read than the rank owns");
    if (at != mine)
        fail("the rank owns another number of elements");
}

static void measure(const char *path, long bytes)
{
    const int sizes[2] = {rows, COLUMNS}, blocks[2] = {BLOCK, BLOCK};
    const int distributions[2] = {MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_CYCLIC};
    MPI_Datatype view;
    int owns;

    MUST(MPI_Type_create_darray(size, rank, 2, sizes, distributions, blocks, grid, MPI_ORDER_C, MPI_DOUBLE,
                                &view));
    MUST(MPI_Type_commit(&view));
    MUST(MPI_Type_size(view, &owns));
    mine = owns / (int)sizeof(double);
    data = buffer((size_t)owns);
    MUST(MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_RDONLY, MPI_INFO_NULL, &file));
    MUST(MPI_File_set_view(file, 0, MPI_DOUBLE, view, "native", MPI_INFO_NULL));
    double seconds = seconds_each(read_all);
    verify();
    result_rate(bytes, (double)bytes / seconds / 1e6);
    MUST(MPI_File_close(&file));
    MUST(MPI_Type_free(&view));
    free(data);
}

int main(int argc, char **argv)
{
    bench_start(&argc, &argv);
    if (argc < 5)
        fail("darray needs a file and sizes");
    MUST(MPI_Dims_create(size, 2, grid));
    for (int i = 4; i < argc && time_left(); i++) {
        const long bytes = argument(argc, argv, i, COLUMNS * (long)sizeof(double), MOST);
        rows = (int)(bytes / COLUMNS / (long)sizeof(double));
        prepare(argv[3]);
        ATTEMPT("read_all, block-cyclic")
            measure(argv[3], bytes);
    }
    if (rank == 0)
        unlink(argv[3]);
    MPI_Finalize();
    return 0;
}
