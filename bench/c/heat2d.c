/* heat2d.c - milliseconds of 100 steps of the heat equation on a square plate, whose
 * rows are divided among the ranks: neighbours exchange a row in each step, and all
 * sum up the change every tenth step.
 *
 *   mpiexec -n 4 ./heat2d <milliseconds per batch> <seconds> <side>...
 *
 * The start is a wave that the exact discrete solution damps by a known factor.
 */
#include "bench.h"
#include <math.h>

enum { STEPS = 100, MOST = 8192 };

static const double rate = 0.2; /* of diffusion, per step */
static double *now, *next;
static long side, rows, first; /* of the plate; of this rank; its first row */
static double change;

static double *row(double *plate, long r)
{
    return plate + r * (side + 2); /* row 0 and row `rows`+1 belong to the neighbours */
}

static double wave(long r, long c)
{
    const double pi = acos(-1), step = pi / (double)(side + 1);

    return sin((double)(r + 1) * step) * sin((double)(c + 1) * step);
}

static void start(void)
{
    memset(now, 0, (size_t)(rows + 2) * (size_t)(side + 2) * sizeof *now);
    memset(next, 0, (size_t)(rows + 2) * (size_t)(side + 2) * sizeof *next);
    for (long r = 0; r < rows; r++)
        for (long c = 0; c < side; c++)
            row(now, r + 1)[c + 1] = wave(first + r, c);
}

static void step(int sum)
{
    const int up = rank > 0 ? rank - 1 : MPI_PROC_NULL, down = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    double moved = 0;

    MUST(MPI_Sendrecv(row(now, 1), (int)side + 2, MPI_DOUBLE, up, 1, row(now, rows + 1), (int)side + 2,
                      MPI_DOUBLE, down, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    MUST(MPI_Sendrecv(row(now, rows), (int)side + 2, MPI_DOUBLE, down, 2, row(now, 0), (int)side + 2,
                      MPI_DOUBLE, up, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    for (long r = 1; r <= rows; r++) {
        const double *above = row(now, r - 1), *here = row(now, r), *below = row(now, r + 1);
        double *to = row(next, r);
        for (long c = 1; c <= side; c++)
            to[c] = here[c] + rate * (above[c] + below[c] + here[c - 1] + here[c + 1] - 4 * here[c]);
        if (sum)
            for (long c = 1; c <= side; c++)
                moved += fabs(to[c] - here[c]);
    }
    if (sum)
        MUST(MPI_Allreduce(&moved, &change, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD));
    double *swap = now;
    now = next;
    next = swap;
}

static void run(long times)
{
    for (long i = 0; i < times; i++) {
        start();
        for (int s = 1; s <= STEPS; s++)
            step(s % 10 == 0);
    }
}

static void verify(void)
{
    const double pi = acos(-1), damping = 1 - 4 * rate * (1 - cos(pi / (double)(side + 1)));
    const double factor = pow(damping, STEPS);

    for (long r = 0; r < rows; r++)
        for (long c = 0; c < side; c++)
            if (fabs(row(now, r + 1)[c + 1] - factor * wave(first + r, c)) > 1e-10)
                fail("the plate has the wrong temperature");
    if (!(change > 0))
        fail("nothing changed on the plate");
}

int main(int argc, char **argv)
{
    bench_start(&argc, &argv);
    for (int i = 3; i < argc && time_left(); i++) {
        side = argument(argc, argv, i, size, MOST);
        first = side * rank / size;
        rows = side * (rank + 1) / size - first;
        now = buffer((size_t)(rows + 2) * (size_t)(side + 2) * sizeof *now);
        next = buffer((size_t)(rows + 2) * (size_t)(side + 2) * sizeof *next);
        ATTEMPT("heat2d") {
            run(1);
            verify();
            result(side, seconds_each(run) * 1e3);
        }
        free(now);
        free(next);
    }
    MPI_Finalize();
    return 0;
}
