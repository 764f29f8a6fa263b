/* Types as real codes use them: faces of a 4-D lattice, columns of a matrix, arrays of structs, and a matrix
 * dealt out in blocks to a grid of processes, as ScaLAPACK does. */
#include <stddef.h>

#include "check.h"

enum { L = 6 };

/* A face of the lattice in each direction, packed, is what loops over its sites give. */
static void lattice(void)
{
    static double site[L][L][L][L];
    double face[L * L * L], want[L * L * L];
    for (size_t i = 0; i < sizeof site / sizeof(double); i++)
        (&site[0][0][0][0])[i] = (double)i;
    for (int dim = 0; dim < 4; dim++)
        for (int at = 0; at < L; at += L - 1) {
            int sizes[4] = {L, L, L, L}, sub[4] = {L, L, L, L}, start[4] = {0}, n = 0, position = 0;
            MPI_Datatype t;
            sub[dim] = 1;
            start[dim] = at;
            CHECK_MPI(MPI_Type_create_subarray(4, sizes, sub, start, MPI_ORDER_C, MPI_DOUBLE, &t));
            CHECK_MPI(MPI_Type_commit(&t));
            for (int i = 0; i < L * L * L * L; i++) {
                int x[4] = {i / (L * L * L), i / (L * L) % L, i / L % L, i % L};
                if (x[dim] == at)
                    want[n++] = i;
            }
            CHECK_MPI(MPI_Pack(site, 1, t, face, sizeof face, &position, MPI_COMM_WORLD));
            CHECK_EQ(position, sizeof face);
            CHECK(memcmp(face, want, sizeof face) == 0);
            CHECK_MPI(MPI_Type_free(&t));
        }
}

/* A matrix sent by rows and received by columns is transposed. */
static void columns(void)
{
    enum { ROWS = 50, COLUMNS = 37 };
    static int m[ROWS][COLUMNS], t[COLUMNS][ROWS];
    MPI_Datatype column, next;
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            m[i][j] = i * 1000 + j + me;
    CHECK_MPI(MPI_Type_vector(COLUMNS, 1, ROWS, MPI_INT, &column));
    CHECK_MPI(MPI_Type_create_resized(column, 0, sizeof(int), &next));
    CHECK_MPI(MPI_Type_commit(&next));
    int right = (me + 1) % np, left = (me + np - 1) % np;
    CHECK_MPI(MPI_Sendrecv(m, ROWS * COLUMNS, MPI_INT, right, 0, t, ROWS, next, left, 0, MPI_COMM_WORLD,
                           MPI_STATUS_IGNORE));
    int wrong = 0;
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            wrong += t[j][i] != i * 1000 + j + left;
    CHECK_EQ(wrong, 0);
    CHECK_MPI(MPI_Type_free(&column));
    CHECK_MPI(MPI_Type_free(&next));
}

struct particle {
    double position[3];
    char kind;
    float mass;
    short flags[3];
};

static void structs(void)
{
    enum { N = 500 };
    struct particle *out = check_alloc(N * sizeof *out), *in = check_alloc(N * sizeof *in);
    int lengths[4] = {3, 1, 1, 3};
    MPI_Aint where[4] = {offsetof(struct particle, position), offsetof(struct particle, kind),
                         offsetof(struct particle, mass), offsetof(struct particle, flags)};
    MPI_Datatype of[4] = {MPI_DOUBLE, MPI_CHAR, MPI_FLOAT, MPI_SHORT}, plain, t;
    CHECK_MPI(MPI_Type_create_struct(4, lengths, where, of, &plain));
    CHECK_MPI(MPI_Type_create_resized(plain, 0, sizeof(struct particle), &t));
    CHECK_MPI(MPI_Type_commit(&t));
    for (int i = 0; i < N; i++)
        out[i] = (struct particle){{i, me, -i}, (char)i, (float)i / 2, {(short)i, 1, 2}};
    int right = (me + 1) % np, left = (me + np - 1) % np, wrong = 0;
    CHECK_MPI(MPI_Sendrecv(out, N, t, right, 0, in, N, t, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    for (int i = 0; i < N; i++) {
        struct particle *p = &in[i];
        wrong += p->position[0] != i || p->position[1] != left || p->position[2] != -i ||
                 p->kind != (char)i || p->mass != (float)i / 2 || p->flags[0] != (short)i ||
                 p->flags[1] != 1 || p->flags[2] != 2;
        wrong += ((const unsigned char *)&p->kind)[1] != CHECK_FRESH_BYTE; /* the gap behind it */
    }
    CHECK_EQ(wrong, 0);
    check_free(in);
    check_free(out);
    CHECK_MPI(MPI_Type_free(&plain));
    CHECK_MPI(MPI_Type_free(&t));
}

/* Element (i, j) of a matrix in blocks of mb x nb on a grid of p x q belongs to process (i/mb mod p, j/nb mod
 * q). */
static void blocks(int order, int rows, int cols, int mb, int nb, int p, int q)
{
    int *m = malloc(sizeof(int) * (size_t)rows * (size_t)cols),
        *part = malloc(sizeof(int) * (size_t)rows * (size_t)cols);
    for (int i = 0; i < rows * cols; i++)
        m[i] = i;
    for (int rank = 0; rank < p * q; rank++) {
        int sizes[2] = {rows, cols}, how[2] = {MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_CYCLIC},
            arg[2] = {mb, nb}, grid[2] = {p, q};
        int n = 0, wrong = 0, position = 0, size;
        MPI_Aint lb, extent;
        MPI_Datatype t;
        CHECK_MPI(MPI_Type_create_darray(p * q, rank, 2, sizes, how, arg, grid, order, MPI_INT, &t));
        CHECK_MPI(MPI_Type_commit(&t));
        CHECK_MPI(MPI_Type_size(t, &size));
        CHECK_MPI(MPI_Type_get_extent(t, &lb, &extent));
        CHECK(lb == 0 && extent == (MPI_Aint)sizeof(int) * rows * cols);
        CHECK_MPI(MPI_Pack(m, 1, t, part, (int)sizeof(int) * rows * cols, &position, MPI_COMM_WORLD));
        for (int k = 0; k < rows * cols; k++) {
            int i = order == MPI_ORDER_C ? k / cols : k % rows,
                j = order == MPI_ORDER_C ? k % cols : k / rows;
            if (i / mb % p == rank / q && j / nb % q == rank % q)
                wrong += part[n++] != k;
        }
        CHECK_EQ(wrong, 0);
        CHECK_EQ(size, n * (int)sizeof(int));
        CHECK_EQ(position, size);
        CHECK_MPI(MPI_Type_free(&t));
    }
    free(m);
    free(part);
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    lattice();
    columns();
    structs();
    for (int order = 0; order < 2; order++) {
        int o = order ? MPI_ORDER_FORTRAN : MPI_ORDER_C;
        blocks(o, 17, 23, 3, 4, 2, 3);
        blocks(o, 16, 16, 4, 4, 2, 2);
        blocks(o, 9, 5, 2, 7, 3, 1);
        blocks(o, 3, 4, 2, 2, 4, 3); /* some processes get nothing */
    }
    return check_finish();
}
