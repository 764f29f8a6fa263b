/* The predefined communicators' names and what MPI_Comm_compare says of them. */
#include "check.h"

static void expect_name(MPI_Comm comm, const char *want)
{
    char name[MPI_MAX_OBJECT_NAME];
    int n = -1;
    memset(name, '#', sizeof name);
    CHECK_MPI(MPI_Comm_get_name(comm, name, &n));
    CHECK_EQ(n, strlen(want));
    CHECK_MSG(strcmp(name, want) == 0, "the name is \"%.40s\", want \"%s\"", name, want);
}

static void expect_compare(MPI_Comm a, MPI_Comm b, int want)
{
    int result = -1;
    CHECK_MPI(MPI_Comm_compare(a, b, &result));
    CHECK_EQ(result, want);
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    expect_name(MPI_COMM_WORLD, "MPI_COMM_WORLD");
    expect_name(MPI_COMM_SELF, "MPI_COMM_SELF");
    CHECK_MPI(MPI_Comm_set_name(MPI_COMM_WORLD, "everybody"));
    expect_name(MPI_COMM_WORLD, "everybody");
    CHECK_MPI(MPI_Comm_set_name(MPI_COMM_WORLD, ""));
    expect_name(MPI_COMM_WORLD, "");

    expect_compare(MPI_COMM_WORLD, MPI_COMM_WORLD, MPI_IDENT);
    expect_compare(MPI_COMM_SELF, MPI_COMM_SELF, MPI_IDENT);
    expect_compare(MPI_COMM_WORLD, MPI_COMM_SELF, np == 1 ? MPI_CONGRUENT : MPI_UNEQUAL);
    return check_finish();
}
