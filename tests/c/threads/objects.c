/* Threads make and free info objects, datatypes, groups and operations at once: each has its own. */
#include "threads.h"
#include <string.h>

enum { ROUNDS = 5000 };

static MPI_Group world;

static void combine(void *in, void *inout, int *n, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *n; i++)
        ((int *)inout)[i] ^= ((int *)in)[i];
}

static void run(int thread)
{
    MPI_Info info[4];
    MPI_Datatype type;
    MPI_Group group, again;
    MPI_Op op;
    char value[16];
    int n, flag, zero = 0, a = thread, b = 1;

    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < 4; i++) {
            snprintf(value, sizeof value, "%d", thread * 4 + i);
            CHECK_MPI(MPI_Info_create(&info[i]));
            CHECK_MPI(MPI_Info_set(info[i], "who", value));
        }
        CHECK_MPI(MPI_Type_contiguous(thread + 1, MPI_INT, &type));
        CHECK_MPI(MPI_Type_size(type, &n));
        CHECK_EQ(n, 4 * (thread + 1));
        CHECK_MPI(MPI_Comm_group(MPI_COMM_WORLD, &again));
        CHECK_MPI(MPI_Group_incl(again, 1, &zero, &group));
        CHECK_MPI(MPI_Group_free(&again));
        CHECK_MPI(MPI_Group_size(group, &n));
        CHECK_EQ(n, 1);
        CHECK_MPI(MPI_Op_create(combine, 1, &op));
        CHECK_MPI(MPI_Reduce_local(&a, &b, 1, MPI_INT, op));
        for (int i = 3; i >= 0; i--) {
            n = sizeof value;
            CHECK_MPI(MPI_Info_get_string(info[i], "who", &n, value, &flag));
            CHECK(flag && atoi(value) == thread * 4 + i);
            CHECK_MPI(MPI_Info_free(&info[i]));
        }
        CHECK_MPI(MPI_Type_free(&type));
        CHECK_MPI(MPI_Group_free(&group));
        CHECK_MPI(MPI_Op_free(&op));
    }
}

int main(int argc, char **argv)
{
    threads_init(&argc, &argv);
    CHECK_MPI(MPI_Comm_group(MPI_COMM_WORLD, &world));
    threads_run(4, run);
    CHECK_MPI(MPI_Group_size(world, &(int){0}));
    CHECK_MPI(MPI_Group_free(&world));
    return check_finish();
}
