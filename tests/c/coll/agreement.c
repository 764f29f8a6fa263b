/* GOMPI_CHECK=collectives: ranks that do not call the same operation, or with another root, reduction or
 * size, are all told, and nothing has moved; what they call alike goes on as ever. */
#include "coll.h"

static void same(int n)
{
    int in[4] = {me + n, 1, 2, 3}, out[4] = {0};

    CHECK_MPI(MPI_Allreduce(in, out, 4, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    CHECK_EQ(out[0], np * (np - 1) / 2 + n * np);
    CHECK_MPI(MPI_Bcast(in, 4, MPI_INT, n % np, MPI_COMM_WORLD));
    CHECK_EQ(in[0], n % np + n);
    CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
}

int main(int argc, char **argv)
{
    enum { N = 1000 };
    int odd, *in, *out;

    check_init(&argc, &argv);
    if (np == 1)
        return check_finish();
    CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    in = calloc(N, sizeof *in);
    for (odd = 0; odd < np; odd++) {
        int other = me == odd;
        out = check_alloc(N * sizeof *out);
        same(odd);
        CHECK_CLASS(MPI_Reduce(in, out, N, MPI_INT, other ? MPI_PROD : MPI_SUM, 0, MPI_COMM_WORLD),
                    MPI_ERR_OP);
        CHECK_CLASS(MPI_Allreduce(in, out, 1, MPI_INT, other ? MPI_MAX : MPI_MIN, MPI_COMM_WORLD),
                    MPI_ERR_OP);
        CHECK_CLASS(MPI_Scan(in, out, N, MPI_INT, other ? MPI_BOR : MPI_BAND, MPI_COMM_WORLD), MPI_ERR_OP);
        CHECK_CLASS(MPI_Bcast(out, N, MPI_INT, other ? 1 : 0, MPI_COMM_WORLD), MPI_ERR_ROOT);
        CHECK_CLASS(MPI_Gather(in, 1, MPI_INT, out, 1, MPI_INT, other ? 1 : 0, MPI_COMM_WORLD), MPI_ERR_ROOT);
        CHECK_CLASS(other ? MPI_Barrier(MPI_COMM_WORLD)
                          : MPI_Allreduce(in, out, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD),
                    MPI_ERR_OTHER);
        CHECK_CLASS(other ? MPI_Scan(in, out, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD)
                          : MPI_Exscan(in, out, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD),
                    MPI_ERR_OTHER);
        CHECK_CLASS(MPI_Bcast(out, other ? 0 : 1, MPI_INT, 0, MPI_COMM_WORLD), MPI_ERR_COUNT);
        CHECK_CLASS(MPI_Reduce(in, out, other ? 1 : 0, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD), MPI_ERR_COUNT);
        CHECK_CLASS(MPI_Allreduce(in, out, other ? 0 : N, MPI_INT, MPI_SUM, MPI_COMM_WORLD), MPI_ERR_COUNT);
        CHECK_CLASS(MPI_Scan(in, out, other ? 0 : 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD), MPI_ERR_COUNT);
        CHECK_CLASS(MPI_Gather(in, other ? 0 : 1, MPI_INT, out, other ? 0 : 1, MPI_INT, 0, MPI_COMM_WORLD),
                    MPI_ERR_COUNT);
        CHECK_CLASS(MPI_Alltoall(in, other ? 0 : 1, MPI_INT, out, other ? 0 : 1, MPI_INT, MPI_COMM_WORLD),
                    MPI_ERR_COUNT);
        CHECK_FRESH(out, 0, N * sizeof *out);
        same(odd + 1);
        check_free(out);
    }
    free(in);
    return check_finish();
}
