/* pack.c - microseconds that MPI_Pack and MPI_Unpack take, and beside them the
 * loops that a program would have written, compiled with -O3. One rank; the two
 * are timed in turn.
 *
 *   mpiexec -n 1 ./pack <milliseconds per batch> <seconds> <bytes>...
 *
 * The bytes are those of the data. vector b: blocks of b doubles, as many left out
 * after each. row, column: the faces of a cube of doubles of which the rows, or
 * the elements, are apart. indexed: blocks of 1 to 7 doubles with gaps.
 */
#include "bench.h"
#include <math.h>

enum { MOST = 64 << 20 };

#define FAST __attribute__((optimize("O3"), noinline))

static double *sparse, *dense;
static size_t data, span; /* doubles */
static MPI_Datatype type;
static void (*gather)(void), (*scatter)(void);

#define VECTOR(b)                                            \
    FAST static void gather_##b(void)                        \
    {                                                        \
        const double *restrict from = sparse;                \
        double *restrict to = dense;                         \
        for (size_t i = 0; i < data / b; i++)                \
            for (size_t j = 0; j < b; j++)                   \
                to[i * b + j] = from[i * 2 * b + j];         \
    }                                                        \
    FAST static void scatter_##b(void)                       \
    {                                                        \
        const double *restrict from = dense;                 \
        double *restrict to = sparse;                        \
        for (size_t i = 0; i < data / b; i++)                \
            for (size_t j = 0; j < b; j++)                   \
                to[i * 2 * b + j] = from[i * b + j];         \
    }

VECTOR(1)
VECTOR(2)
VECTOR(8)
VECTOR(64)

static void make_vector(size_t b)
{
    data -= data % b;
    span = 2 * data;
    MUST(MPI_Type_vector((int)(data / b), (int)b, (int)(2 * b), MPI_DOUBLE, &type));
}

static void make_1(void) { gather = gather_1, scatter = scatter_1, make_vector(1); }
static void make_2(void) { gather = gather_2, scatter = scatter_2, make_vector(2); }
static void make_8(void) { gather = gather_8, scatter = scatter_8, make_vector(8); }
static void make_64(void) { gather = gather_64, scatter = scatter_64, make_vector(64); }

static size_t side; /* of the cube, ghost cells included; the face has (side - 2)^2 cells */

FAST static void gather_row(void)
{
    const double *restrict from = sparse;
    double *restrict to = dense;
    size_t n = side - 2;

    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++)
            to[i * n + k] = from[((i + 1) * side + 1) * side + k + 1];
}

FAST static void scatter_row(void)
{
    const double *restrict from = dense;
    double *restrict to = sparse;
    size_t n = side - 2;

    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++)
            to[((i + 1) * side + 1) * side + k + 1] = from[i * n + k];
}

FAST static void gather_column(void)
{
    const double *restrict from = sparse;
    double *restrict to = dense;
    size_t n = side - 2;

    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            to[i * n + j] = from[((i + 1) * side + j + 1) * side + 1];
}

FAST static void scatter_column(void)
{
    const double *restrict from = dense;
    double *restrict to = sparse;
    size_t n = side - 2;

    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            to[((i + 1) * side + j + 1) * side + 1] = from[i * n + j];
}

static void make_face(int fixed)
{
    int sizes[3], parts[3], starts[3];

    side = (size_t)sqrt((double)data) + 2;
    data = (side - 2) * (side - 2);
    span = side * side * side;
    for (int d = 0; d < 3; d++) {
        sizes[d] = (int)side;
        parts[d] = d == fixed ? 1 : (int)side - 2;
        starts[d] = 1;
    }
    MUST(MPI_Type_create_subarray(3, sizes, parts, starts, MPI_ORDER_C, MPI_DOUBLE, &type));
}

static void make_row(void) { gather = gather_row, scatter = scatter_row, make_face(1); }
static void make_column(void) { gather = gather_column, scatter = scatter_column, make_face(2); }

static int *lengths, *places;
static size_t blocks;

FAST static void gather_indexed(void)
{
    double *restrict to = dense;

    for (size_t b = 0; b < blocks; b++) {
        const double *restrict from = sparse + places[b];
        for (int i = 0; i < lengths[b]; i++)
            *to++ = from[i];
    }
}

FAST static void scatter_indexed(void)
{
    const double *restrict from = dense;

    for (size_t b = 0; b < blocks; b++) {
        double *restrict to = sparse + places[b];
        for (int i = 0; i < lengths[b]; i++)
            to[i] = *from++;
    }
}

