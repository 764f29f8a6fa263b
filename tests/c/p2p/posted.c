/* Many receives are open at once; the messages come in another order, and every one finds its own. */
#include "check.h"

enum { RECEIVES = 4000 };

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    int from = (me + np - 1) % np, to = (me + 1) % np;
    MPI_Request *request = malloc(RECEIVES * sizeof *request);
    MPI_Status *st = malloc(RECEIVES * sizeof *st);
    long *in = malloc(RECEIVES * sizeof *in);

    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < RECEIVES; i++) {
            in[i] = -1;
            CHECK_MPI(MPI_Irecv(&in[i], 1, MPI_LONG, i % 5 == 0 ? MPI_ANY_SOURCE : from, i, MPI_COMM_WORLD,
                                &request[i]));
        }
        CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
        for (int i = 0; i < RECEIVES; i++) {
            /* 4000 and 1237 have no common divisor: every tag comes up once. */
            int tag = round == 0 ? RECEIVES - 1 - i : (int)((i * 1237L + round) % RECEIVES);
            long value = me * 1000000L + tag;
            CHECK_MPI(MPI_Send(&value, 1, MPI_LONG, to, tag, MPI_COMM_WORLD));
        }
        CHECK_MPI(MPI_Waitall(RECEIVES, request, st));
        for (int i = 0; i < RECEIVES; i++) {
            CHECK_EQ(in[i], from * 1000000L + i);
            CHECK_STATUS(st[i], from, i);
            CHECK_COUNT(st[i], MPI_LONG, 1);
            CHECK(request[i] == MPI_REQUEST_NULL);
        }
    }
    free(request);
    free(st);
    free(in);
    return check_finish();
}
