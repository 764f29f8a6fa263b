/* MPI_REQUEST_NULL is complete: waiting for it returns at once with an empty status (MPI 5.0, 3.7.3). */
#include "check.h"

static void expect_empty(const MPI_Status *st)
{
    CHECK_STATUS(*st, MPI_ANY_SOURCE, MPI_ANY_TAG);
    CHECK_COUNT(*st, MPI_INT, 0);
    CHECK_COUNT(*st, MPI_DOUBLE, 0);
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    MPI_Request request = MPI_REQUEST_NULL, many[5];
    MPI_Status st, all[5];
    int flag = 0, in = -1, out = 42;

    memset(&st, 0x5c, sizeof st);
    CHECK_MPI(MPI_Wait(&request, &st));
    expect_empty(&st);
    CHECK_EQ(st.MPI_ERROR, MPI_SUCCESS);
    CHECK_MPI(MPI_Wait(&request, MPI_STATUS_IGNORE));

    memset(&st, 0x5c, sizeof st);
    CHECK_MPI(MPI_Test(&request, &flag, &st));
    CHECK(flag);
    expect_empty(&st);
    CHECK_EQ(st.MPI_ERROR, MPI_SUCCESS);

    memset(&st, 0x5c, sizeof st);
    flag = 0;
    CHECK_MPI(MPI_Request_get_status(request, &flag, &st));
    CHECK(flag);
    expect_empty(&st);
    CHECK_EQ(st.MPI_ERROR, MPI_SUCCESS);

    CHECK_MPI(MPI_Waitall(0, NULL, MPI_STATUSES_IGNORE));
    CHECK_MPI(MPI_Waitall(0, many, all));

    /* Null requests among live ones. */
    for (int i = 0; i < 5; i++)
        many[i] = MPI_REQUEST_NULL;
    CHECK_MPI(MPI_Irecv(&in, 1, MPI_INT, me, 3, MPI_COMM_WORLD, &many[1]));
    CHECK_MPI(MPI_Isend(&out, 1, MPI_INT, me, 3, MPI_COMM_WORLD, &many[3]));
    memset(all, 0x5c, sizeof all);
    CHECK_MPI(MPI_Waitall(5, many, all));
    CHECK_EQ(in, 42);
    CHECK_STATUS(all[1], me, 3);
    CHECK_COUNT(all[1], MPI_INT, 1);
    expect_empty(&all[0]);
    expect_empty(&all[2]);
    expect_empty(&all[4]);
    return check_finish();
}
