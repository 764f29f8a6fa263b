/* One of two spawned processes dies some microseconds after it has begun: before MPI_Init, in it, while it
 * connects or afterwards. The user is told of what in each case. argv: the microseconds. */
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include "check.h"

int main(int argc, char **argv)
{
    MPI_Comm parent, inter;
    if (argc > 2 && strcmp(argv[2], "child") == 0) {
        const char *rank = getenv("PMI_RANK");
        if (rank && strcmp(rank, "1") == 0) {
            struct itimerval once = {{0, 0}, {0, atoi(argv[1])}};
            setitimer(ITIMER_REAL, &once, NULL); /* SIGALRM ends the process */
        }
        MPI_Init(&argc, &argv);
        MPI_Comm_get_parent(&parent);
        MPI_Barrier(parent);
        for (;;)
            pause();
    }
    check_init(&argc, &argv);
    char *args[] = {argv[1], (char *)"child", NULL};
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    MPI_Comm_spawn(argv[0], args, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &inter, MPI_ERRCODES_IGNORE);
    MPI_Barrier(inter);
    for (;;)
        pause();
}
