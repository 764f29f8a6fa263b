/* MPI_PROC_NULL: sends vanish, receives are done at once, leave the buffer alone and report nothing
 * (MPI 5.0, 3.10). */
#include "check.h"

static void expect_nothing(const MPI_Status *st, const void *buffer, size_t n)
{
    CHECK_STATUS(*st, MPI_PROC_NULL, MPI_ANY_TAG);
    CHECK_COUNT(*st, MPI_INT, 0);
    CHECK_FRESH(buffer, 0, n);
    CHECK_GUARD(buffer);
}

static void poison(MPI_Status *st) { memset(st, 0x5c, sizeof *st); }

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    int *b = check_alloc(100 * sizeof(int));
    MPI_Status st, both[2];
    MPI_Request request[2];
    int flag = 0;

    CHECK_MPI(MPI_Send(b, 100, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD));
    poison(&st);
    CHECK_MPI(MPI_Recv(b, 100, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &st));
    expect_nothing(&st, b, 100 * sizeof(int));
    CHECK_MPI(MPI_Recv(b, 100, MPI_INT, MPI_PROC_NULL, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE));

    poison(&st);
    CHECK_MPI(MPI_Sendrecv(b, 100, MPI_INT, MPI_PROC_NULL, 1, b, 100, MPI_INT, MPI_PROC_NULL, 1,
                           MPI_COMM_WORLD, &st));
    expect_nothing(&st, b, 100 * sizeof(int));

    CHECK_MPI(MPI_Irecv(b, 100, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &request[0]));
    CHECK_MPI(MPI_Isend(b, 100, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &request[1]));
    poison(&both[0]);
    CHECK_MPI(MPI_Waitall(2, request, both));
    expect_nothing(&both[0], b, 100 * sizeof(int));
    CHECK(request[0] == MPI_REQUEST_NULL && request[1] == MPI_REQUEST_NULL);

    CHECK_MPI(MPI_Irecv(b, 100, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &request[0]));
    poison(&st);
    CHECK_MPI(MPI_Test(&request[0], &flag, &st));
    CHECK(flag);
    expect_nothing(&st, b, 100 * sizeof(int));

    /* Beside messages of one's own, which are under way: whatever asks finds the null receive. */
    MPI_Request several[3];
    int done = -1, index[3], own = 17, got = -1;
    CHECK_MPI(MPI_Irecv(&got, 1, MPI_INT, me, 9, MPI_COMM_WORLD, &several[0]));
    CHECK_MPI(MPI_Irecv(b, 100, MPI_INT, MPI_PROC_NULL, 9, MPI_COMM_WORLD, &several[1]));
    CHECK_MPI(MPI_Isend(b, 100, MPI_INT, MPI_PROC_NULL, 9, MPI_COMM_WORLD, &several[2]));
    poison(&st);
    CHECK_MPI(MPI_Request_get_status(several[1], &flag, &st));
    CHECK(flag);
    expect_nothing(&st, b, 100 * sizeof(int));
    CHECK_MPI(MPI_Cancel(&several[2]));
    CHECK_MPI(MPI_Waitsome(3, several, &done, index, MPI_STATUSES_IGNORE));
    CHECK(done == 2 && index[0] + index[1] == 3);
    poison(&st);
    CHECK_MPI(MPI_Recv(b, 100, MPI_INT, MPI_PROC_NULL, 9, MPI_COMM_WORLD, &st)); /* with a receive posted */
    expect_nothing(&st, b, 100 * sizeof(int));
    CHECK_MPI(MPI_Sendrecv(&own, 1, MPI_INT, me, 9, b, 100, MPI_INT, MPI_PROC_NULL, 9, MPI_COMM_WORLD, &st));
    expect_nothing(&st, b, 100 * sizeof(int));
    CHECK_MPI(MPI_Wait(&several[0], MPI_STATUS_IGNORE));
    CHECK_EQ(got, 17);

    /* An open chain: the ends have no neighbour. */
    int left = me > 0 ? me - 1 : MPI_PROC_NULL, right = me + 1 < np ? me + 1 : MPI_PROC_NULL, from_left = -1,
        from_right = -1;
    CHECK_MPI(MPI_Sendrecv(&me, 1, MPI_INT, right, 2, &from_left, 1, MPI_INT, left, 2, MPI_COMM_WORLD,
                           MPI_STATUS_IGNORE));
    CHECK_MPI(MPI_Sendrecv(&me, 1, MPI_INT, left, 3, &from_right, 1, MPI_INT, right, 3, MPI_COMM_WORLD,
                           MPI_STATUS_IGNORE));
    CHECK_EQ(from_left, me > 0 ? me - 1 : -1);
    CHECK_EQ(from_right, me + 1 < np ? me + 1 : -1);
    check_free(b);
    return check_finish();
}
