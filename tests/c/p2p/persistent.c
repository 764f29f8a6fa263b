/*
 * Persistent requests: one send of each mode and one receive, started and completed again and again in a
 * ring, by Start and by Startall, completed by every call of the Wait and Test family. Inactive requests are
 * passed over like null ones, keep their handles, and can be freed; with MPI_PROC_NULL they work as well.
 */
#include "check.h"

enum { ROUNDS = 6, MODES = 4 };

static int complete(int how, int n, MPI_Request *r, MPI_Status *s)
{
    int flag = 0, done = 0, k = 0;
    int index[8];
    switch (how) {
    case 0: return MPI_Waitall(n, r, s);
    case 1:
        while (!flag)
            CHECK_MPI(MPI_Testall(n, r, &flag, s));
        return MPI_SUCCESS;
    case 2:
        for (int i = 0; i < n; i++)
            CHECK_MPI(MPI_Wait(&r[i], &s[i]));
        return MPI_SUCCESS;
    case 3:
        for (int i = 0; i < n; i++)
            for (flag = 0; !flag;)
                CHECK_MPI(MPI_Test(&r[i], &flag, &s[i]));
        return MPI_SUCCESS;
    case 4:
        for (int i = 0; i < n; i++) {
            MPI_Status one;
            CHECK_MPI(MPI_Waitany(n, r, &k, &one));
            CHECK(k >= 0 && k < n);
            s[k] = one;
        }
        CHECK_MPI(MPI_Waitany(n, r, &k, MPI_STATUS_IGNORE));
        CHECK_EQ(k, MPI_UNDEFINED);
        return MPI_SUCCESS;
    default:
        while (done < n) {
            MPI_Status some[8];
            CHECK_MPI(MPI_Waitsome(n, r, &k, index, some));
            CHECK(k > 0);
            if (k <= 0)
                break;
            for (int i = 0; i < k; i++)
                s[index[i]] = some[i];
            done += k;
        }
        CHECK_MPI(MPI_Testsome(n, r, &k, index, MPI_STATUSES_IGNORE));
        CHECK_EQ(k, MPI_UNDEFINED);
        return MPI_SUCCESS;
    }
}

static void inactive(MPI_Request *r)
{
    MPI_Status s;
    int flag = 0, k = 0;
    CHECK_MPI(MPI_Wait(r, &s));
    CHECK_STATUS(s, MPI_ANY_SOURCE, MPI_ANY_TAG);
    CHECK_MPI(MPI_Test(r, &flag, &s));
    CHECK(flag);
    flag = 0;
    CHECK_MPI(MPI_Request_get_status(*r, &flag, &s));
    CHECK(flag);
    CHECK_COUNT(s, MPI_BYTE, 0);
    flag = 0;
    CHECK_MPI(MPI_Testany(1, r, &k, &flag, &s));
    CHECK(flag);
    CHECK_EQ(k, MPI_UNDEFINED);
    CHECK(*r != MPI_REQUEST_NULL);
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    int sizes[] = {0, 8, 3000, 100000};
    int to = (me + 1) % np, from = (me + np - 1) % np;
    void *room = malloc(4 * (100000 + MPI_BSEND_OVERHEAD));
    CHECK_MPI(MPI_Buffer_attach(room, 4 * (100000 + MPI_BSEND_OVERHEAD)));
    for (int z = 0; z < 4; z++) {
        int n = sizes[z];
        char *out[MODES], *in[MODES];
        MPI_Request r[2 * MODES];
        MPI_Status s[2 * MODES];
        for (int m = 0; m < MODES; m++) {
            out[m] = check_alloc(n);
            in[m] = check_alloc(n);
            CHECK_MPI(MPI_Recv_init(in[m], n, MPI_BYTE, from, m, MPI_COMM_WORLD, &r[m]));
        }
        CHECK_MPI(MPI_Send_init(out[0], n, MPI_BYTE, to, 0, MPI_COMM_WORLD, &r[4]));
        CHECK_MPI(MPI_Ssend_init(out[1], n, MPI_BYTE, to, 1, MPI_COMM_WORLD, &r[5]));
        CHECK_MPI(MPI_Bsend_init(out[2], n, MPI_BYTE, to, 2, MPI_COMM_WORLD, &r[6]));
        CHECK_MPI(MPI_Rsend_init(out[3], n, MPI_BYTE, to, 3, MPI_COMM_WORLD, &r[7]));
        for (int i = 0; i < 2 * MODES; i++)
            inactive(&r[i]);
        for (int round = 0; round < ROUNDS; round++) {
            for (int m = 0; m < MODES; m++)
                check_fill(out[m], n, 1000 * round + 10 * m + me);
            CHECK_MPI(MPI_Startall(MODES, r));
            CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD)); /* for the ready mode */
            for (int m = 0; m < MODES; m++)
                CHECK_MPI(MPI_Start(&r[MODES + m]));
            CHECK_MPI(complete(round, 2 * MODES, r, s));
            for (int m = 0; m < MODES; m++) {
                CHECK_DATA(in[m], n, 1000 * round + 10 * m + from);
                CHECK_STATUS(s[m], from, m);
                CHECK_COUNT(s[m], MPI_BYTE, n);
            }
            for (int i = 0; i < 2 * MODES; i++)
                inactive(&r[i]);
        }
        for (int i = 0; i < 2 * MODES; i++) {
            CHECK_MPI(MPI_Request_free(&r[i]));
            CHECK(r[i] == MPI_REQUEST_NULL);
        }
        for (int m = 0; m < MODES; m++) {
            check_free(out[m]);
            check_free(in[m]);
        }
    }
    int size;
    void *back;
    CHECK_MPI(MPI_Buffer_detach(&back, &size));
    CHECK(back == room);
    CHECK_EQ(size, 4 * (100000 + MPI_BSEND_OVERHEAD));
    free(room);

    MPI_Request r[2];
    MPI_Status s[2];
    int x = 7;
    CHECK_MPI(MPI_Send_init(&x, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &r[0]));
    CHECK_MPI(MPI_Recv_init(&x, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &r[1]));
    for (int round = 0; round < 3; round++) {
        CHECK_MPI(MPI_Startall(2, r));
        CHECK_MPI(MPI_Waitall(2, r, s));
        CHECK_STATUS(s[1], MPI_PROC_NULL, MPI_ANY_TAG);
    }
    CHECK_MPI(MPI_Request_free(&r[0]));
    CHECK_MPI(MPI_Request_free(&r[1]));
    return check_finish();
}
