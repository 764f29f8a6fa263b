/* mosaic.c - all ranks paint one picture, in blocks that go round among them.
 *
 *   mpicc -O2 -o mosaic mosaic.c
 *   mpiexec -n 4 ./mosaic owners.pgm picture.pgm [side [block]]
 *
 * The picture, of the Mandelbrot set, is a matrix that is distributed block-cyclically
 * over a grid of ranks, as a linear algebra library would do it; so everybody gets some
 * of the places that take long. MPI_Type_create_darray describes the part of a rank. As
 * a file view, behind the picture's header, it lets each rank write its part as if that
 * were all there is: one call puts the blocks where they belong. A second picture shows
 * which rank has painted what. Both are binary PGM files.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 512, BLOCK = 32, ITERATIONS = 400, HEADER = 16 };

static int rank, size;

/* An error that nobody can do anything about: say so, and end all ranks. */
static void must(int code, const char *what)
{
    char why[MPI_MAX_ERROR_STRING];
    int length;

    if (code == MPI_SUCCESS)
        return;
    MPI_Error_string(code, why, &length);
    fprintf(stderr, "mosaic: %s: %s\n", what, why);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

/* How bright the point at row y and column x of the picture is. */
static unsigned char shade(int y, int x, int side)
{
    const double cr = -2.1 + 2.8 * x / side, ci = -1.4 + 2.8 * y / side;
    double zr = 0, zi = 0;
    int i;

    for (i = 0; i < ITERATIONS && zr * zr + zi * zi < 4; i++) {
        const double t = zr * zr - zi * zi + cr;
        zi = 2 * zr * zi + ci;
        zr = t;
    }
    return i == ITERATIONS ? 0 : (unsigned char)(255 - 240 / (1 + i * 0.2));
}

/* Writes one picture: the header by rank 0, then everybody its part through the view. */
static void save(const char *path, MPI_Datatype part, const unsigned char *pixels, int n, int side)
{
    MPI_File f;

    must(MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_WRONLY | MPI_MODE_CREATE, MPI_INFO_NULL, &f), path);
    must(MPI_File_set_size(f, 0), path);
    if (rank == 0) {
        char header[HEADER + 1];
        snprintf(header, sizeof header, "P5 %4d %4d 255", side, side);
        header[HEADER] = '\n';
        must(MPI_File_write_at(f, 0, header, HEADER + 1, MPI_CHAR, MPI_STATUS_IGNORE), path);
    }
    must(MPI_File_set_view(f, HEADER + 1, MPI_UNSIGNED_CHAR, part, "native", MPI_INFO_NULL), path);
    must(MPI_File_write_all(f, pixels, n, MPI_UNSIGNED_CHAR, MPI_STATUS_IGNORE), path);
    must(MPI_File_close(&f), path);
}

int main(int argc, char **argv)
{
    int grid[2] = {0, 0}, n;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int side = argc > 3 ? atoi(argv[3]) : SIDE, block = argc > 4 ? atoi(argv[4]) : BLOCK;
    if (argc < 3 || side < 1 || side > 9999 || block < 1) {
        if (rank == 0)
            fprintf(stderr, "usage: mosaic owners.pgm picture.pgm [side [block]]\n");
        MPI_Finalize();
        return 1;
    }

    /* The part of this rank. */
    MPI_Datatype part;
    const int sides[2] = {side, side}, blocks[2] = {block, block};
    const int cyclic[2] = {MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_CYCLIC};
    MPI_Dims_create(size, 2, grid);
    MPI_Type_create_darray(size, rank, 2, sides, cyclic, blocks, grid, MPI_ORDER_C, MPI_UNSIGNED_CHAR, &part);
    MPI_Type_commit(&part);
    MPI_Type_size(part, &n);

    /* Its points in the order in which the view shows them: by rows, its own blocks only. */
    unsigned char *pixels = malloc(n + 1), *owners = malloc(n + 1);
    if (pixels == NULL || owners == NULL)
        MPI_Abort(MPI_COMM_WORLD, 1);
    const double begin = MPI_Wtime();
    int k = 0;
    for (int y = 0; y < side; y++)
        for (int x = 0; x < side; x++)
            if (y / block % grid[0] == rank / grid[1] && x / block % grid[1] == rank % grid[1])
                pixels[k++] = shade(y, x, side);
    memset(owners, 40 + 200 * rank / size, n);
    const double painted = MPI_Wtime();

    save(argv[1], part, owners, n, side);
    save(argv[2], part, pixels, n, side);
    if (rank == 0) {
        printf("ranks      %d x %d\n", grid[0], grid[1]);
        printf("picture    %d x %d\n", side, side);
        printf("blocks     %d x %d\n", block, block);
        printf("painting   %.0f ms\n", (painted - begin) * 1e3);
        printf("writing    %.1f ms\n", (MPI_Wtime() - painted) * 1e3);
    }
    free(pixels);
    free(owners);
    MPI_Type_free(&part);
    MPI_Finalize();
    return 0;
}
