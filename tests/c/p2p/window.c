/* Windows of nonblocking sends and receives between all pairs, completed by Waitall, by Wait in any order, by
 * Test. */
#include "check.h"

enum { WINDOW = 64 };

static int length_of(int from, int to, int i)
{
    int n = (from * 131 + to * 17 + i * 257) % 3000;
    return i % 16 == 15 ? 100000 + n : n;
}

static void run(int completion)
{
    int total = np * WINDOW;
    unsigned char **out = malloc(total * sizeof *out), **in = malloc(total * sizeof *in);
    MPI_Request *request = malloc(2 * total * sizeof *request);
    MPI_Status *st = malloc(2 * total * sizeof *st);

    /* Entries [0, total) receive, [total, 2 total) send. */
    for (int peer = 0; peer < np; peer++)
        for (int i = 0; i < WINDOW; i++) {
            int k = peer * WINDOW + i, n = length_of(peer, me, i);
            in[k] = check_alloc(n + 4);
            CHECK_MPI(MPI_Irecv(in[k], n + 4, MPI_BYTE, peer, i, MPI_COMM_WORLD, &request[k]));
        }
    for (int i = 0; i < WINDOW; i++)
        for (int peer = 0; peer < np; peer++) {
            int k = peer * WINDOW + i, n = length_of(me, peer, i);
            out[k] = check_alloc(n);
            check_fill(out[k], n, (me * 64 + peer) * 64 + i);
            CHECK_MPI(MPI_Isend(out[k], n, MPI_BYTE, peer, i, MPI_COMM_WORLD, &request[total + k]));
        }

    if (completion == 0) {
        CHECK_MPI(MPI_Waitall(2 * total, request, st));
    } else if (completion == 1) {
        for (int k = total - 1; k >= 0; k--)
            CHECK_MPI(MPI_Wait(&request[k], &st[k]));
        CHECK_MPI(MPI_Waitall(total, request + total, MPI_STATUSES_IGNORE));
    } else {
        int open = 2 * total;
        while (open > 0)
            for (int k = 0; k < 2 * total; k++) {
                int flag = 0;
                if (request[k] == MPI_REQUEST_NULL)
                    continue;
                CHECK_MPI(MPI_Test(&request[k], &flag, &st[k]));
                CHECK_EQ(!flag, request[k] != MPI_REQUEST_NULL);
                if (flag)
                    open--;
            }
    }

    for (int peer = 0; peer < np; peer++)
        for (int i = 0; i < WINDOW; i++) {
            int k = peer * WINDOW + i, n = length_of(peer, me, i);
            CHECK(request[k] == MPI_REQUEST_NULL && request[total + k] == MPI_REQUEST_NULL);
            CHECK_STATUS(st[k], peer, i);
            CHECK_COUNT(st[k], MPI_BYTE, n);
            CHECK_DATA(in[k], n, (peer * 64 + me) * 64 + i);
            CHECK_FRESH(in[k], n, 4);
            CHECK_DATA(out[k], length_of(me, peer, i), (me * 64 + peer) * 64 + i);
            check_free(in[k]);
            check_free(out[k]);
        }
    free(in);
    free(out);
    free(request);
    free(st);
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    for (int round = 0; round < 9; round++)
        run(round % 3);
    return check_finish();
}
