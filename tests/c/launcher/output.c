/* Lines of many ranks at once, short and long: run.sh sees stdout as a whole, tests/launcher looks at every
 * line. */
#include "check.h"

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    static char line[3001];
    memset(line, 'a' + me % 26, 3000);
    for (int i = 0; i < 200; i++) {
        CHECK(printf("%d:%.*s\n", me, i * 15, line) > 0);
        if (i % 50 == 0)
            CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
    }
    CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
    if (check_finish() != 0)
        return 1;
    if (me == np - 1)
        printf("the last word"); /* no newline, after MPI_Finalize */
    return 0;
}
