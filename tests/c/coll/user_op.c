/* Operations of the program's: not commutative, freed while in use, with large counts; what is refused. */
#include "check.h"

struct map { unsigned a, b; }; /* x -> a x + b */

static void compose(void *in, void *inout, int *len, MPI_Datatype *type)
{
    struct map *x = in, *y = inout;
    MPI_Aint lb, extent;
    MPI_Type_get_extent(*type, &lb, &extent);
    CHECK_EQ(extent, sizeof(struct map));
    for (int i = 0; i < *len; i++)
        y[i] = (struct map){x[i].a * y[i].a, x[i].a * y[i].b + x[i].b};
}

static void compose_large(void *in, void *inout, MPI_Count *len, MPI_Datatype *type)
{
    int n = (int)*len;
    compose(in, inout, &n, type);
}

static struct map of(int r, int i) { return (struct map){2u * (unsigned)(r + i) + 1, (unsigned)(r * 7 + i)}; }

/* What ranks 0 to n-1 come to. */
static struct map product(int n, int i)
{
    struct map v = of(n - 1, i);
    for (int r = n - 2; r >= 0; r--) {
        struct map x = of(r, i);
        v = (struct map){x.a * v.a, x.a * v.b + x.b};
    }
    return v;
}

#define SAME(got, want) (CHECK_EQ((got).a, (want).a), CHECK_EQ((got).b, (want).b))

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    enum { MOST = 40000 };
    static struct map mine[MOST], all[MOST];
    MPI_Datatype pair;
    CHECK_MPI(MPI_Type_contiguous(2, MPI_UNSIGNED, &pair));
    CHECK_MPI(MPI_Type_commit(&pair));

    for (int large = 0; large < 2; large++) {
        MPI_Op op;
        int commutes = -1;
        if (large)
            CHECK_MPI(MPI_Op_create_c(compose_large, 0, &op));
        else
            CHECK_MPI(MPI_Op_create(compose, 0, &op));
        CHECK_MPI(MPI_Op_commutative(op, &commutes));
        CHECK_EQ(commutes, 0);
        static const int counts[] = {0, 1, 5, 700, MOST};
        for (int c = 0; c < 5; c++) {
            int n = counts[c];
            for (int i = 0; i < n; i++)
                mine[i] = of(me, i);
            CHECK_MPI(MPI_Allreduce(mine, all, n, pair, op, MPI_COMM_WORLD));
            for (int i = 0; i < n; i++)
                SAME(all[i], product(np, i));
            CHECK_MPI(MPI_Scan(mine, all, n, pair, op, MPI_COMM_WORLD));
            for (int i = 0; i < n; i++)
                SAME(all[i], product(me + 1, i));
            CHECK_MPI(MPI_Exscan(mine, all, n, pair, op, MPI_COMM_WORLD));
            for (int i = 0; i < n && me > 0; i++)
                SAME(all[i], product(me, i));
            CHECK_MPI(MPI_Reduce(mine, all, n, pair, op, np - 1, MPI_COMM_WORLD));
            for (int i = 0; i < n && me == np - 1; i++)
                SAME(all[i], product(np, i));
        }
        /* Freed while an operation uses it. */
        MPI_Request request, persistent;
        CHECK_MPI(MPI_Allreduce_init(mine, all, 9, pair, op, MPI_COMM_WORLD, MPI_INFO_NULL, &persistent));
        CHECK_MPI(MPI_Iallreduce(mine, all, MOST, pair, op, MPI_COMM_WORLD, &request));
        CHECK_MPI(MPI_Op_free(&op));
        CHECK(op == MPI_OP_NULL);
        CHECK_MPI(MPI_Wait(&request, MPI_STATUS_IGNORE));
        for (int i = 0; i < MOST; i++)
            SAME(all[i], product(np, i));
        for (int round = 0; round < 2; round++) {
            memset(all, 0, sizeof all);
            CHECK_MPI(MPI_Start(&persistent));
            CHECK_MPI(MPI_Wait(&persistent, MPI_STATUS_IGNORE));
            for (int i = 0; i < 9; i++)
                SAME(all[i], product(np, i));
        }
        CHECK_MPI(MPI_Request_free(&persistent));
    }

    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Op sum = MPI_SUM, null = MPI_OP_NULL;
    CHECK_CLASS(MPI_Op_free(&sum), MPI_ERR_OP);
    CHECK_CLASS(MPI_Op_free(&null), MPI_ERR_OP);
    CHECK_CLASS(MPI_Op_create(NULL, 1, &null), MPI_ERR_ARG);
    CHECK_CLASS(MPI_Allreduce(mine, all, 1, pair, MPI_SUM, MPI_COMM_WORLD), MPI_ERR_OP);
    CHECK_CLASS(MPI_Reduce_local(all, all, 1, MPI_INT, MPI_SUM), MPI_ERR_BUFFER);
    CHECK_MPI(MPI_Type_free(&pair));
    return check_finish();
}
