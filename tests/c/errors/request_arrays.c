/* Arrays of requests that hold one twice, or indices that are NULL: an error of the right class, and the
 * request is as it was. A request that was given back twice would be two later operations at once. */
#include "expect.h"

enum { COUNT = 3 };

static int sent[4], received[4];

/* A receive that the stubs do not complete by themselves: of a type of its own. */
static MPI_Datatype type;

static MPI_Request begin(void)
{
    MPI_Request r;
    CHECK_MPI(MPI_Irecv(received, 1, type, 0, 3, MPI_COMM_SELF, &r));
    return r;
}

static void end(MPI_Request r)
{
    CHECK_MPI(MPI_Send(sent, 1, type, 0, 3, MPI_COMM_SELF));
    CHECK_MPI(MPI_Wait(&r, MPI_STATUS_IGNORE));
}

/* A file's operation is done when it has been begun, so completion calls give its request back at once. */
static MPI_Request write_file(MPI_File file)
{
    MPI_Request r;
    CHECK_MPI(MPI_File_iwrite_at_all(file, 0, sent, 4, MPI_INT, &r));
    return r;
}

static void twice(MPI_Request r, const char *what)
{
    MPI_Request some[COUNT] = {r, MPI_REQUEST_NULL, r};
    MPI_Status statuses[COUNT];
    int n = 0, flag = 0, indices[COUNT];
    EXPECT(MPI_Waitall(COUNT, some, statuses), MPI_ERR_REQUEST, "array_of_requests[2]", what);
    EXPECT(MPI_Testall(COUNT, some, &flag, statuses), MPI_ERR_REQUEST, "array_of_requests[2]", what);
    EXPECT(MPI_Waitany(COUNT, some, &n, statuses), MPI_ERR_REQUEST, "array_of_requests[2]", what);
    EXPECT(MPI_Waitsome(COUNT, some, &n, indices, statuses), MPI_ERR_REQUEST, "array_of_requests[2]", what);
    CHECK(some[0] == r && some[2] == r);
}

static void exchange(void)
{
    for (int i = 0; i < 4; i++) {
        sent[i] = 100 + i;
        received[i] = 0;
    }
    CHECK_MPI(MPI_Sendrecv(sent, 4, MPI_INT, 0, 0, received, 4, MPI_INT, 0, 0, MPI_COMM_SELF,
                           MPI_STATUS_IGNORE));
    CHECK(memcmp(sent, received, sizeof sent) == 0);
}

int main(int argc, char **argv)
{
    MPI_File file;
    char name[40];
    check_init(&argc, &argv);
    snprintf(name, sizeof name, "twice.%d.data", me);
    CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    CHECK_MPI(MPI_Type_vector(2, 1, 2, MPI_INT, &type));
    CHECK_MPI(MPI_Type_commit(&type));

    CHECK_MPI(MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                            MPI_INFO_NULL, &file));
    for (int i = 0; i < 20; i++) {
        MPI_Request r = write_file(file);
        twice(r, "before");
        CHECK_MPI(MPI_Wait(&r, MPI_STATUS_IGNORE));
        exchange();
    }
    CHECK_MPI(MPI_File_close(&file));

    /* Inactive and null requests may stand in an array as often as one likes. */
    MPI_Request idle;
    CHECK_MPI(MPI_Send_init(sent, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_SELF, &idle));
    CHECK_MPI(MPI_Waitall(3, (MPI_Request[]){idle, MPI_REQUEST_NULL, idle}, MPI_STATUSES_IGNORE));
    CHECK_MPI(MPI_Request_free(&idle));

    int n;
    MPI_Request r = begin();
    EXPECT(MPI_Testsome(1, &r, &n, NULL, MPI_STATUSES_IGNORE), MPI_ERR_ARG, "array_of_indices");
    EXPECT(MPI_Waitsome(1, &r, &n, NULL, MPI_STATUSES_IGNORE), MPI_ERR_ARG, "array_of_indices");
    end(r);

    exchange();
    CHECK_MPI(MPI_Type_free(&type));
    return check_finish();
}
