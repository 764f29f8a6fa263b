/*
 * Request_get_status and its forms for arrays tell what is done and leave the requests as they are;
 * Request_free lets an active request end by itself.
 */
#include "check.h"

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    int in[3] = {-1, -1, -1}, out[3], to = (me + 1) % np, from = (me + np - 1) % np, flag, k, n, index[4];
    MPI_Request r[4] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    MPI_Status s[4];

    CHECK_MPI(MPI_Request_get_status_all(4, r, &flag, s));
    CHECK(flag);
    CHECK_MPI(MPI_Request_get_status_any(4, r, &k, &flag, s));
    CHECK(flag);
    CHECK_EQ(k, MPI_UNDEFINED);
    CHECK_MPI(MPI_Request_get_status_some(4, r, &n, index, s));
    CHECK_EQ(n, MPI_UNDEFINED);

    for (int i = 0; i < 3; i++)
        CHECK_MPI(MPI_Irecv(&in[i], 1, MPI_INT, from, i, MPI_COMM_WORLD, &r[i + (i > 0)]));
    CHECK_MPI(MPI_Request_get_status_all(4, r, &flag, s));
    CHECK(!flag);
    CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
    out[1] = 100 + me;
    CHECK_MPI(MPI_Send(&out[1], 1, MPI_INT, to, 1, MPI_COMM_WORLD));
    for (flag = 0; !flag;)
        CHECK_MPI(MPI_Request_get_status_any(4, r, &k, &flag, s));
    CHECK_EQ(k, 2);
    CHECK_STATUS(s[0], from, 1);
    CHECK_MPI(MPI_Request_get_status_some(4, r, &n, index, s));
    CHECK_EQ(n, 1);
    CHECK_EQ(index[0], 2);
    CHECK_STATUS(s[0], from, 1);
    CHECK_EQ(in[1], 100 + from);
    CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
    out[0] = 200 + me;
    out[2] = 300 + me;
    CHECK_MPI(MPI_Send(&out[0], 1, MPI_INT, to, 0, MPI_COMM_WORLD));
    CHECK_MPI(MPI_Send(&out[2], 1, MPI_INT, to, 2, MPI_COMM_WORLD));
    for (flag = 0; !flag;)
        CHECK_MPI(MPI_Request_get_status_all(4, r, &flag, s));
    CHECK_STATUS(s[0], from, 0);
    CHECK_STATUS(s[1], MPI_ANY_SOURCE, MPI_ANY_TAG);
    CHECK_STATUS(s[3], from, 2);
    CHECK(r[0] != MPI_REQUEST_NULL && r[2] != MPI_REQUEST_NULL && r[3] != MPI_REQUEST_NULL);
    CHECK_MPI(MPI_Waitall(4, r, s));
    CHECK_STATUS(s[2], from, 1);
    CHECK_EQ(in[0], 200 + from);
    CHECK_EQ(in[2], 300 + from);

    char *big = check_alloc(200000), *got = check_alloc(200000);
    check_fill(big, 200000, me);
    CHECK_MPI(MPI_Isend(big, 200000, MPI_BYTE, to, 5, MPI_COMM_WORLD, &r[0]));
    CHECK_MPI(MPI_Request_free(&r[0]));
    CHECK(r[0] == MPI_REQUEST_NULL);
    CHECK_MPI(MPI_Recv(got, 200000, MPI_BYTE, from, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    CHECK_DATA(got, 200000, from);
    CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD)); /* now everybody has taken the data */
    check_free(big);
    check_free(got);
    return check_finish();
}
