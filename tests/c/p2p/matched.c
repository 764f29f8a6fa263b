/*
 * Matched probes: a message that Mprobe or Improbe has found is received by its handle alone, in any order
 * and by any of the calls; Iprobe, probes and receives with wildcards get the next one. MPI_MESSAGE_NO_PROC
 * receives nothing.
 */
#include "check.h"

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    int sizes[] = {0, 4, 3000, 150000}, to = (me + 1) % np, from = (me + np - 1) % np;
    for (int z = 0; z < 4; z++) {
        int n = sizes[z];
        char *out[4], *in = check_alloc(n);
        MPI_Request r[4], q;
        MPI_Message m[4];
        MPI_Status s;
        for (int i = 0; i < 4; i++) {
            out[i] = check_alloc(n);
            check_fill(out[i], n, 10 * i + me);
            CHECK_MPI(MPI_Isend(out[i], n, MPI_BYTE, to, z, MPI_COMM_WORLD, &r[i]));
        }
        for (int i = 0; i < 4; i++) {
            if (i % 2 == 0) {
                CHECK_MPI(MPI_Mprobe(i == 0 ? MPI_ANY_SOURCE : from, z, MPI_COMM_WORLD, &m[i], &s));
            } else {
                for (int flag = 0; !flag;)
                    CHECK_MPI(MPI_Improbe(from, i == 1 ? MPI_ANY_TAG : z, MPI_COMM_WORLD, &flag, &m[i], &s));
            }
            CHECK_STATUS(s, from, z);
            CHECK_COUNT(s, MPI_BYTE, n);
            CHECK(m[i] != MPI_MESSAGE_NULL && m[i] != MPI_MESSAGE_NO_PROC);
        }
        int flag = -1;
        CHECK_MPI(MPI_Iprobe(from, z, MPI_COMM_WORLD, &flag, &s));
        CHECK_EQ(flag, 0);
        for (int i = 3; i >= 0; i--) {
            if (i % 2 == 0) {
                CHECK_MPI(MPI_Mrecv(in, n, MPI_BYTE, &m[i], &s));
            } else {
                CHECK_MPI(MPI_Imrecv(in, n, MPI_BYTE, &m[i], &q));
                CHECK_MPI(MPI_Wait(&q, &s));
            }
            CHECK(m[i] == MPI_MESSAGE_NULL);
            CHECK_STATUS(s, from, z);
            CHECK_COUNT(s, MPI_BYTE, n);
            CHECK_DATA(in, n, 10 * i + from);
        }
        CHECK_MPI(MPI_Waitall(4, r, MPI_STATUSES_IGNORE));
        for (int i = 0; i < 4; i++)
            check_free(out[i]);
        check_free(in);
        CHECK_MPI(
            MPI_Barrier(MPI_COMM_WORLD)); /* the next size has another tag, but a wildcard looks for any */
    }
    MPI_Message m;
    MPI_Status s;
    int flag = 0, x = 5;
    CHECK_MPI(MPI_Mprobe(MPI_PROC_NULL, 1, MPI_COMM_WORLD, &m, &s));
    CHECK(m == MPI_MESSAGE_NO_PROC);
    CHECK_MPI(MPI_Mrecv(&x, 1, MPI_INT, &m, &s));
    CHECK_STATUS(s, MPI_PROC_NULL, MPI_ANY_TAG);
    CHECK_COUNT(s, MPI_INT, 0);
    CHECK(m == MPI_MESSAGE_NULL);
    CHECK_MPI(MPI_Improbe(MPI_PROC_NULL, 1, MPI_COMM_WORLD, &flag, &m, &s));
    CHECK(flag && m == MPI_MESSAGE_NO_PROC);
    MPI_Request q;
    CHECK_MPI(MPI_Imrecv(&x, 1, MPI_INT, &m, &q));
    CHECK_MPI(MPI_Wait(&q, &s));
    CHECK_EQ(x, 5);
    CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    m = MPI_MESSAGE_NULL;
    CHECK_CLASS(MPI_Mrecv(&x, 1, MPI_INT, &m, &s), MPI_ERR_REQUEST);
    return check_finish();
}
