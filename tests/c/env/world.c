/* Who is there: every rank of MPI_COMM_WORLD exists once, MPI_COMM_SELF holds the caller alone, the processor
 * has a name. */
#include "check.h"

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    if (argc > 1)
        CHECK_EQ(np, atoi(argv[1]));

    int rank = -1, size = -1;
    CHECK_MPI(MPI_Comm_rank(MPI_COMM_SELF, &rank));
    CHECK_MPI(MPI_Comm_size(MPI_COMM_SELF, &size));
    CHECK_EQ(rank, 0);
    CHECK_EQ(size, 1);

    int *seen = malloc(np * sizeof *seen);
    CHECK_MPI(MPI_Allgather(&me, 1, MPI_INT, seen, 1, MPI_INT, MPI_COMM_WORLD));
    for (int i = 0; i < np; i++)
        CHECK_EQ(seen[i], i);
    free(seen);

    char name[MPI_MAX_PROCESSOR_NAME];
    int n = -1;
    memset(name, '#', sizeof name);
    CHECK_MPI(MPI_Get_processor_name(name, &n));
    CHECK(n > 0 && n < MPI_MAX_PROCESSOR_NAME);
    if (n > 0 && n < MPI_MAX_PROCESSOR_NAME) {
        CHECK_EQ(name[n], '\0');
        CHECK_EQ(strlen(name), n);
    }
    return check_finish();
}
