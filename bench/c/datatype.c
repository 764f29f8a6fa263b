/* datatype.c - microseconds that a message of a derived datatype takes one way,
 * and beside it what the same message takes when the program copies its elements
 * into a dense buffer and out of it by hand.
 *
 *   mpiexec -n 2 ./datatype <milliseconds per batch> <seconds> <bytes>...
 *
 * The bytes are those that travel. vector: every second double. indexed: blocks of
 * 1 to 7 doubles with gaps. subarray: the inner part of a square of doubles, its
 * rows dense. struct: an int, a double and 3 chars of a C struct.
 */
#include "bench.h"
#include <math.h>
#include <stddef.h>

enum { KINDS = 4, MOST = 64 << 20 };

struct particle {
    int id;
    double weight;
    char label[3];
};

enum { PARTICLE = sizeof(int) + sizeof(double) + 3 };

/* A message as its pieces: what is copied by hand. */
static struct {
    size_t at, length;
} *piece;
static size_t pieces, dense_bytes, span;

static char *sparse, *dense;
static MPI_Datatype type;
static int count;

/* Both ways by hand walk through the loops that a program would have written. */
static void (*gather_by_hand)(void), (*scatter_by_hand)(void);

static size_t elements, side, inner; /* of the vector; of the square */

static void gather_vector(void)
{
    const double *from = (const double *)sparse;
    double *to = (double *)dense;

    for (size_t i = 0; i < elements; i++)
        to[i] = from[2 * i];
}

static void scatter_vector(void)
{
    const double *from = (const double *)dense;
    double *to = (double *)sparse;

    for (size_t i = 0; i < elements; i++)
        to[2 * i] = from[i];
}

static void gather_pieces(void)
{
    char *to = dense;

    for (size_t i = 0; i < pieces; to += piece[i++].length)
        memcpy(to, sparse + piece[i].at, piece[i].length);
}

static void scatter_pieces(void)
{
    const char *from = dense;

    for (size_t i = 0; i < pieces; from += piece[i++].length)
        memcpy(sparse + piece[i].at, from, piece[i].length);
}

static void gather_struct(void)
{
    const struct particle *from = (const struct particle *)sparse;
    char *to = dense;

    for (size_t i = 0; i < elements; i++, to += PARTICLE) {
        memcpy(to, &from[i].id, sizeof(int));
        memcpy(to + sizeof(int), &from[i].weight, sizeof(double));
        memcpy(to + sizeof(int) + sizeof(double), from[i].label, 3);
    }
}

static void scatter_struct(void)
{
    struct particle *to = (struct particle *)sparse;
    const char *from = dense;

    for (size_t i = 0; i < elements; i++, from += PARTICLE) {
        memcpy(&to[i].id, from, sizeof(int));
        memcpy(&to[i].weight, from + sizeof(int), sizeof(double));
        memcpy(to[i].label, from + sizeof(int) + sizeof(double), 3);
    }
}

static void add_piece(size_t at, size_t length)
{
    piece[pieces].at = at;
    piece[pieces++].length = length;
    dense_bytes += length;
    span = at + length > span ? at + length : span;
}

static void make_vector(size_t bytes)
{
    elements = bytes / sizeof(double);
    for (size_t i = 0; i < elements; i++)
        add_piece(2 * i * sizeof(double), sizeof(double));
    gather_by_hand = gather_vector;
    scatter_by_hand = scatter_vector;
    count = 1;
    MUST(MPI_Type_vector((int)elements, 1, 2, MPI_DOUBLE, &type));
}

static void make_indexed(size_t bytes)
{
    size_t at = 0, blocks = 0, left = bytes / sizeof(double);
    int *lengths = buffer(bytes), *places = buffer(bytes);

    for (; left > 0; blocks++) {
        size_t length = 1 + blocks * 5 % 7;
        length = length < left ? length : left;
        lengths[blocks] = (int)length;
        places[blocks] = (int)at;
        add_piece(at * sizeof(double), length * sizeof(double));
        at += length + 1 + blocks % 3;
        left -= length;
    }
    gather_by_hand = gather_pieces;
    scatter_by_hand = scatter_pieces;
    count = 1;
    MUST(MPI_Type_indexed((int)blocks, lengths, places, MPI_DOUBLE, &type));
    free(lengths);
    free(places);
}

static void make_subarray(size_t bytes)
{
    inner = (size_t)sqrt((double)(bytes / sizeof(double)));
    side = inner + 8;
    int sizes[2] = {(int)side, (int)side}, parts[2] = {(int)inner, (int)inner}, starts[2] = {4, 4};
    for (size_t i = 0; i < inner; i++)
        add_piece(((i + 4) * side + 4) * sizeof(double), inner * sizeof(double));
    gather_by_hand = gather_pieces;
    scatter_by_hand = scatter_pieces;
    count = 1;
    MUST(MPI_Type_create_subarray(2, sizes, parts, starts, MPI_ORDER_C, MPI_DOUBLE, &type));
}

