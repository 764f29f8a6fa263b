/* What a program does after MPI_Finalize still counts: its output, its exit handlers, its exit code. */
#include "check.h"

static void at_exit(void) { printf("exit handler of the program\n"); }

int main(int argc, char **argv)
{
    atexit(at_exit);
    check_init(&argc, &argv);
    printf("rank %d before\n", me);
    CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
    if (check_finish() != 0)
        return 99;
    printf("after finalize");
    printf(" and on\n");
    return argc > 1 ? atoi(argv[1]) : 0;
}
