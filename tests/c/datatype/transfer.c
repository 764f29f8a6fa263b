/* Messages and collectives with derived types on either side, in sizes of every protocol. Gaps are not
 * touched. A type may be freed while a message is on its way. */
#include "check.h"

enum { WIDEST = 3 };

/* The place of double i of the data in memory, for each layout. */
static size_t place(int layout, size_t i)
{
    switch (layout) {
    case 0:
        return i; /* contiguous */
    case 1:
        return 2 * i; /* single doubles */
    case 2:
        return i / 8 * 16 + i % 8; /* blocks of 8 */
    default:
        return i / 2 * 3 + (i % 2 ? 0 : 1); /* the two of a pair exchanged, and a gap */
    }
}

static MPI_Datatype make(int layout, int n)
{
    MPI_Datatype t = MPI_DATATYPE_NULL, pair;
    int swapped[2] = {1, 0};
    switch (layout) {
    case 0:
        CHECK_MPI(MPI_Type_contiguous(n, MPI_DOUBLE, &t));
        break;
    case 1:
        CHECK_MPI(MPI_Type_vector(n, 1, 2, MPI_DOUBLE, &t));
        break;
    case 2:
        CHECK_MPI(MPI_Type_vector(n / 8, 8, 16, MPI_DOUBLE, &t));
        break;
    default:
        CHECK_MPI(MPI_Type_create_indexed_block(2, 1, swapped, MPI_DOUBLE, &pair));
        CHECK_MPI(MPI_Type_create_hvector(n / 2, 1, 24, pair, &t));
        CHECK_MPI(MPI_Type_free(&pair));
    }
    CHECK_MPI(MPI_Type_commit(&t));
    return t;
}

static double value(int rank, size_t i) { return rank * 1e7 + (double)i; }

static double *filled(int layout, int n)
{
    double *p = check_alloc((size_t)n * 2 * sizeof(double));
    for (size_t i = 0; i < (size_t)n; i++)
        p[place(layout, i)] = value(me, i);
    return p;
}

static void check_layout(const double *p, int layout, int n, int rank, size_t got)
{
    size_t wrong = 0, touched = 0;
    unsigned char *used = calloc((size_t)n * 2, 1);
    for (size_t i = 0; i < got; i++) {
        wrong += p[place(layout, i)] != value(rank, i);
        used[place(layout, i)] = 1;
    }
    for (size_t i = 0; i < (size_t)n * 2; i++)
        for (size_t k = 0; k < sizeof(double) && !used[i]; k++)
            touched += ((const unsigned char *)&p[i])[k] != CHECK_FRESH_BYTE;
    free(used);
    CHECK_MSG(wrong == 0 && touched == 0, "layout %d, %d doubles: %zu wrong, %zu bytes of gaps touched", layout, n, wrong, touched);
}

int main(int argc, char **argv)
{
    static const int sizes[] = {8, 64, 1024, 8192, 100000};
    check_init(&argc, &argv);
    int right = (me + 1) % np, left = (me + np - 1) % np;
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
        for (int from = 0; from <= WIDEST; from++)
            for (int to = 0; to <= WIDEST; to++) {
                int n = sizes[s];
                double *out = filled(from, n), *in = check_alloc((size_t)n * 2 * sizeof(double));
                MPI_Datatype sent = make(from, n), received = make(to, n);
                MPI_Request r[2];
                MPI_Status st;
                CHECK_MPI(MPI_Irecv(in, 1, received, left, 3, MPI_COMM_WORLD, &r[0]));
                CHECK_MPI(MPI_Isend(out, 1, sent, right, 3, MPI_COMM_WORLD, &r[1]));
                CHECK_MPI(MPI_Type_free(&sent));
                CHECK_MPI(MPI_Type_free(&received));
                CHECK_MPI(MPI_Wait(&r[0], &st));
                CHECK_MPI(MPI_Wait(&r[1], MPI_STATUS_IGNORE));
                CHECK_COUNT(st, MPI_DOUBLE, n);
                check_layout(in, to, n, left, (size_t)n);
                check_free(in);
                check_free(out);
            }
    for (size_t s = 0; s < 4; s++)
        for (int layout = 0; layout <= WIDEST; layout++) {
            int n = sizes[s], root = (int)s % np;
            MPI_Datatype t = make(layout, n), plain = make(0, n);
            double *b = me == root ? filled(layout, n) : check_alloc((size_t)n * 2 * sizeof(double));
            CHECK_MPI(MPI_Bcast(b, 1, t, root, MPI_COMM_WORLD));
            check_layout(b, layout, n, root, (size_t)n);
            check_free(b);

            double *all = check_alloc((size_t)n * (size_t)np * sizeof(double)), *mine = filled(layout, n);
            CHECK_MPI(MPI_Allgather(mine, 1, t, all, n, MPI_DOUBLE, MPI_COMM_WORLD));
            size_t wrong = 0;
            for (int rank = 0; rank < np; rank++)
                for (size_t i = 0; i < (size_t)n; i++)
                    wrong += all[(size_t)rank * (size_t)n + i] != value(rank, i);
            CHECK_EQ(wrong, 0);
            check_free(mine);
            mine = check_alloc((size_t)n * 2 * sizeof(double));
            CHECK_MPI(MPI_Scatter(all, 1, plain, mine, 1, t, root, MPI_COMM_WORLD));
            check_layout(mine, layout, n, me, (size_t)n);
            check_free(mine);
            check_free(all);
            CHECK_MPI(MPI_Type_free(&t));
            CHECK_MPI(MPI_Type_free(&plain));
        }
    return check_finish();
}
