/* cg.c - milliseconds of 50 steps of the conjugate gradient method on a sparse
 * matrix, that of the 5-point Laplace operator on a square, in compressed rows that
 * are divided among the ranks. Each step exchanges what the rows of one rank need
 * of others, by nonblocking messages, and sums up two dot products.
 *
 *   mpiexec -n 4 ./cg <milliseconds per batch> <seconds> <side>...
 */
#include "bench.h"
#include <math.h>

enum { STEPS = 50, MOST = 4096, HALO = 2 };

static long side, rows, first; /* of the grid; unknowns of this rank; its first one */
static long *starts;
static int *columns; /* numbers of own unknowns begin at `side`: the halo is around them */
static double *values;
static double *x, *b, *r, *p, *q; /* p has a halo of `side` on both ends */

static void add(long *n, long column, double value)
{
    columns[*n] = (int)(column - first + side);
    values[(*n)++] = value;
}

static void make_matrix(void)
{
    long n = 0;

    for (long i = 0; i < rows; i++) {
        const long me = first + i, c = me % side, row = me / side;
        starts[i] = n;
        if (row > 0)
            add(&n, me - side, -1);
        if (c > 0)
            add(&n, me - 1, -1);
        add(&n, me, 4);
        if (c < side - 1)
            add(&n, me + 1, -1);
        if (row < side - 1)
            add(&n, me + side, -1);
    }
    starts[rows] = n;
}

/* The right side is that of a known solution, so that the answer can be checked. */
static double solution(long i)
{
    const double pi = acos(-1), step = pi / (double)(side + 1);

    return sin((double)(i / side + 1) * step) * sin((double)(i % side + 1) * 2 * step);
}

/* q = A p, after the halo of p has come. */
static void multiply(void)
{
    const int up = rank > 0 ? rank - 1 : MPI_PROC_NULL, down = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    MPI_Request requests[2 * HALO];

    MUST(MPI_Irecv(p, (int)side, MPI_DOUBLE, up, 1, MPI_COMM_WORLD, &requests[0]));
    MUST(MPI_Irecv(p + side + rows, (int)side, MPI_DOUBLE, down, 2, MPI_COMM_WORLD, &requests[1]));
    MUST(MPI_Isend(p + rows, (int)side, MPI_DOUBLE, down, 1, MPI_COMM_WORLD, &requests[2]));
    MUST(MPI_Isend(p + side, (int)side, MPI_DOUBLE, up, 2, MPI_COMM_WORLD, &requests[3]));
    MUST(MPI_Waitall(2 * HALO, requests, MPI_STATUSES_IGNORE));
    for (long i = 0; i < rows; i++) {
        double sum = 0;
        for (long k = starts[i]; k < starts[i + 1]; k++)
            sum += values[k] * p[columns[k]];
        q[i] = sum;
    }
}

static double dot(const double *u, const double *v)
{
    double mine = 0, all;

    for (long i = 0; i < rows; i++)
        mine += u[i] * v[i];
    MUST(MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD));
    return all;
}

static double residual;

static void solve(long times)
{
    for (long t = 0; t < times; t++) {
        memset(x, 0, (size_t)rows * sizeof *x);
        memset(p, 0, (size_t)(rows + 2 * side) * sizeof *p);
        memcpy(r, b, (size_t)rows * sizeof *r);
        memcpy(p + side, b, (size_t)rows * sizeof *p);
        residual = dot(r, r);
        for (int s = 0; s < STEPS; s++) {
            multiply();
            const double length = residual / dot(p + side, q);
            for (long i = 0; i < rows; i++) {
                x[i] += length * p[side + i];
                r[i] -= length * q[i];
            }
            const double last = residual;
            residual = dot(r, r);
            for (long i = 0; i < rows; i++)
                p[side + i] = r[i] + residual / last * p[side + i];
        }
    }
}

/* b = A solution + a ripple that takes CG some steps; r must be b - A x. */
static void make_right_side(void)
{
    for (long i = -side; i < rows + side; i++)
        p[side + i] = 0;
    for (long i = 0; i < rows; i++)
        p[side + i] = solution(first + i) + ((first + i) * 7919 % 13 - 6) * 1e-3;
    multiply();
    memcpy(b, q, (size_t)rows * sizeof *b);
}

static void verify(void)
{
    const double wanted = dot(b, b);

    memset(p, 0, (size_t)(rows + 2 * side) * sizeof *p);
    memcpy(p + side, x, (size_t)rows * sizeof *x);
    multiply();
    for (long i = 0; i < rows; i++)
        if (fabs(b[i] - q[i] - r[i]) > 1e-9)
            fail("the residual is not that of the solution");
    if (!(residual < 0.05 * wanted))
        fail("the method does not converge");
}

int main(int argc, char **argv)
{
    bench_start(&argc, &argv);
    for (int i = 3; i < argc && time_left(); i++) {
        side = argument(argc, argv, i, size, MOST);
        /* Whole rows of the grid, so that a halo is one row. */
        first = side * rank / size * side;
        rows = side * (rank + 1) / size * side - first;
        starts = buffer((size_t)(rows + 1) * sizeof *starts);
        columns = buffer((size_t)rows * 5 * sizeof *columns);
        values = buffer((size_t)rows * 5 * sizeof *values);
        x = buffer((size_t)rows * sizeof *x);
        b = buffer((size_t)rows * sizeof *b);
        r = buffer((size_t)rows * sizeof *r);
        q = buffer((size_t)rows * sizeof *q);
        p = buffer((size_t)(rows + 2 * side) * sizeof *p);
        make_matrix();
        ATTEMPT("conjugate gradient") {
            make_right_side();
            solve(1);
            verify();
            result(side, seconds_each(solve) * 1e3);
        }
        void *all[] = {starts, columns, values, x, b, r, q, p};
        for (size_t k = 0; k < sizeof all / sizeof all[0]; k++)
            free(all[k]);
    }
    MPI_Finalize();
    return 0;
}
