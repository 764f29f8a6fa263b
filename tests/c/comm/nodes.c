/*
 * A job that is told to pretend several nodes (mpiexec --pretend-nodes; the arguments are the sizes of the
 * nodes that this rank count makes): MPI_COMM_TYPE_SHARED splits by them, messages of every length go between
 * them, windows of shared memory are refused across them, with the right class and on all ranks, and work
 * within them.
 */
#include "check.h"

static void messages(void)
{
    static const int lengths[] = {0, 1, 100, 4096, 20000, 70000, 1000001};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        int n = lengths[i];
        unsigned char *out = check_alloc((size_t)n + 1), *in = check_alloc((size_t)n + 1);
        for (int k = 1; k < np; k++) {
            int to = (me + k) % np, from = (me - k + np) % np;
            MPI_Status st;
            check_fill(out, (size_t)n, (uint64_t)(me * 100 + k));
            CHECK_MPI(
                MPI_Sendrecv(out, n, MPI_BYTE, to, k, in, n + 1, MPI_BYTE, from, k, MPI_COMM_WORLD, &st));
            CHECK_STATUS(st, from, k);
            CHECK_COUNT(st, MPI_BYTE, n);
            CHECK_DATA(in, (size_t)n, (uint64_t)(from * 100 + k));
        }
        check_free(out);
        check_free(in);
    }
}

int main(int argc, char **argv)
{
    MPI_Comm node;
    MPI_Win w;
    int size, rank, *memory, least, largest, leaders, first;

    check_init(&argc, &argv);
    CHECK_MPI(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node));
    CHECK_MPI(MPI_Comm_size(node, &size));
    CHECK_MPI(MPI_Comm_rank(node, &rank));
    first = rank == 0;
    CHECK_MPI(MPI_Allreduce(&size, &least, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD));
    CHECK_MPI(MPI_Allreduce(&size, &largest, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD));
    CHECK_MPI(MPI_Allreduce(&first, &leaders, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    CHECK_EQ(leaders, argc - 1);
    for (int i = 1; i < argc; i++)
        CHECK(atoi(argv[i]) >= least && atoi(argv[i]) <= largest);
    messages();

    CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    if (leaders > 1)
        CHECK_CLASS(MPI_Win_allocate_shared(64, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &w),
                    MPI_ERR_RMA_SHARED);
    CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
    CHECK_MPI(MPI_Win_allocate_shared(sizeof(int), sizeof(int), MPI_INFO_NULL, node, &memory, &w));
    CHECK_MPI(MPI_Win_fence(0, w));
    CHECK_MPI(MPI_Put(&me, 1, MPI_INT, (rank + 1) % size, 0, 1, MPI_INT, w));
    CHECK_MPI(MPI_Win_fence(0, w));
    int left[64];
    CHECK_MPI(MPI_Allgather(&me, 1, MPI_INT, left, 1, MPI_INT, node));
    CHECK_EQ(*memory, left[(rank - 1 + size) % size]);
    CHECK_MPI(MPI_Win_free(&w));
    CHECK_MPI(MPI_Comm_free(&node));
    return check_finish();
}
