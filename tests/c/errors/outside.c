/* MPI called before MPI_Init (argument "before") or after MPI_Finalize ("after"): argument 2 names the call.
 */
#include "check.h"

static void call(const char *what)
{
    int b[4] = {0}, n;
    MPI_Request r = MPI_REQUEST_NULL;
    MPI_Status st;
    if (strcmp(what, "send") == 0)
        MPI_Send(b, 1, MPI_INT, 0, 0, MPI_COMM_SELF);
    else if (strcmp(what, "recv") == 0)
        MPI_Recv(b, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &st);
    else if (strcmp(what, "irecv") == 0)
        MPI_Irecv(b, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &r);
    else if (strcmp(what, "wait") == 0)
        MPI_Wait(&r, &st);
    else if (strcmp(what, "rank") == 0)
        MPI_Comm_rank(MPI_COMM_WORLD, &n);
    else if (strcmp(what, "size") == 0)
        MPI_Comm_size(MPI_COMM_WORLD, &n);
    else if (strcmp(what, "barrier") == 0)
        MPI_Barrier(MPI_COMM_WORLD);
    else if (strcmp(what, "allreduce") == 0)
        MPI_Allreduce(b, b + 1, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    else if (strcmp(what, "finalize") == 0)
        MPI_Finalize();
    else if (strcmp(what, "init") == 0)
        MPI_Init(NULL, NULL);
    else if (strcmp(what, "file") == 0) {
        MPI_File f;
        MPI_File_open(MPI_COMM_WORLD, "nothing", MPI_MODE_RDONLY, MPI_INFO_NULL, &f);
    }
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    int before = strcmp(argv[1], "before") == 0;
    if (before)
        call(argv[2]);
    MPI_Init(&argc, &argv);
    MPI_Finalize();
    if (!before)
        call(argv[2]);
    printf("still here\n");
    return 0;
}
