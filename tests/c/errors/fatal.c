/*
 * A mistake under the default error handler: the job ends, non-zero, with a line that says what was wrong.
 * Argument 1 names the mistake, argument 2 (default 0) the rank that makes it; the others wait for a message
 * that never comes.
 */
#include "check.h"

static void mistake(const char *what)
{
    int b[4] = {0};
    MPI_Request r = (MPI_Request)(uintptr_t)0x3ffffff;
    MPI_Status st;
    if (strcmp(what, "rank") == 0)
        MPI_Send(b, 1, MPI_INT, 4711, 0, MPI_COMM_WORLD);
    else if (strcmp(what, "tag") == 0)
        MPI_Send(b, 1, MPI_INT, 0, -17, MPI_COMM_WORLD);
    else if (strcmp(what, "count") == 0)
        MPI_Recv(b, -23, MPI_INT, 0, 0, MPI_COMM_WORLD, &st);
    else if (strcmp(what, "buffer") == 0)
        MPI_Send(NULL, 3, MPI_INT, 0, 0, MPI_COMM_WORLD);
    else if (strcmp(what, "comm") == 0)
        MPI_Barrier((MPI_Comm)(uintptr_t)0x123456);
    else if (strcmp(what, "type") == 0)
        MPI_Send(b, 1, MPI_DATATYPE_NULL, 0, 0, MPI_COMM_WORLD);
    else if (strcmp(what, "op") == 0)
        MPI_Allreduce(b, b + 1, 1, MPI_FLOAT, MPI_BAND, MPI_COMM_SELF);
    else if (strcmp(what, "request") == 0)
        MPI_Wait(&r, &st);
    else if (strcmp(what, "root") == 0)
        MPI_Bcast(b, 1, MPI_INT, 99, MPI_COMM_WORLD);
    else if (strcmp(what, "truncate") == 0) {
        MPI_Isend(b, 4, MPI_INT, 0, 0, MPI_COMM_SELF, &r);
        MPI_Recv(b, 2, MPI_INT, 0, 0, MPI_COMM_SELF, &st);
    } else if (strcmp(what, "init") == 0)
        MPI_Init(NULL, NULL);
    printf("still here\n");
}

int main(int argc, char **argv)
{
    int b = 0;
    check_init(&argc, &argv);
    if (argc < 2)
        return 2;
    if (me == (argc > 2 ? atoi(argv[2]) : 0))
        mistake(argv[1]);
    else
        MPI_Recv(&b, 1, MPI_INT, MPI_ANY_SOURCE, 31, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
