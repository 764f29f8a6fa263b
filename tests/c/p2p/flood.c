/*
 * A rank that is flooded with unexpected messages (arguments: how many, of how many bytes) does not run out
 * of memory, loses none and keeps their order. The peak of its memory has to stay below the last argument, in
 * MiB.
 */
#include "check.h"
#include <sys/resource.h>

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    int count = argc > 1 ? atoi(argv[1]) : 100000, size = argc > 2 ? atoi(argv[2]) : 8;
    long limit = argc > 3 ? atol(argv[3]) : 200;
    char *b = check_alloc(size < 4 ? 4 : size);
    if (me == 0) {
        /* Look for what never comes until the others have had the time to send much. */
        int flag;
        for (double end = MPI_Wtime() + 0.5; MPI_Wtime() < end;) {
            CHECK_MPI(MPI_Iprobe(MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE));
            CHECK(!flag);
        }
        int *next = calloc((size_t)np, sizeof *next);
        for (long i = 0; i < (long)count * (np - 1); i++) {
            MPI_Status s;
            CHECK_MPI(MPI_Recv(b, size, MPI_BYTE, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &s));
            int number;
            memcpy(&number, b, 4);
            CHECK_EQ(number, next[s.MPI_SOURCE]);
            next[s.MPI_SOURCE]++;
        }
        free(next);
        struct rusage u;
        getrusage(RUSAGE_SELF, &u);
        CHECK_MSG(u.ru_maxrss / 1024 < limit, "the peak was %ld MiB", u.ru_maxrss / 1024);
    } else {
        for (int i = 0; i < count; i++) {
            memcpy(b, &i, 4);
            CHECK_MPI(MPI_Send(b, size, MPI_BYTE, 0, 1, MPI_COMM_WORLD));
        }
    }
    check_free(b);
    return check_finish();
}
