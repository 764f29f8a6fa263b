/*
 * MPI_Comm_split_type (MPI 5.0, 7.4.2) by shared memory, by hardware, with and without guidance, and by
 * process sets; MPI_Get_hw_resource_info. Ranks bind themselves to processors, in turns, as far as the
 * machine has more than one.
 */
#define _GNU_SOURCE
#include "check.h"

#include <sched.h>

static int size_of(MPI_Comm c)
{
    int n = 0;
    if (c == MPI_COMM_NULL)
        return 0;
    CHECK_MPI(MPI_Comm_size(c, &n));
    CHECK_MPI(MPI_Comm_free(&c));
    return n;
}

static int split(int type, const char *key, const char *value, const char *key2, const char *value2)
{
    MPI_Info info = MPI_INFO_NULL;
    MPI_Comm c = MPI_COMM_WORLD;

    if (key != NULL) {
        CHECK_MPI(MPI_Info_create(&info));
        CHECK_MPI(MPI_Info_set(info, key, value));
        if (key2 != NULL)
            CHECK_MPI(MPI_Info_set(info, key2, value2));
    }
    CHECK_MPI(MPI_Comm_split_type(MPI_COMM_WORLD, type, -me, info, &c));
    if (info != MPI_INFO_NULL)
        CHECK_MPI(MPI_Info_free(&info));
    return size_of(c);
}

#define RESOURCE "mpi_hw_resource_type"

static int bound_to(const char *name)
{
    MPI_Info info;
    char value[16] = "";
    int flag = 0, bytes = sizeof value;

    CHECK_MPI(MPI_Get_hw_resource_info(&info));
    CHECK_MPI(MPI_Info_get_string(info, name, &bytes, value, &flag));
    CHECK_MPI(MPI_Info_free(&info));
    if (flag)
        CHECK(strcmp(value, "true") == 0 || strcmp(value, "false") == 0);
    return flag && strcmp(value, "true") == 0;
}

int main(int argc, char **argv)
{
    cpu_set_t all, one;
    int cpus, mine = 0, k = 0;

    check_init(&argc, &argv);
    CHECK_EQ(split(MPI_COMM_TYPE_SHARED, NULL, NULL, NULL, NULL), np);
    CHECK_EQ(split(MPI_UNDEFINED, NULL, NULL, NULL, NULL), 0);
    CHECK_EQ(split(me == 0 ? MPI_UNDEFINED : MPI_COMM_TYPE_SHARED, NULL, NULL, NULL, NULL),
             me == 0 ? 0 : np - 1);
    CHECK_EQ(split(MPI_COMM_TYPE_HW_GUIDED, RESOURCE, "mpi_shared_memory", NULL, NULL), np);
    CHECK_EQ(split(MPI_COMM_TYPE_HW_GUIDED, NULL, NULL, NULL, NULL), 0);
    CHECK_EQ(split(MPI_COMM_TYPE_HW_GUIDED, RESOURCE, "no://such", NULL, NULL), 0);
    CHECK_EQ(split(MPI_COMM_TYPE_RESOURCE_GUIDED, NULL, NULL, NULL, NULL), 0);
    CHECK_EQ(split(MPI_COMM_TYPE_RESOURCE_GUIDED, RESOURCE, "mpi_shared_memory", NULL, NULL), np);
    CHECK_EQ(split(MPI_COMM_TYPE_RESOURCE_GUIDED, "mpi_pset_name", "mpi://WORLD", NULL, NULL), np);
    CHECK_EQ(split(MPI_COMM_TYPE_RESOURCE_GUIDED, "mpi_pset_name", "mpi://SELF", NULL, NULL), 1);
    CHECK_EQ(split(MPI_COMM_TYPE_RESOURCE_GUIDED, "mpi_pset_name", "mpi://WORLD", RESOURCE, "mpi_shared_memory"), 0);
    CHECK(bound_to("mpi_shared_memory"));

    /* Half of the ranks, round robin, on the first processor, the others on the next one. */
    CPU_ZERO(&all);
    CHECK_EQ(sched_getaffinity(0, sizeof all, &all), 0);
    cpus = CPU_COUNT(&all);
    if (cpus >= 2) {
        for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
            if (CPU_ISSET(cpu, &all) && k++ == me % 2)
                mine = cpu;
        CPU_ZERO(&one);
        CPU_SET(mine, &one);
        CHECK_EQ(sched_setaffinity(0, sizeof one, &one), 0);
        CHECK(bound_to("hwloc://PU"));
        int same = me % 2 ? np / 2 : (np + 1) / 2;
        CHECK_EQ(split(MPI_COMM_TYPE_HW_GUIDED, RESOURCE, "hwloc://PU", NULL, NULL), same);
        CHECK_EQ(split(MPI_COMM_TYPE_RESOURCE_GUIDED, RESOURCE, "hwloc://pu", NULL, NULL), same);

        MPI_Info info;
        MPI_Comm c = MPI_COMM_NULL;
        char value[64] = "";
        int flag = 0, bytes = sizeof value;
        CHECK_MPI(MPI_Info_create(&info));
        CHECK_MPI(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_HW_UNGUIDED, me, info, &c));
        CHECK_MPI(MPI_Info_get_string(info, RESOURCE, &bytes, value, &flag));
        int n = size_of(c);
        if (np == 1)
            CHECK_EQ(n, 0);
        else
            CHECK_MSG(n == same && flag && strncmp(value, "hwloc://", 8) == 0, "%d ranks share %s", n, value);
        CHECK_MPI(MPI_Info_free(&info));

        /* Some ranks take no part. */
        c = MPI_COMM_NULL;
        CHECK_MPI(MPI_Comm_split_type(MPI_COMM_WORLD, me % 2 ? MPI_UNDEFINED : MPI_COMM_TYPE_HW_UNGUIDED, 0,
                                      MPI_INFO_NULL, &c));
        CHECK_EQ(size_of(c), 0);
        CHECK_EQ(sched_setaffinity(0, sizeof all, &all), 0);
    }
    CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    MPI_Comm c;
    CHECK_CLASS(MPI_Comm_split_type(MPI_COMM_WORLD, 12345, 0, MPI_INFO_NULL, &c), MPI_ERR_ARG);
    return check_finish();
}
