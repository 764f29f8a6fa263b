/* Ports and names under which they are published: found by other ranks, once, until taken back. */
#include <unistd.h>

#include "check.h"

int main(int argc, char **argv)
{
    char port[MPI_MAX_PORT_NAME] = "", other[MPI_MAX_PORT_NAME] = "", got[MPI_MAX_PORT_NAME], name[64],
         own[80];
    int pid = (int)getpid();
    MPI_Info info;
    check_init(&argc, &argv);
    CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    CHECK_MPI(MPI_Bcast(&pid, 1, MPI_INT, 0, MPI_COMM_WORLD));
    snprintf(name, sizeof name, "gompi test %d", pid); /* other jobs run at the same time */
    snprintf(own, sizeof own, "%s, rank %d", name, me);
    CHECK_MPI(MPI_Info_create(&info));
    CHECK_MPI(MPI_Info_set(info, "unknown", "hint"));

    CHECK_MPI(MPI_Open_port(MPI_INFO_NULL, port));
    CHECK_MPI(MPI_Open_port(info, other));
    CHECK(port[0] != 0);
    CHECK(strcmp(port, other) != 0);
    for (int round = 0; round < 3; round++) {
        memset(got, '#', sizeof got);
        CHECK_CLASS(MPI_Lookup_name(name, MPI_INFO_NULL, got), MPI_ERR_NAME);
        CHECK_EQ(got[0], '#');
        CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
        if (me == 0) {
            CHECK_MPI(MPI_Publish_name(name, round ? info : MPI_INFO_NULL, port));
            CHECK_CLASS(MPI_Publish_name(name, MPI_INFO_NULL, other), MPI_ERR_SERVICE);
        }
        CHECK_MPI(MPI_Publish_name(own, MPI_INFO_NULL, other));
        CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
        char wanted[MPI_MAX_PORT_NAME];
        memcpy(wanted, port, sizeof wanted);
        CHECK_MPI(MPI_Bcast(wanted, MPI_MAX_PORT_NAME, MPI_CHAR, 0, MPI_COMM_WORLD));
        CHECK_MPI(MPI_Lookup_name(name, info, got));
        CHECK(strcmp(got, wanted) == 0);
        CHECK_MPI(MPI_Lookup_name(own, MPI_INFO_NULL, got));
        CHECK(strcmp(got, other) == 0);
        if (me != 0) { /* somebody else's */
            CHECK_CLASS(MPI_Publish_name(name, MPI_INFO_NULL, port), MPI_ERR_SERVICE);
            CHECK_CLASS(MPI_Unpublish_name(name, MPI_INFO_NULL, wanted), MPI_ERR_SERVICE);
        }
        CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
        if (me == 0) {
            CHECK_CLASS(MPI_Unpublish_name(name, MPI_INFO_NULL, other), MPI_ERR_SERVICE);
            CHECK_MPI(MPI_Unpublish_name(name, MPI_INFO_NULL, port));
            CHECK_CLASS(MPI_Unpublish_name(name, MPI_INFO_NULL, port), MPI_ERR_SERVICE);
        }
        CHECK_MPI(MPI_Unpublish_name(own, MPI_INFO_NULL, other));
        CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
    }
    CHECK_MPI(MPI_Info_free(&info));
    CHECK_MPI(MPI_Close_port(port));
    CHECK_CLASS(MPI_Close_port(port), MPI_ERR_PORT);
    CHECK_CLASS(MPI_Close_port("nonsense"), MPI_ERR_PORT);
    CHECK_CLASS(MPI_Close_port(NULL), MPI_ERR_ARG);
    CHECK_CLASS(MPI_Open_port(MPI_INFO_NULL, NULL), MPI_ERR_ARG);
    CHECK_CLASS(MPI_Lookup_name(NULL, MPI_INFO_NULL, got), MPI_ERR_ARG);
    CHECK_MPI(
        MPI_Publish_name(own, MPI_INFO_NULL, other)); /* left behind: the end of the program takes it back */
    return check_finish();
}