static void make_struct(size_t bytes)
{
    int lengths[3] = {1, 1, 3};
    MPI_Aint places[3] = {offsetof(struct particle, id), offsetof(struct particle, weight),
                          offsetof(struct particle, label)};
    MPI_Datatype types[3] = {MPI_INT, MPI_DOUBLE, MPI_CHAR}, fields;

    elements = bytes / PARTICLE;
    for (size_t i = 0; i < elements; i++) {
        add_piece(i * sizeof(struct particle) + (size_t)places[0], sizeof(int));
        add_piece(i * sizeof(struct particle) + (size_t)places[1], sizeof(double));
        add_piece(i * sizeof(struct particle) + (size_t)places[2], 3);
    }
    span = elements * sizeof(struct particle);
    gather_by_hand = gather_struct;
    scatter_by_hand = scatter_struct;
    count = (int)elements;
    MUST(MPI_Type_create_struct(3, lengths, places, types, &fields));
    MUST(MPI_Type_create_resized(fields, 0, sizeof(struct particle), &type));
    MUST(MPI_Type_free(&fields));
}

static void by_type(long n)
{
    for (long i = 0; i < n; i++) {
        if (rank == 0) {
            MUST(MPI_Send(sparse, count, type, 1, 1, MPI_COMM_WORLD));
            MUST(MPI_Recv(sparse, count, type, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        } else {
            MUST(MPI_Recv(sparse, count, type, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
            MUST(MPI_Send(sparse, count, type, 0, 1, MPI_COMM_WORLD));
        }
    }
}

static void by_hand(long n)
{
    for (long i = 0; i < n; i++) {
        if (rank == 0) {
            gather_by_hand();
            MUST(MPI_Send(dense, (int)dense_bytes, MPI_BYTE, 1, 1, MPI_COMM_WORLD));
            MUST(MPI_Recv(dense, (int)dense_bytes, MPI_BYTE, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
            scatter_by_hand();
        } else {
            MUST(MPI_Recv(dense, (int)dense_bytes, MPI_BYTE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
            scatter_by_hand();
            gather_by_hand();
            MUST(MPI_Send(dense, (int)dense_bytes, MPI_BYTE, 0, 1, MPI_COMM_WORLD));
        }
    }
}

/* Rank 0's pieces must reach rank 1, and nothing between them. */
static void verify(void (*exchange)(long))
{
    for (size_t i = 0; i < span; i++)
        sparse[i] = rank == 0 ? (char)(i * 11 + 5) : 0;
    exchange(1);
    char *expected = buffer(span);
    memset(expected, 0, span);
    for (size_t p = 0; p < pieces; p++)
        for (size_t i = piece[p].at; i < piece[p].at + piece[p].length; i++)
            expected[i] = (char)(i * 11 + 5);
    if (rank == 1 && memcmp(expected, sparse, span) != 0)
        fail("the receiver has other bytes than were sent");
    free(expected);
}

/* Measures a kind at one size; series are named by it. */
static void both(const char *name, const char *named_by_hand, void (*make)(size_t), size_t bytes)
{
    pieces = dense_bytes = span = 0;
    ATTEMPT(name) {
        make(bytes);
        MUST(MPI_Type_commit(&type));
        sparse = buffer(span);
        dense = buffer(dense_bytes);
        verify(by_type);
        result((long)bytes, seconds_each(by_type) / 2 * 1e6);
        MUST(MPI_Type_free(&type));
        series = named_by_hand;
        verify(by_hand);
        result((long)bytes, seconds_each(by_hand) / 2 * 1e6);
        free(sparse);
        free(dense);
    }
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name, *by_hand;
        void (*make)(size_t bytes);
    } kinds[KINDS] = {
        {"vector", "vector by hand", make_vector},
        {"indexed", "indexed by hand", make_indexed},
        {"subarray", "subarray by hand", make_subarray},
        {"struct", "struct by hand", make_struct},
    };

    bench_start(&argc, &argv);
    if (size != 2)
        fail("datatype needs 2 ranks");
    for (int i = 3; i < argc; i++) {
        size_t bytes = (size_t)argument(argc, argv, i, 16, MOST);
        piece = buffer((bytes / PARTICLE + bytes / sizeof(double) + 1) * 3 * sizeof *piece);
        for (int k = 0; k < KINDS && time_left(); k++)
            both(kinds[k].name, kinds[k].by_hand, kinds[k].make, bytes);
        free(piece);
    }
    MPI_Finalize();
    return 0;
}
