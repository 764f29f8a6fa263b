/* Thousands of messages wait at the receiver and are then taken in another order: backwards, shuffled, by
 * source. */
#include "check.h"

enum { MESSAGES = 3000 };

static int length_of(int i) { return i % 97 == 0 ? 6000 : (i * 13) % 120; }

static void shuffle(int *order, int n, uint64_t seed)
{
    for (int i = 0; i < n; i++)
        order[i] = i;
    for (int i = n - 1; i > 0; i--) {
        int j = (int)check_below(&seed, i + 1), t = order[i];
        order[i] = order[j];
        order[j] = t;
    }
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    int sources = np > 1 ? np - 1 : 1; /* alone, rank 0 sends to itself */
    int each = MESSAGES / sources;
    int *order = malloc(each * sources * sizeof *order);
    MPI_Request *request = malloc(each * sizeof *request);
    unsigned char **b = malloc(each * sizeof *b);

    for (int round = 0; round < 3; round++) {
        int sends = np == 1 || me != 0;
        if (sends)
            for (int i = 0; i < each; i++) {
                b[i] = check_alloc(length_of(i));
                check_fill(b[i], length_of(i), me * 100000 + i);
                CHECK_MPI(MPI_Isend(b[i], length_of(i), MPI_BYTE, 0, i, MPI_COMM_WORLD, &request[i]));
            }
        if (me == 0) {
            shuffle(order, each * sources, 42 + round);
            for (int k = 0; k < each * sources; k++) {
                int pick = round == 0 ? each * sources - 1 - k : order[k];
                int source = pick / each + (np > 1), tag = pick % each;
                unsigned char *in = check_alloc(7000);
                MPI_Status st;
                CHECK_MPI(MPI_Recv(in, 7000, MPI_BYTE, round == 2 && tag % 2 ? MPI_ANY_SOURCE : source, tag,
                                   MPI_COMM_WORLD, &st));
                if (round < 2)
                    CHECK_EQ(st.MPI_SOURCE, source);
                CHECK_EQ(st.MPI_TAG, tag);
                CHECK_COUNT(st, MPI_BYTE, length_of(tag));
                CHECK_DATA(in, length_of(tag), st.MPI_SOURCE * 100000 + tag);
                check_free(in);
            }
        }
        if (sends) {
            CHECK_MPI(MPI_Waitall(each, request, MPI_STATUSES_IGNORE));
            for (int i = 0; i < each; i++)
                check_free(b[i]);
        }
        CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
    }
    free(order);
    free(request);
    free(b);
    return check_finish();
}
