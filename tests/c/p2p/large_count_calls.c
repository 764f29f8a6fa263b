/* The _c twins of the calls work like their namesakes at everyday sizes too. */
#include "check.h"

#if MPI_VERSION >= 4
int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    int to = (me + 1) % np, from = (me + np - 1) % np;
    unsigned char *out = check_alloc(70000), *in = check_alloc(70000);
    MPI_Request r[2];
    MPI_Status st[2];
    MPI_Count n = -1;
    static const MPI_Count sizes[] = {0, 1, 100, 5000, 70000};

    for (int i = 0; i < 5; i++) {
        check_fill(out, sizes[i], me + i);
        check_renew(in, 70000);
        CHECK_MPI(MPI_Isend_c(out, sizes[i], MPI_BYTE, to, i, MPI_COMM_WORLD, &r[0]));
        CHECK_MPI(MPI_Irecv_c(in, 70000, MPI_BYTE, from, i, MPI_COMM_WORLD, &r[1]));
        CHECK_MPI(MPI_Waitall(2, r, st));
        CHECK_MPI(MPI_Get_count_c(&st[1], MPI_BYTE, &n));
        CHECK_EQ(n, sizes[i]);
        CHECK_DATA(in, sizes[i], from + i);
        CHECK_FRESH(in, sizes[i], 70000 - sizes[i]);

        check_renew(in, 70000);
        CHECK_MPI(MPI_Sendrecv_c(out, sizes[i], MPI_BYTE, to, i, in, 70000, MPI_BYTE, from, i, MPI_COMM_WORLD,
                                 &st[0]));
        CHECK_MPI(MPI_Get_count_c(&st[0], MPI_BYTE, &n));
        CHECK_EQ(n, sizes[i]);
        CHECK_DATA(in, sizes[i], from + i);

        /* A large-count send is received by an ordinary receive and the other way round. */
        check_renew(in, 70000);
        CHECK_MPI(MPI_Isend_c(out, sizes[i], MPI_BYTE, to, i, MPI_COMM_WORLD, &r[0]));
        CHECK_MPI(MPI_Recv(in, 70000, MPI_BYTE, from, i, MPI_COMM_WORLD, &st[0]));
        CHECK_COUNT(st[0], MPI_BYTE, (int)sizes[i]);
        CHECK_DATA(in, sizes[i], from + i);
        CHECK_MPI(MPI_Wait(&r[0], MPI_STATUS_IGNORE));
    }
    check_free(out);
    check_free(in);
    return check_finish();
}
#else
int main(void)
{
    check_skip("this MPI has no large-count functions");
}
#endif
