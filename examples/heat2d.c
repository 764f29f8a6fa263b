/* heat2d.c - heat spreads through a plate, computed by any number of ranks.
 *
 *   mpicc -O2 -o heat2d heat2d.c
 *   mpiexec -n 4 ./heat2d cup.pgm result.pgm [tolerance [max-iterations]]
 *
 * The start temperatures come from a grey picture (PGM, format P5): black is
 * cold (0), white is hot (255). White points are heaters and stay hot, and the
 * rim of the plate stays as it is. Every other point follows the heat equation
 *
 *   du/dt = d2u/dx2 + d2u/dy2
 *
 * in explicit steps until no point changes by more than the tolerance in one
 * step. The result, written as a picture again, does not depend on the number
 * of ranks, not in one bit: see relax().
 *
 * The plate is cut into P x Q blocks, one for each rank. A rank keeps its block
 * in an array with a frame one point wide around it, the halo, which holds a
 * copy of the neighbours' nearest points and is renewed before each step.
 */
#include <limits.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HOT = 255, MAX_SIDE = 32768, CHECK_EVERY = 20 };

/* What all ranks have to know; width is 0 if the program cannot start. */
struct task {
    int width, height;  /* of the plate */
    int p, q;           /* rows and columns of blocks */
    int limit;          /* on the number of steps */
    double tolerance;
};

/* The part of the plate that one rank computes. */
struct block {
    int row, col;      /* its first point on the plate */
    int rows, cols;    /* its size, halo not counted */
    int up, down, left, right; /* ranks of the neighbours */
};

/* ---- pictures ---------------------------------------------------------- */

/* The next number in a PGM header; comments run from '#' to the end of line. */
static int header_number(FILE *f)
{
    int c = getc(f), number = 0, digits = 0;

    while (c == '#' || c == ' ' || c == '\t' || c == '\r' || c == '\n') {
        if (c == '#')
            while (c != '\n' && c != EOF)
                c = getc(f);
        else
            c = getc(f);
    }
    for (; c >= '0' && c <= '9' && digits < 9; digits++, c = getc(f))
        number = 10 * number + (c - '0');
    return digits > 0 ? number : -1; /* one white space after it is eaten */
}

/* Reads a picture; NULL, after a message, if that cannot be done. */
static unsigned char *read_picture(const char *path, int *width, int *height)
{
    unsigned char *picture = NULL;
    const char *problem = NULL;
    FILE *f = fopen(path, "rb");

    if (f == NULL) {
        perror(path);
        return NULL;
    }
    if (getc(f) != 'P' || getc(f) != '5')
        problem = "is not a binary PGM picture (P5)";
    else if ((*width = header_number(f)) < 3 || *width > MAX_SIDE ||
             (*height = header_number(f)) < 3 || *height > MAX_SIDE)
        problem = "must be 3 to 32768 points wide and high";
    else if (header_number(f) != HOT)
        problem = "must have 255 as its brightest value";
    else if ((picture = malloc((size_t)*width * *height)) == NULL)
        problem = "does not fit into memory";
    else if (fread(picture, *width, *height, f) != (size_t)*height)
        problem = "ends too early";
    fclose(f);
    if (problem == NULL)
        return picture;
    fprintf(stderr, "%s: %s\n", path, problem);
    free(picture);
    return NULL;
}

/* Writes a picture; 0, after a message, if that cannot be done. */
static int write_picture(const char *path, const unsigned char *picture, int width, int height)
{
    FILE *f = fopen(path, "wb");
    int ok = f != NULL && fprintf(f, "P5\n%d %d\n%d\n", width, height, HOT) > 0 &&
             fwrite(picture, width, height, f) == (size_t)height;

    if (f != NULL && fclose(f) != 0)
        ok = 0;
    if (!ok)
        perror(path);
    return ok;
}

/* ---- who computes what ------------------------------------------------- */

/* Splits the ranks into P rows of Q so that the cuts through the plate, which
 * is what has to be communicated, are shortest. 0 if there are too many. */
static int choose_grid(int ranks, int width, int height, int *p, int *q)
{
    long best = LONG_MAX;

    for (int rows = 1; rows <= ranks && rows <= height; rows++) {
        int cols = ranks / rows;
        long cut = (long)(rows - 1) * width + (long)(cols - 1) * height;
        if (rows * cols == ranks && cols <= width && cut < best) {
            best = cut;
            *p = rows;
            *q = cols;
        }
    }
    return best != LONG_MAX;
}

/* The block of a rank; blocks differ by at most one row and one column. */
static struct block block_of(int rank, int p, int q, int width, int height)
{
    long i = rank / q, j = rank % q;
    struct block b;

