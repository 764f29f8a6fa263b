/* A connection that nobody accepts ends with an error, after the time of the hint or of
 * GOMPI_CONNECT_TIMEOUT. The argument is the hint in seconds, or none. */
#include "check.h"

int main(int argc, char **argv)
{
    char port[MPI_MAX_PORT_NAME] = "";
    MPI_Info hints = MPI_INFO_NULL;
    MPI_Comm peer = MPI_COMM_NULL;
    int me;

    CHECK_MPI(MPI_Init(&argc, &argv));
    CHECK_MPI(MPI_Comm_rank(MPI_COMM_WORLD, &me));
    CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    if (me == 0)
        CHECK_MPI(MPI_Open_port(MPI_INFO_NULL, port));
    if (argc > 1) {
        CHECK_MPI(MPI_Info_create(&hints));
        CHECK_MPI(MPI_Info_set(hints, "timeout", argv[1]));
    }
    for (int i = 0; i < 2; i++) {
        double begin = MPI_Wtime();
        CHECK_CLASS(MPI_Comm_connect(port, hints, 0, MPI_COMM_WORLD, &peer), MPI_ERR_PORT);
        double took = MPI_Wtime() - begin;
        CHECK(peer == MPI_COMM_NULL);
        if (me == 0)
            CHECK(took > 0.4);
    }
    if (hints != MPI_INFO_NULL)
        CHECK_MPI(MPI_Info_free(&hints));
    if (me == 0)
        CHECK_MPI(MPI_Close_port(port));
    return check_finish();
}