static void make_indexed(void)
{
    size_t at = 0, left = data;

    gather = gather_indexed, scatter = scatter_indexed;
    for (blocks = 0; left > 0; blocks++) {
        size_t length = 1 + blocks * 5 % 7;
        length = length < left ? length : left;
        lengths[blocks] = (int)length;
        places[blocks] = (int)at;
        at += length + 1 + blocks % 3;
        left -= length;
    }
    span = at;
    MUST(MPI_Type_indexed((int)blocks, lengths, places, MPI_DOUBLE, &type));
}

static void do_gather(long n)
{
    while (n-- > 0)
        gather();
}

static void do_scatter(long n)
{
    while (n-- > 0)
        scatter();
}

static void do_pack(long n)
{
    for (int at; n-- > 0;) {
        at = 0;
        MUST(MPI_Pack(sparse, 1, type, dense, (int)(data * sizeof(double)), &at, MPI_COMM_SELF));
    }
}

static void do_unpack(long n)
{
    for (int at; n-- > 0;) {
        at = 0;
        MUST(MPI_Unpack(dense, (int)(data * sizeof(double)), &at, sparse, 1, type, MPI_COMM_SELF));
    }
}

/* What one of the two does to memory full of different numbers. */
static double *effect(void (*move)(long), double *of, size_t n)
{
    double *kept = buffer(n * sizeof *kept);

    for (size_t i = 0; i < span; i++)
        sparse[i] = (double)i + 0.25;
    for (size_t i = 0; i < data; i++)
        dense[i] = -(double)i;
    move(1);
    memcpy(kept, of, n * sizeof *kept);
    return kept;
}

static void compare(void (*by_type)(long), void (*by_hand)(long), double *of, size_t n)
{
    double *one = effect(by_type, of, n), *other = effect(by_hand, of, n);

    if (memcmp(one, other, n * sizeof *one) != 0)
        fail("the library moves other bytes than the loop");
    free(one);
    free(other);
}

/* Medians of both, whose batches take turns. */
static void both(const char *kind, const char *what, size_t bytes, void (*by_type)(long),
                 void (*by_hand)(long))
{
    static char names[2][64];
    double first[2 * BATCHES], second[2 * BATCHES];
    double guess = seconds_each(by_hand);
    long n = (long)(batch_seconds / 2 / guess) + 1;

    timed(by_type, n);
    for (int i = 0; i < 2 * BATCHES; i++) {
        first[i] = timed(by_type, n) / (double)n;
        second[i] = timed(by_hand, n) / (double)n;
    }
    snprintf(names[0], sizeof names[0], "%s, %s", kind, what);
    snprintf(names[1], sizeof names[1], "%s, %s by hand", kind, what);
    series = names[0];
    result((long)bytes, summarized(first, 2 * BATCHES) * 1e6);
    series = names[1];
    result((long)bytes, summarized(second, 2 * BATCHES) * 1e6);
}

static void measure(const char *kind, void (*make)(void), size_t bytes)
{
    ATTEMPT(kind) {
        data = bytes / sizeof(double);
        make();
        MUST(MPI_Type_commit(&type));
        sparse = buffer(span * sizeof(double));
        dense = buffer(data * sizeof(double));
        compare(do_pack, do_gather, dense, data);
        compare(do_unpack, do_scatter, sparse, span);
        both(kind, "pack", bytes, do_pack, do_gather);
        both(kind, "unpack", bytes, do_unpack, do_scatter);
        MUST(MPI_Type_free(&type));
        free(sparse);
        free(dense);
    }
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*make)(void);
    } kinds[] = {
        {"vector 1", make_1}, {"vector 2", make_2}, {"vector 8", make_8}, {"vector 64", make_64},
        {"row", make_row}, {"column", make_column}, {"indexed", make_indexed},
    };

    bench_start(&argc, &argv);
    for (int i = 3; i < argc; i++) {
        size_t bytes = (size_t)argument(argc, argv, i, 64 * sizeof(double), MOST);
        lengths = buffer(bytes);
        places = buffer(bytes);
        for (size_t k = 0; k < sizeof kinds / sizeof kinds[0] && time_left(); k++)
            measure(kinds[k].name, kinds[k].make, bytes);
        free(lengths);
        free(places);
    }
    MPI_Finalize();
    return 0;
}
