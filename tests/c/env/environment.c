/*
 * Variables meant for other Go programs (GODEBUG, GOGC, ...) do not reach the library: the program runs and
 * prints as without them, and its own environment still holds them, for the Go programs that it may start.
 */
#include "check.h"

static void expect_variable(const char *name, const char *want)
{
    const char *got = getenv(name);
    CHECK_MSG(got != NULL && strcmp(got, want) == 0, "%s is \"%s\", want \"%s\"", name, got ? got : "(unset)", want);
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    for (int i = 1; i + 1 < argc; i += 2)
        expect_variable(argv[i], argv[i + 1]);
    for (int round = 0; round < 200; round++) {
        int sum = -1;
        CHECK_MPI(MPI_Allreduce(&me, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
        CHECK_EQ(sum, np * (np - 1) / 2);
    }
    return check_finish();
}
