/*
 * MPI_Abort with the code of argument 1, called by the rank of argument 2 ("all" for every rank) while the
 * others wait; argument 3 names the communicator (world or self). What was printed before comes out.
 */
#include "check.h"
#include <unistd.h>

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    int code = argc > 1 ? atoi(argv[1]) : 1, v;
    int all = argc > 2 && strcmp(argv[2], "all") == 0, who = argc > 2 && !all ? atoi(argv[2]) : 0;
    MPI_Comm comm = argc > 3 && strcmp(argv[3], "self") == 0 ? MPI_COMM_SELF : MPI_COMM_WORLD;
    if (all || me == who) {
        printf("about to abort"); /* in stdio's buffer: the library has to see to it */
        MPI_Abort(comm, code);
    }
    MPI_Recv(&v, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf("still here\n");
    return 0;
}
