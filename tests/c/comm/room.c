/* Many communicators at a time, each with collectives that block and that do not, in an address space that is
 * so short on some ranks that shared memory cannot be had for all of them: then all ranks of such a
 * communicator have to do without. Communicators that are freed make room for new ones. Argument 1:
 * communicators; argument 2: MiB that are left to the even ranks once they have begun, 0 for no limit. */
#include "check.h"

#include <sys/resource.h>
#include <unistd.h>

static long address_space(void)
{
    long pages = 0;
    FILE *f = fopen("/proc/self/statm", "r");

    if (f == NULL || fscanf(f, "%ld", &pages) != 1)
        pages = -1;
    if (f != NULL)
        fclose(f);
    return pages * sysconf(_SC_PAGESIZE);
}

static void use(MPI_Comm comm, int turn)
{
    int rank, size, sum = 0, all = 0, data[1000];
    MPI_Request request;

    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    CHECK_MPI(MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm));
    CHECK_EQ(sum, size * (size - 1) / 2);
    for (int i = 0; i < 1000; i++)
        data[i] = rank == turn % size ? turn + i : -1;
    CHECK_MPI(MPI_Bcast(data, 1000, MPI_INT, turn % size, comm));
    for (int i = 0; i < 1000; i++)
        CHECK_EQ(data[i], turn + i);
    sum = rank + turn;
    CHECK_MPI(MPI_Iallreduce(&sum, &all, 1, MPI_INT, MPI_MAX, comm, &request));
    CHECK_MPI(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK_EQ(all, size - 1 + turn);
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    int count = argc > 1 ? atoi(argv[1]) : 200, left = argc > 2 ? atoi(argv[2]) : 0;
    MPI_Comm *comms = malloc((size_t)count * sizeof *comms), half;

    if (left > 0 && me % 2 == 0) {
        struct rlimit limit;
        long now = address_space();

        CHECK_MSG(now > 0, "the size of the address space is not known");
        getrlimit(RLIMIT_AS, &limit);
        limit.rlim_cur = (rlim_t)now + ((rlim_t)left << 20);
        CHECK_EQ(setrlimit(RLIMIT_AS, &limit), 0);
    }
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < count; i++) {
            MPI_Request request;

            switch (i % 3) {
            case 0:
                CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]));
                break;
            case 1:
                CHECK_MPI(MPI_Comm_idup(MPI_COMM_WORLD, &comms[i], &request));
                CHECK_MPI(MPI_Wait(&request, MPI_STATUS_IGNORE));
                break;
            default:
                CHECK_MPI(MPI_Comm_split(MPI_COMM_WORLD, me % 2, -me, &comms[i]));
            }
            use(comms[i], i);
        }
        for (int i = 0; i < count; i++)
            use(comms[i], round + i);
        /* Freed in another order than they were made, and not all before new ones are made. */
        for (int i = 0; i < count; i += 2)
            CHECK_MPI(MPI_Comm_free(&comms[i]));
        CHECK_MPI(MPI_Comm_split(MPI_COMM_WORLD, me / 2, me, &half));
        use(half, round);
        CHECK_MPI(MPI_Comm_free(&half));
        for (int i = 1; i < count; i += 2) {
            use(comms[i], i);
            CHECK_MPI(MPI_Comm_free(&comms[i]));
        }
    }
    free(comms);
    return check_finish();
}
