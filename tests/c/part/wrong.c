/* What partitioned communication refuses, and that nothing has changed afterwards. */
#include "../errors/expect.h"

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    MPI_Comm world = MPI_COMM_WORLD;
    CHECK_MPI(MPI_Comm_set_errhandler(world, MPI_ERRORS_RETURN));
    CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    int a[8] = {0, 1, 2, 3, 4, 5, 6, 7}, b[8] = {0}, to = (me + 1) % np, from = (me + np - 1) % np, flag = -1,
        twice[] = {1, 2, 1};
    MPI_Request s = MPI_REQUEST_NULL, r = MPI_REQUEST_NULL, plain;
    MPI_Info none = MPI_INFO_NULL;

    EXPECT(MPI_Psend_init(a, 0, 1, MPI_INT, to, 0, world, none, &s), MPI_ERR_ARG, "partitions", "0");
    EXPECT(MPI_Psend_init(a, -3, 1, MPI_INT, to, 0, world, none, &s), MPI_ERR_ARG, "-3");
    EXPECT(MPI_Psend_init(a, 2, -1, MPI_INT, to, 0, world, none, &s), MPI_ERR_COUNT, "-1");
    EXPECT(MPI_Psend_init(a, 2, 1, MPI_DATATYPE_NULL, to, 0, world, none, &s), MPI_ERR_TYPE, "MPI_DATATYPE_NULL");
    EXPECT(MPI_Psend_init(NULL, 2, 1, MPI_INT, to, 0, world, none, &s), MPI_ERR_BUFFER, "NULL");
    EXPECT(MPI_Psend_init(a, 2, 1, MPI_INT, np, 0, world, none, &s), MPI_ERR_RANK, "is not in communicator");
    EXPECT(MPI_Psend_init(a, 2, 1, MPI_INT, to, -1, world, none, &s), MPI_ERR_TAG, "-1");
    EXPECT(MPI_Psend_init(a, 2, 1, MPI_INT, to, 0, MPI_COMM_NULL, none, &s), MPI_ERR_COMM, "MPI_COMM_NULL");
    EXPECT(MPI_Psend_init_c(a, 100, INT64_MAX / 50, MPI_INT, to, 0, world, none, &s), MPI_ERR_COUNT, "100");
    EXPECT(MPI_Precv_init(b, 2, 1, MPI_INT, MPI_ANY_SOURCE, 0, world, none, &r), MPI_ERR_RANK, "MPI_ANY_SOURCE");
    EXPECT(MPI_Precv_init(b, 2, 1, MPI_INT, from, MPI_ANY_TAG, world, none, &r), MPI_ERR_TAG, "MPI_ANY_TAG");
    CHECK(s == MPI_REQUEST_NULL && r == MPI_REQUEST_NULL);
    CHECK_MPI(MPI_Parrived(MPI_REQUEST_NULL, 0, &flag));
    CHECK_EQ(flag, 1);
    EXPECT(MPI_Pready(0, MPI_REQUEST_NULL), MPI_ERR_REQUEST, "MPI_REQUEST_NULL");

    CHECK_MPI(MPI_Psend_init(a, 4, 2, MPI_INT, to, 0, world, none, &s));
    CHECK_MPI(MPI_Precv_init(b, 2, 4, MPI_INT, from, 0, world, none, &r));
    CHECK_MPI(MPI_Send_init(a, 1, MPI_INT, to, 0, world, &plain));
    EXPECT(MPI_Pready(0, s), MPI_ERR_REQUEST, "not active");
    EXPECT(MPI_Pready(0, r), MPI_ERR_REQUEST, "not a partitioned send");
    EXPECT(MPI_Pready(0, plain), MPI_ERR_REQUEST, "not a partitioned send");
    EXPECT(MPI_Parrived(plain, 0, &flag), MPI_ERR_REQUEST, "not a partitioned receive");
    CHECK_MPI(MPI_Request_free(&plain));
    for (int round = 0; round < 2; round++) {
        MPI_Request copy = s;
        CHECK_MPI(MPI_Start(&s));
        CHECK_MPI(MPI_Start(&r));
        EXPECT(MPI_Start(&s), MPI_ERR_REQUEST, "active");
        EXPECT(MPI_Pready(4, s), MPI_ERR_ARG, "4", "from 0 to 3");
        EXPECT(MPI_Pready_range(2, 4, s), MPI_ERR_ARG, "4");
        EXPECT(MPI_Pready_range(2, 1, s), MPI_ERR_ARG, "partition_low");
        EXPECT(MPI_Pready_list(3, twice, s), MPI_ERR_ARG, "partition 1");
        EXPECT(MPI_Pready_list(-1, twice, s), MPI_ERR_COUNT, "-1");
        EXPECT(MPI_Parrived(r, 2, &flag), MPI_ERR_ARG, "from 0 to 1");
        EXPECT(MPI_Request_free(&copy), MPI_ERR_REQUEST, "active");
        EXPECT(MPI_Cancel(&r), MPI_ERR_REQUEST, "cancelled");
        CHECK_MPI(MPI_Test(&s, &flag, MPI_STATUS_IGNORE));
        CHECK_EQ(flag, 0);
        CHECK_MPI(MPI_Pready_range(0, 2, s));
        EXPECT(MPI_Pready(1, s), MPI_ERR_ARG, "partition 1");
        CHECK_MPI(MPI_Pready(3, s));
        CHECK_MPI(MPI_Wait(&s, MPI_STATUS_IGNORE));
        CHECK_MPI(MPI_Wait(&r, MPI_STATUS_IGNORE));
        CHECK(memcmp(a, b, sizeof a) == 0);
        memset(b, 0, sizeof b);
    }
    CHECK_MPI(MPI_Request_free(&s));
    CHECK_MPI(MPI_Request_free(&r));

    /* More is sent than there is room for. */
    MPI_Status st;
    CHECK_MPI(MPI_Psend_init(a, 4, 2, MPI_INT, to, 0, world, none, &s));
    CHECK_MPI(MPI_Precv_init(b, 2, 1, MPI_INT, from, 0, world, none, &r));
    CHECK_MPI(MPI_Start(&s));
    CHECK_MPI(MPI_Start(&r));
    CHECK_MPI(MPI_Pready_range(0, 3, s));
    EXPECT(MPI_Wait(&r, &st), MPI_ERR_TRUNCATE, "buffer");
    CHECK(b[0] == 0 && b[1] == 1 && b[2] == 0);
    CHECK_MPI(MPI_Wait(&s, MPI_STATUS_IGNORE));
    CHECK_MPI(MPI_Request_free(&s));
    CHECK_MPI(MPI_Request_free(&r));
    return check_finish();
}
