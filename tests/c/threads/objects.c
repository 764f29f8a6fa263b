/*
 * Threads make and free info objects, datatypes, groups and operations at once: each has its own. Then all
 * use the same ones in calls that need more than their handles, the first time together.
 */
#include "threads.h"
#include <string.h>

enum { ROUNDS = 5000 };

static MPI_Group world, shared_group;
static MPI_Datatype shared_type;
static MPI_Op shared_op;
static MPI_Info shared_info;
static pthread_barrier_t barrier;

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

static void together(int thread)
{
    MPI_Datatype type;
    MPI_Group group;
    char key[16], value[16];
    int n, flag, zero = 0, a[2] = {1, 2}, b[2] = {4, 8}, packed[4], whole[5] = {1, 2, 3, 4, 5};

    for (int round = 0; round < ROUNDS / 5; round++) {
        if (thread == 0) {
            CHECK_MPI(MPI_Group_incl(world, 1, &zero, &shared_group));
            CHECK_MPI(MPI_Type_indexed(2, (int[2]){1, 2}, (int[2]){0, 3}, MPI_INT, &shared_type));
            CHECK_MPI(MPI_Op_create(combine, 1, &shared_op));
            CHECK_MPI(MPI_Info_create(&shared_info));
        }
        pthread_barrier_wait(&barrier);
        if (thread % 2 == 0)
            CHECK_MPI(MPI_Type_commit(&shared_type));
        CHECK_MPI(MPI_Type_create_resized(shared_type, 0, 40, &type));
        CHECK_MPI(MPI_Type_commit(&type));
        n = 0;
        CHECK_MPI(MPI_Pack(whole, 1, type, packed, sizeof packed, &n, MPI_COMM_SELF));
        CHECK_EQ(n, 12);
        CHECK_EQ(packed[2], 5);
        CHECK_MPI(MPI_Type_free(&type));
        CHECK_MPI(MPI_Group_union(shared_group, world, &group));
        CHECK_MPI(MPI_Group_size(group, &n));
        CHECK_EQ(n, np);
        CHECK_MPI(MPI_Group_free(&group));
        CHECK_MPI(MPI_Allreduce(a, b, 2, MPI_INT, MPI_SUM, MPI_COMM_SELF));
        CHECK_MPI(MPI_Reduce_local(a, b, 2, MPI_INT, shared_op));
        CHECK_EQ(b[1], 0);
        snprintf(key, sizeof key, "%d", thread);
        CHECK_MPI(MPI_Info_set(shared_info, key, key));
        CHECK_MPI(MPI_Info_get_nkeys(shared_info, &n));
        CHECK(n >= 1 && n <= 4);
        n = sizeof value;
        CHECK_MPI(MPI_Info_get_string(shared_info, key, &n, value, &flag));
        CHECK(flag && atoi(value) == thread);
        pthread_barrier_wait(&barrier);
        if (thread == 1) {
            n = 0;
            CHECK_MPI(MPI_Pack(whole, 1, shared_type, packed, sizeof packed, &n, MPI_COMM_SELF));
            CHECK_EQ(n, 12);
            CHECK_MPI(MPI_Type_free(&shared_type));
            CHECK_MPI(MPI_Group_free(&shared_group));
            CHECK_MPI(MPI_Op_free(&shared_op));
            CHECK_MPI(MPI_Info_free(&shared_info));
        }
        pthread_barrier_wait(&barrier);
    }
}

int main(int argc, char **argv)
{
    threads_init(&argc, &argv);
    CHECK_MPI(MPI_Comm_group(MPI_COMM_WORLD, &world));
    threads_run(4, run);
    pthread_barrier_init(&barrier, NULL, 4);
    threads_run(4, together);
    CHECK_MPI(MPI_Group_size(world, &(int){0}));
    CHECK_MPI(MPI_Group_free(&world));
    return check_finish();
}
