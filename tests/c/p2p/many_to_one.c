/*
 * Everybody sends to rank 0, which is slow to take: nothing is lost, nobody runs out of room, order per
 * sender holds. Small messages are many, so that whatever queue lies between must fill up and push back.
 */
#include "check.h"
#include <unistd.h>

enum { SMALL = 5000, LARGE = 12, LARGE_SIZE = 700001 };

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    if (np < 2)
        check_skip("two ranks are needed");
    for (int round = 0; round < 2; round++) {
        if (me != 0) {
            unsigned char *large = check_alloc(LARGE_SIZE);
            for (int i = 0; i < SMALL; i++) {
                long v[6] = {me, i, me * 7 + i, 0, 0, round};
                CHECK_MPI(MPI_Send(v, 3 + i % 4, MPI_LONG, 0, 1, MPI_COMM_WORLD));
            }
            for (int i = 0; i < LARGE; i++) {
                check_fill(large, LARGE_SIZE, me * 100 + i);
                CHECK_MPI(MPI_Send(large, LARGE_SIZE, MPI_BYTE, 0, 2, MPI_COMM_WORLD));
            }
            check_free(large);
        } else {
            int *next = calloc(np, sizeof *next), *next_large = calloc(np, sizeof *next_large);
            unsigned char *large = check_alloc(LARGE_SIZE);
            usleep(100 * 1000);
            /* In the first round the large ones may come between the small ones of others; in the second they
             * go by tag. */
            for (int k = 0; k < (SMALL + LARGE) * (np - 1); k++) {
                MPI_Status st;
                int tag = round == 0 ? MPI_ANY_TAG : k < SMALL * (np - 1) ? 1 : 2;
                CHECK_MPI(MPI_Recv(large, LARGE_SIZE, MPI_BYTE, MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &st));
                int from = st.MPI_SOURCE;
                if (st.MPI_TAG == 1) {
                    long v[6];
                    int i = next[from]++;
                    memcpy(v, large, sizeof v);
                    CHECK_COUNT(st, MPI_LONG, 3 + i % 4);
                    CHECK_MSG(v[0] == from && v[1] == i && v[2] == from * 7 + i,
                              "message %d of rank %d holds %ld %ld %ld", i, from, v[0], v[1], v[2]);
                } else {
                    int i = next_large[from]++;
                    CHECK_EQ(next[from], SMALL);
                    CHECK_COUNT(st, MPI_BYTE, LARGE_SIZE);
                    CHECK_DATA(large, LARGE_SIZE, from * 100 + i);
                }
                if (k % 1000 == 0)
                    usleep(1000);
            }
            for (int from = 1; from < np; from++) {
                CHECK_EQ(next[from], SMALL);
                CHECK_EQ(next_large[from], LARGE);
            }
            check_free(large);
            free(next);
            free(next_large);
        }
        CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
    }
    return check_finish();
}
