/* transpose.c - milliseconds of the communication pattern of a distributed 3-D FFT:
 * a cube of complex numbers that is divided into slabs along z is transposed into
 * slabs along x, by packing, MPI_Alltoall and unpacking, and back.
 *
 *   mpiexec -n 4 ./transpose <milliseconds per batch> <seconds> <side>...
 *
 * The side must be a multiple of the number of ranks.
 */
#include "bench.h"
#include <complex.h>

enum { MOST = 1024 };

static double complex *slab, *turned, *out, *in;
static long side, thick; /* of the cube; of a slab */

/* slab[z][y][x] with own z to turned[x][y][z] with own x. */
static void forth(void)
{
    double complex *to = out;

    for (int r = 0; r < size; r++)
        for (long z = 0; z < thick; z++)
            for (long y = 0; y < side; y++)
                for (long x = 0; x < thick; x++)
                    *to++ = slab[(z * side + y) * side + r * thick + x];
    const int block = (int)(thick * thick * side);
    MUST(MPI_Alltoall(out, 2 * block, MPI_DOUBLE, in, 2 * block, MPI_DOUBLE, MPI_COMM_WORLD));
    const double complex *from = in;
    for (int r = 0; r < size; r++)
        for (long z = 0; z < thick; z++)
            for (long y = 0; y < side; y++)
                for (long x = 0; x < thick; x++)
                    turned[(x * side + y) * side + r * thick + z] = *from++;
}

static void back(void)
{
    double complex *to = out;

    for (int r = 0; r < size; r++)
        for (long x = 0; x < thick; x++)
            for (long y = 0; y < side; y++)
                for (long z = 0; z < thick; z++)
                    *to++ = turned[(x * side + y) * side + r * thick + z];
    const int block = (int)(thick * thick * side);
    MUST(MPI_Alltoall(out, 2 * block, MPI_DOUBLE, in, 2 * block, MPI_DOUBLE, MPI_COMM_WORLD));
    const double complex *from = in;
    for (int r = 0; r < size; r++)
        for (long x = 0; x < thick; x++)
            for (long y = 0; y < side; y++)
                for (long z = 0; z < thick; z++)
                    slab[(z * side + y) * side + r * thick + x] = *from++;
}

static void run(long times)
{
    for (long i = 0; i < times; i++) {
        forth();
        back();
    }
}

static double complex number(long x, long y, long z)
{
    return (double)x + (double)(y * side + z) * I;
}

static void fill(void)
{
    for (long z = 0; z < thick; z++)
        for (long y = 0; y < side; y++)
            for (long x = 0; x < side; x++)
                slab[(z * side + y) * side + x] = number(x, y, rank * thick + z);
}

static void verify(void)
{
    for (long x = 0; x < thick; x++)
        for (long y = 0; y < side; y++)
            for (long z = 0; z < side; z++)
                if (turned[(x * side + y) * side + z] != number(rank * thick + x, y, z))
                    fail("the cube is not transposed");
    for (long z = 0; z < thick; z++)
        for (long y = 0; y < side; y++)
            for (long x = 0; x < side; x++)
                if (slab[(z * side + y) * side + x] != number(x, y, rank * thick + z))
                    fail("the cube did not come back");
}

int main(int argc, char **argv)
{
    bench_start(&argc, &argv);
    for (int i = 3; i < argc && time_left(); i++) {
        side = argument(argc, argv, i, size, MOST);
        if (side % size != 0)
            fail("the side is not a multiple of the number of ranks");
        thick = side / size;
        const size_t bytes = (size_t)(thick * side * side) * sizeof(double complex);
        slab = buffer(bytes);
        turned = buffer(bytes);
        out = buffer(bytes);
        in = buffer(bytes);
        ATTEMPT("3-D transpose") {
            fill();
            run(1);
            verify();
            result(side, seconds_each(run) * 1e3);
        }
        free(slab);
        free(turned);
        free(out);
        free(in);
    }
    MPI_Finalize();
    return 0;
}
