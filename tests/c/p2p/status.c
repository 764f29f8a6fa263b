/* What a status says: source, tag, count in any datatype (MPI_UNDEFINED where it does not come out even). */
#include "check.h"

static void count_is(const MPI_Status *st, MPI_Datatype type, int want, int line)
{
    int n = -99;
    MPI_Get_count(st, type, &n);
    CHECK_MSG(n == want, "line %d: count is %d, want %d", line, n, want);
#if MPI_VERSION >= 4
    MPI_Count c = -99;
    MPI_Get_count_c(st, type, &c);
    CHECK_MSG(c == want, "line %d: large count is %lld, want %d", line, (long long)c, want);
#endif
}

#define COUNT_IS(st, type, want) count_is((st), (type), (want), __LINE__)

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    int to = (me + 1) % np, from = (me + np - 1) % np;
    char in[64], out[64] = "status";
    MPI_Status st;
    MPI_Request r;

    for (int n = 0; n <= 40; n++) {
        memset(&st, 0x5c, sizeof st);
        int error_before = st.MPI_ERROR;
        CHECK_MPI(MPI_Sendrecv(out, n, MPI_BYTE, to, n, in, 64, MPI_BYTE, from, n, MPI_COMM_WORLD, &st));
        CHECK_STATUS(st, from, n);
        /* Calls that return one status leave its error field alone (MPI 5.0, 3.2.5). */
        CHECK_EQ(st.MPI_ERROR, error_before);
        COUNT_IS(&st, MPI_BYTE, n);
        COUNT_IS(&st, MPI_CHAR, n);
        COUNT_IS(&st, MPI_SHORT, n % 2 ? MPI_UNDEFINED : n / 2);
        COUNT_IS(&st, MPI_INT, n % 4 ? MPI_UNDEFINED : n / 4);
        COUNT_IS(&st, MPI_DOUBLE, n % 8 ? MPI_UNDEFINED : n / 8);
        COUNT_IS(&st, MPI_DOUBLE_INT, n % 12 ? MPI_UNDEFINED : n / 12);
        COUNT_IS(&st, MPI_SHORT_INT, n % 6 ? MPI_UNDEFINED : n / 6);
        COUNT_IS(&st, MPI_LONG_DOUBLE, n % 16 ? MPI_UNDEFINED : n / 16);
    }

    /* The error field of Wait and Test likewise; of Waitall without an error: not specified, so not looked
     * at. */
    int v = me, got = -1, flag = 0;
    memset(&st, 0x5c, sizeof st);
    int error_before = st.MPI_ERROR;
    CHECK_MPI(MPI_Irecv(&got, 1, MPI_INT, from, 70, MPI_COMM_WORLD, &r));
    CHECK_MPI(MPI_Send(&v, 1, MPI_INT, to, 70, MPI_COMM_WORLD));
    CHECK_MPI(MPI_Wait(&r, &st));
    CHECK_EQ(st.MPI_ERROR, error_before);
    CHECK_EQ(got, from);
    CHECK_STATUS(st, from, 70);

    CHECK_MPI(MPI_Irecv(&got, 1, MPI_INT, from, 71, MPI_COMM_WORLD, &r));
    CHECK_MPI(MPI_Send(&v, 1, MPI_INT, to, 71, MPI_COMM_WORLD));
    memset(&st, 0x5c, sizeof st);
    while (!flag)
        CHECK_MPI(MPI_Test(&r, &flag, &st));
    CHECK_STATUS(st, from, 71);
    CHECK_COUNT(st, MPI_INT, 1);

    /* The status of a send has no source and no tag to tell, but MPI_Wait must take it. */
    CHECK_MPI(MPI_Irecv(&got, 1, MPI_INT, from, 72, MPI_COMM_WORLD, &r));
    MPI_Request s;
    CHECK_MPI(MPI_Isend(&v, 1, MPI_INT, to, 72, MPI_COMM_WORLD, &s));
    CHECK_MPI(MPI_Wait(&s, &st));
    CHECK_MPI(MPI_Wait(&r, MPI_STATUS_IGNORE));
    return check_finish();
}
