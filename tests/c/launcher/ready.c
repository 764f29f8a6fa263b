/* Says "ready" and waits for ever: run.sh sends the launcher a signal that ends the job. */
#include "check.h"

int main(int argc, char **argv)
{
    int v = 0;
    check_init(&argc, &argv);
    printf("ready\n");
    fflush(stdout);
    MPI_Recv(&v, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return check_finish();
}
