/* What is connected ends together when a rank dies or aborts; what has parted goes on. argv: who does what.
 */
#include <signal.h>
#include <unistd.h>

#include "check.h"

int main(int argc, char **argv)
{
    MPI_Comm parent, inter;
    const char *what = argv[1];
    int token = 0;
    check_init(&argc, &argv);
    CHECK_MPI(MPI_Comm_get_parent(&parent));
    int child = parent != MPI_COMM_NULL;
    if (!child) {
        char *args[] = {(char *)what, NULL};
        CHECK_MPI(
            MPI_Comm_spawn(argv[0], args, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &inter, MPI_ERRCODES_IGNORE));
    } else {
        inter = parent;
    }
    CHECK_MPI(MPI_Barrier(inter));
    if (strcmp(what, "parted") == 0) { /* a child dies after all have parted; the parents do not mind */
        CHECK_MPI(MPI_Comm_disconnect(&inter));
        if (child && me == 1)
            raise(SIGKILL);
        if (!child) {
            sleep(1);
            CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
            printf("the parents go on\n");
            return check_finish();
        }
        for (;;)
            pause();
    }
    if (me == np - 1 && child == (strcmp(what, "child-killed") == 0 || strcmp(what, "child-aborts") == 0)) {
        if (strstr(what, "killed"))
            raise(SIGKILL);
        MPI_Abort(MPI_COMM_WORLD, 9);
    }
    /* Everybody else waits for what will never come: from a rank of their own, or of the others. */
    MPI_Recv(&token, 1, MPI_INT, 0, 5, me == 0 ? inter : MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    check_fail(__FILE__, __LINE__, "this cannot be reached");
    return 1;
}