    b.row = (int)(i * height / p);
    b.rows = (int)((i + 1) * height / p) - b.row;
    b.col = (int)(j * width / q);
    b.cols = (int)((j + 1) * width / q) - b.col;
    b.up = i > 0 ? rank - q : MPI_PROC_NULL;
    b.down = i < p - 1 ? rank + q : MPI_PROC_NULL;
    b.left = j > 0 ? rank - 1 : MPI_PROC_NULL;
    b.right = j < q - 1 ? rank + 1 : MPI_PROC_NULL;
    return b;
}

static void *allocate(size_t count, size_t size)
{
    void *memory = calloc(count, size);

    if (memory == NULL) {
        fprintf(stderr, "heat2d: out of memory\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    return memory;
}

/* ---- the computation --------------------------------------------------- */

/* Renews the halo of u. Rows lie in one piece in memory and travel as they are;
 * columns are packed into `edge` (4 * rows numbers: out left, out right, in
 * left, in right). At the rim of the plate the neighbour is MPI_PROC_NULL,
 * and sending to it or receiving from it does nothing. */
static void exchange_halo(double *u, const struct block *b, double *edge)
{
    enum { UPWARDS, DOWNWARDS, LEFTWARDS, RIGHTWARDS };
    const int rows = b->rows, cols = b->cols, stride = cols + 2;
    double *out_left = edge, *out_right = edge + rows;
    double *in_left = edge + 2 * rows, *in_right = edge + 3 * rows;
    MPI_Comm world = MPI_COMM_WORLD;
    MPI_Request r[8];

    for (int i = 0; i < rows; i++) {
        out_left[i] = u[(i + 1) * stride + 1];
        out_right[i] = u[(i + 1) * stride + cols];
    }
    MPI_Irecv(&u[1], cols, MPI_DOUBLE, b->up, DOWNWARDS, world, &r[0]);
    MPI_Irecv(&u[(rows + 1) * stride + 1], cols, MPI_DOUBLE, b->down, UPWARDS, world, &r[1]);
    MPI_Irecv(in_left, rows, MPI_DOUBLE, b->left, RIGHTWARDS, world, &r[2]);
    MPI_Irecv(in_right, rows, MPI_DOUBLE, b->right, LEFTWARDS, world, &r[3]);
    MPI_Isend(&u[stride + 1], cols, MPI_DOUBLE, b->up, UPWARDS, world, &r[4]);
    MPI_Isend(&u[rows * stride + 1], cols, MPI_DOUBLE, b->down, DOWNWARDS, world, &r[5]);
    MPI_Isend(out_left, rows, MPI_DOUBLE, b->left, LEFTWARDS, world, &r[6]);
    MPI_Isend(out_right, rows, MPI_DOUBLE, b->right, RIGHTWARDS, world, &r[7]);
    MPI_Waitall(8, r, MPI_STATUSES_IGNORE);
    for (int i = 0; i < rows; i++) {
        u[(i + 1) * stride] = in_left[i];
        u[(i + 1) * stride + cols + 1] = in_right[i];
    }
}

/* One step from u to next; returns the largest change of any point.
 *
 * Why the number of ranks cannot matter: each point is computed by the same
 * operations in the same order wherever it lies; the factors are powers of two,
 * so these products are exact and a compiler that fuses them with the additions
 * changes nothing; and of the changes we take the maximum, which, unlike a sum,
 * is the same in any order. */
static double relax(const double *u, double *next, const unsigned char *held, const struct block *b)
{
    const int stride = b->cols + 2;
    double largest = 0;

    for (int i = 1; i <= b->rows; i++) {
        for (int k = i * stride + 1; k <= i * stride + b->cols; k++) {
            double around = (u[k - stride] + u[k + stride]) + (u[k - 1] + u[k + 1]);
            double change = held[k] ? 0 : 0.125 * around - 0.5 * u[k];
            next[k] = u[k] + change;
            if (fabs(change) > largest)
                largest = fabs(change);
        }
    }
    return largest;
}

/* Brings all blocks, rounded to grey values, together in the picture of rank 0. */
static void collect(const double *u, int rank, const struct task *t, unsigned char *picture)
{
    struct block b = block_of(rank, t->p, t->q, t->width, t->height);
    unsigned char *grey = allocate((size_t)b.rows * b.cols, 1);

    for (int i = 0; i < b.rows; i++)
        for (int j = 0; j < b.cols; j++)
            grey[i * b.cols + j] = (unsigned char)(u[(i + 1) * (b.cols + 2) + j + 1] + 0.5);
    if (rank != 0)
        MPI_Send(grey, b.rows * b.cols, MPI_UNSIGNED_CHAR, 0, 0, MPI_COMM_WORLD);
    for (int from = 0; rank == 0 && from < t->p * t->q; from++) {
        struct block o = block_of(from, t->p, t->q, t->width, t->height);
        if (from > 0) {
            free(grey);
            grey = allocate((size_t)o.rows * o.cols, 1);
            MPI_Recv(grey, o.rows * o.cols, MPI_UNSIGNED_CHAR, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
        for (int i = 0; i < o.rows; i++)
            memcpy(&picture[(size_t)(o.row + i) * t->width + o.col], &grey[i * o.cols], o.cols);
    }
    free(grey);
}

/* ---- the program ------------------------------------------------------- */

/* Reads the arguments and the picture, on rank 0 only. */
static unsigned char *prepare(int argc, char **argv, int ranks, struct task *t)
{
    unsigned char *picture = NULL;
    char *tolerance_end = "", *limit_end = "";

    t->tolerance = argc > 3 ? strtod(argv[3], &tolerance_end) : 0.2;
    long limit = argc > 4 ? strtol(argv[4], &limit_end, 10) : 100000;
    t->limit = (int)limit;
    if (argc < 3 || argc > 5 || *tolerance_end != '\0' || !(t->tolerance >= 0) ||
        *limit_end != '\0' || limit < 1 || limit > INT_MAX)
        fprintf(stderr, "usage: heat2d input.pgm output.pgm [tolerance [max-iterations]]\n");
    else if ((picture = read_picture(argv[1], &t->width, &t->height)) != NULL) {
        if (choose_grid(ranks, t->width, t->height, &t->p, &t->q))
            return picture;
        fprintf(stderr, "%s: %d x %d points cannot be cut into %d blocks\n", argv[1], t->width,
                t->height, ranks);
    }
    free(picture);
    t->width = 0;
    return NULL;
}

int main(int argc, char **argv)
{
    int rank, ranks, ok = 1;
    struct task t;
    unsigned char *picture = NULL;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);

    /* Rank 0 tells the others. All run on one kind of machine: bytes will do. */
    if (rank == 0)
        picture = prepare(argc, argv, ranks, &t);
    MPI_Bcast(&t, sizeof t, MPI_BYTE, 0, MPI_COMM_WORLD);
    if (t.width == 0) {
        MPI_Finalize();
        return 1;
    }
    if (rank != 0)
        picture = allocate((size_t)t.width * t.height, 1);
    MPI_Bcast(picture, t.width * t.height, MPI_UNSIGNED_CHAR, 0, MPI_COMM_WORLD);

    /* Two copies of the block with its halo: a step reads u and writes next. */
    struct block b = block_of(rank, t.p, t.q, t.width, t.height);
    const size_t points = (size_t)(b.rows + 2) * (b.cols + 2);
    double *u = allocate(points, sizeof *u), *next = allocate(points, sizeof *next);
    double *edge = allocate(4 * (size_t)b.rows, sizeof *edge);
    unsigned char *held = allocate(points, 1);
    for (int i = 0; i < b.rows; i++) {
        for (int j = 0; j < b.cols; j++) {
            int y = b.row + i, x = b.col + j, k = (i + 1) * (b.cols + 2) + j + 1;
            u[k] = picture[(size_t)y * t.width + x];
            held[k] = u[k] == HOT || y == 0 || y == t.height - 1 || x == 0 || x == t.width - 1;
        }
    }

    MPI_Barrier(MPI_COMM_WORLD);
    double seconds = MPI_Wtime(), residual = INFINITY;
    int step = 0;
    while (step < t.limit && residual > t.tolerance) {
        exchange_halo(u, &b, edge);
        double largest = relax(u, next, held, &b);
        double *swap = u;
        u = next;
        next = swap;
        /* All ranks must stop after the same step. To ask now and then is cheaper. */
        if (++step % CHECK_EVERY == 0 || step == t.limit)
            MPI_Allreduce(&largest, &residual, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    }
    seconds = MPI_Wtime() - seconds;

    collect(u, rank, &t, picture);
    if (rank == 0) {
        printf("plate       %d x %d points\n", t.width, t.height);
        printf("ranks       %d (%d x %d)\n", ranks, t.p, t.q);
        printf("iterations  %d%s\n", step, residual > t.tolerance ? " (the limit)" : "");
        printf("residual    %.17g\n", residual);
        printf("time        %.3f s\n", seconds);
        ok = write_picture(argv[2], picture, t.width, t.height);
    }

    free(u);
    free(next);
    free(edge);
    free(held);
    free(picture);
    MPI_Finalize();
    return ok ? 0 : 1;
}
