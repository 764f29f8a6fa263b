/* Several threads of each rank send round a ring at once, each on its own tag, small and large, blocking and
 * not. */
#include "threads.h"

enum { THREADS = 4, ROUNDS = 60, LARGEST = 150000 };

static void run(int thread)
{
    int to = (me + 1) % np, from = (me + np - 1) % np, tag = 10 + thread;
    unsigned char *out = check_alloc(LARGEST), *in = check_alloc(LARGEST);

    for (int i = 0; i < ROUNDS; i++) {
        uint64_t kind = check_mix(thread * 1000 + i) % 8;
        int n = kind < 5 ? (int)(kind * 61) : kind < 7 ? 5000 + i : LARGEST - i;
        uint64_t mine = (uint64_t)(me * 100 + thread) * 1000 + i,
                 theirs = (uint64_t)(from * 100 + thread) * 1000 + i;
        MPI_Status st;
        MPI_Request r[2];
        check_fill(out, n, mine);
        check_renew(in, n + 1 < LARGEST ? n + 1 : n);
        switch (i % 3) {
        case 0:
            CHECK_MPI(MPI_Sendrecv(out, n, MPI_BYTE, to, tag, in, LARGEST, MPI_BYTE, from, tag,
                                   MPI_COMM_WORLD, &st));
            break;
        case 1:
            CHECK_MPI(MPI_Irecv(in, LARGEST, MPI_BYTE, from, tag, MPI_COMM_WORLD, &r[0]));
            CHECK_MPI(MPI_Isend(out, n, MPI_BYTE, to, tag, MPI_COMM_WORLD, &r[1]));
            CHECK_MPI(MPI_Wait(&r[1], MPI_STATUS_IGNORE));
            CHECK_MPI(MPI_Wait(&r[0], &st));
            break;
        default:
            CHECK_MPI(MPI_Isend(out, n, MPI_BYTE, to, tag, MPI_COMM_WORLD, &r[1]));
            CHECK_MPI(MPI_Recv(in, LARGEST, MPI_BYTE, MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &st));
            for (int flag = 0; !flag;)
                CHECK_MPI(MPI_Test(&r[1], &flag, MPI_STATUS_IGNORE));
        }
        CHECK_STATUS(st, from, tag);
        CHECK_COUNT(st, MPI_BYTE, n);
        CHECK_DATA(in, n, theirs);
        if (n < LARGEST)
            CHECK_FRESH(in, n, 1);
    }
    check_free(out);
    check_free(in);
}

int main(int argc, char **argv)
{
    threads_init(&argc, &argv);
    threads_run(THREADS, run);
    CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
    return check_finish();
}
