/* MPI_Init and MPI_Finalize with and without arguments; MPI_Initialized and MPI_Finalized around them. */
#include "check.h"

static void expect_state(int up, int down)
{
    int flag = -1;
    CHECK_MPI(MPI_Initialized(&flag));
    CHECK_EQ(!!flag, up);
    flag = -1;
    CHECK_MPI(MPI_Finalized(&flag));
    CHECK_EQ(!!flag, down);
}

int main(int argc, char **argv)
{
    int n = argc;
    char **args = argv;
    const char *mode = argc > 1 ? argv[1] : "";

    expect_state(0, 0);
    if (strcmp(mode, "null") == 0)
        CHECK_MPI(MPI_Init(NULL, NULL));
    else
        CHECK_MPI(MPI_Init(&argc, &argv));
    check_know_world();
    expect_state(1, 0);

    /* The arguments are the program's own; MPI takes none of them away. */
    CHECK_EQ(argc, n);
    CHECK(argv == args);
    CHECK(np >= 1 && me >= 0 && me < np);

    if (check_failed)
        check_give_up();
    CHECK_MPI(MPI_Finalize());
    expect_state(1, 1);
    return check_result();
}
