/*
 * Calls that complete several requests, one of which fails: they say MPI_ERR_IN_STATUS, tell all the same
 * which requests have ended, and every status says how. Calls that complete one request say which it was.
 */
#include "check.h"

enum { N = 3 };

static int in[N][4];
static MPI_Request r[N];
static MPI_Status s[N];

/* The message with tag 1 is longer than its buffer. Afterwards everything has come. */
static void begin(void)
{
    int to = (me + 1) % np, from = (me + np - 1) % np, out[5] = {me, me, me, me, me};
    for (int i = 0; i < N; i++) {
        CHECK_MPI(MPI_Irecv(in[i], 4, MPI_INT, from, i, MPI_COMM_WORLD, &r[i]));
        s[i].MPI_ERROR = -1;
    }
    for (int i = 0; i < N; i++)
        CHECK_MPI(MPI_Send(out, i == 1 ? 5 : 4, MPI_INT, to, i, MPI_COMM_WORLD));
    MPI_Sendrecv(NULL, 0, MPI_INT, to, 9, NULL, 0, MPI_INT, from, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void check_one(const MPI_Status *st, int i)
{
    int class = MPI_SUCCESS, n = -1;
    if (st->MPI_ERROR != MPI_SUCCESS)
        MPI_Error_class(st->MPI_ERROR, &class);
    CHECK_EQ(class, i == 1 ? MPI_ERR_TRUNCATE : MPI_SUCCESS);
    CHECK_EQ(st->MPI_TAG, i);
    CHECK_EQ(st->MPI_SOURCE, (me + np - 1) % np);
    CHECK_MPI(MPI_Get_count(st, MPI_INT, &n));
    CHECK_EQ(n, 4);
    CHECK(r[i] == MPI_REQUEST_NULL);
}

int main(int argc, char **argv)
{
    int flag = -1, n = -1, index[N], k = -1;
    check_init(&argc, &argv);
    CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));

    begin();
    CHECK_CLASS(MPI_Waitall(N, r, s), MPI_ERR_IN_STATUS);
    for (int i = 0; i < N; i++)
        check_one(&s[i], i);

    begin();
    CHECK_CLASS(MPI_Testall(N, r, &flag, s), MPI_ERR_IN_STATUS);
    CHECK_EQ(flag, 1);
    for (int i = 0; i < N; i++)
        check_one(&s[i], i);

    for (int test = 0; test < 2; test++) {
        begin();
        CHECK_CLASS(test ? MPI_Testsome(N, r, &n, index, s) : MPI_Waitsome(N, r, &n, index, s),
                    MPI_ERR_IN_STATUS);
        CHECK_EQ(n, N);
        for (int i = 0; i < N && n == N; i++)
            check_one(&s[i], index[i]);
    }

    for (int test = 0; test < 2; test++) {
        begin();
        for (int i = 0; i < N; i++) {
            MPI_Status one;
            one.MPI_ERROR = 4711;
            flag = 0;
            int rc = test ? MPI_Testany(N, r, &k, &flag, &one) : MPI_Waitany(N, r, &k, &one);
            if (test)
                CHECK_EQ(flag, 1);
            CHECK(k >= 0 && k < N);
            CHECK_CLASS(rc, k == 1 ? MPI_ERR_TRUNCATE : MPI_SUCCESS);
            CHECK_EQ(one.MPI_TAG, k);
            CHECK_EQ(one.MPI_ERROR, 4711);
            CHECK(r[k] == MPI_REQUEST_NULL);
        }
    }

    begin();
    for (int i = 0; i < N; i++) {
        flag = 0;
        CHECK_CLASS(MPI_Test(&r[i], &flag, &s[i]), i == 1 ? MPI_ERR_TRUNCATE : MPI_SUCCESS);
        CHECK_EQ(flag, 1);
        CHECK_EQ(s[i].MPI_TAG, i);
        CHECK(r[i] == MPI_REQUEST_NULL);
    }

    /* Without statuses the call fails in the same way. */
    begin();
    CHECK_CLASS(MPI_Waitall(N, r, MPI_STATUSES_IGNORE), MPI_ERR_IN_STATUS);
    for (int i = 0; i < N; i++)
        CHECK(r[i] == MPI_REQUEST_NULL);
    return check_finish();
}
