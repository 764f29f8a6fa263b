/*
 * Every collective operation of the program is counted once, by the way it goes, for the process and for its
 * communicator: through shared memory (argument "shared"), by messages ("messages"), over nodes ("nodes").
 * Which way is taken depends on the operation, the number of ranks and the size, as docs/internals/coll.md
 * tells.
 */
#include "counted.h"

enum { ROUNDS = 3, BIG = 1 << 20, DOUBLES = BIG / 8, MOST = 40 };

static const char *const ways[] = {"alone", "cells", "at_root", "steps", "single_copy", "nonblocking_cells", "dissemination", "binomial", "doubling",
                                   "halving", "ring", "chain", "bruck", "pairwise", "straight", "over_nodes", "rails", "across"};
enum { WAYS = sizeof ways / sizeof ways[0] };

static MPI_T_pvar_handle of_process[WAYS], of_comm[WAYS], all, all_of_comm, of_world;
static MPI_Comm comm;
static char *in, *out;

static MPI_T_pvar_handle watch(const char *prefix, const char *way, MPI_Comm *on)
{
    char name[64];
    snprintf(name, sizeof name, "%scollectives%s%s", prefix, *way ? "_" : "", way);
    return watch_bound(name, MPI_T_PVAR_CLASS_COUNTER, MPI_T_BIND_MPI_COMM, on);
}

static void watch_comm(void)
{
    all_of_comm = watch("comm_", "", &comm);
    for (int w = 0; w < WAYS; w++)
        of_comm[w] = watch("comm_", ways[w], &comm);
}

static void unwatch_comm(void)
{
    CHECK_MPI(MPI_T_pvar_handle_free(session, &all_of_comm));
    for (int w = 0; w < WAYS; w++)
        CHECK_MPI(MPI_T_pvar_handle_free(session, &of_comm[w]));
}

/* What has gone since the last time: so many operations, all of them one of two ways. */
static void expect_either(const char *what, const char *way, const char *other, long long operations)
{
    long long counted = 0;
    CHECK_EQ(value(all_of_comm), operations);
    CHECK_EQ(value(all), operations);
    for (int w = 0; w < WAYS; w++) {
        long long here = value(of_comm[w]), everywhere = value(of_process[w]);
        CHECK_MSG(here == everywhere, "%s by %s: %lld on the communicator, %lld in the process", what, ways[w], here, everywhere);
        CHECK_MSG(here == 0 || strcmp(ways[w], way) == 0 || strcmp(ways[w], other) == 0,
                  "%s went by %s, not by %s", what, ways[w], way);
        counted += here;
    }
    CHECK_MSG(counted == operations, "%s: %lld counted, %lld done", what, counted, operations);
}

static void expect(const char *what, const char *way, long long operations)
{
    expect_either(what, way, way, operations);
}

#define RUN(way, call)                 \
    do {                               \
        for (int i = 0; i < ROUNDS; i++) \
            CHECK_MPI(call);           \
        expect(#call, way, ROUNDS);    \
    } while (0)

/* An operation that does not block. */
#define RUN_LATER(way, call)                               \
    do {                                                   \
        MPI_Request request;                               \
        for (int i = 0; i < ROUNDS; i++) {                 \
            CHECK_MPI(call);                               \
            CHECK_MPI(MPI_Wait(&request, MPI_STATUS_IGNORE)); \
        }                                                  \
        expect(#call, way, ROUNDS);                        \
    } while (0)

/* A persistent one, which counts when it is started. */
static void persistent(const char *way)
{
    MPI_Request request;
    CHECK_MPI(MPI_Bcast_init(out, 8, MPI_BYTE, 0, comm, MPI_INFO_NULL, &request));
    expect("MPI_Bcast_init", way, 0);
    for (int i = 0; i < ROUNDS; i++) {
        CHECK_MPI(MPI_Start(&request));
        CHECK_MPI(MPI_Wait(&request, MPI_STATUS_IGNORE));
    }
    CHECK_MPI(MPI_Request_free(&request));
    expect("a persistent MPI_Bcast", way, ROUNDS);
}

static void shared(void)
{
    const char *small = np > 1 ? "cells" : "alone", *big = np > 1 ? "steps" : "alone", *later = np > 1 ? "nonblocking_cells" : "alone";
    RUN(small, MPI_Barrier(comm));
    RUN(small, MPI_Bcast(out, 8, MPI_BYTE, np - 1, comm));
    RUN(small, MPI_Reduce(out, in, 1, MPI_DOUBLE, MPI_SUM, 0, comm));
    MPI_T_pvar_handle sums = watch("comm_", np > 1 ? "allreduce_cells" : "allreduce_alone", &comm);
    RUN(small, MPI_Allreduce(out, in, 1, MPI_DOUBLE, MPI_SUM, comm));
    CHECK_EQ(value(sums), ROUNDS);
    CHECK_MPI(MPI_T_pvar_handle_free(session, &sums));
    RUN(small, MPI_Reduce_scatter_block(out, in, 1, MPI_DOUBLE, MPI_SUM, comm));
    RUN(small, MPI_Scan(out, in, 1, MPI_DOUBLE, MPI_SUM, comm));
    RUN(small, MPI_Exscan(out, in, 1, MPI_DOUBLE, MPI_SUM, comm));
    RUN(small, MPI_Gather(out, 8, MPI_BYTE, in, 8, MPI_BYTE, 0, comm));
    RUN(small, MPI_Scatter(out, 8, MPI_BYTE, in, 8, MPI_BYTE, 0, comm));
    RUN(small, MPI_Allgather(out, 8, MPI_BYTE, in, 8, MPI_BYTE, comm));
    RUN(small, MPI_Alltoall(out, 8, MPI_BYTE, in, 8, MPI_BYTE, comm));
    RUN(small, MPI_Allreduce(out, in, 100, MPI_2INT, MPI_MINLOC, comm)); /* nothing for the stubs */
    RUN(big, MPI_Bcast(out, BIG, MPI_BYTE, 0, comm));
    for (int i = 0; i < ROUNDS; i++) /* by one rank where ranks share cores */
        CHECK_MPI(MPI_Reduce(out, in, DOUBLES, MPI_DOUBLE, MPI_SUM, 0, comm));
    expect_either("a long MPI_Reduce", big, "at_root", ROUNDS);
    for (int i = 0; i < ROUNDS; i++)
        CHECK_MPI(MPI_Allreduce(out, in, DOUBLES, MPI_DOUBLE, MPI_SUM, comm));
    expect_either("a long MPI_Allreduce", big, "at_root", ROUNDS);
    RUN(big, MPI_Gather(out, BIG, MPI_BYTE, in, BIG, MPI_BYTE, 0, comm));
    RUN(big, MPI_Allgather(out, BIG, MPI_BYTE, in, BIG, MPI_BYTE, comm));
    for (int i = 0; i < ROUNDS; i++) /* of more ranks by single copy, where the kernel allows that */
        CHECK_MPI(MPI_Alltoall(out, BIG, MPI_BYTE, in, BIG, MPI_BYTE, comm));
    expect_either("a long MPI_Alltoall", big, np > 4 ? "single_copy" : big, ROUNDS);
    RUN_LATER(later, MPI_Ibarrier(comm, &request));
    RUN_LATER(later, MPI_Iallreduce(out, in, 1, MPI_DOUBLE, MPI_SUM, comm, &request));
    RUN_LATER(later, MPI_Igather(out, 8, MPI_BYTE, in, 8, MPI_BYTE, 0, comm, &request));
    RUN_LATER("alone", MPI_Ireduce(out, in, 0, MPI_DOUBLE, MPI_SUM, 0, comm, &request));
    persistent(later);
    RUN("alone", MPI_Bcast(out, 0, MPI_BYTE, 0, comm));
    RUN("alone", MPI_Allreduce(out, in, 0, MPI_DOUBLE, MPI_SUM, comm));
}

static void messages(void)
{
    const int two = (np & (np - 1)) == 0;
    RUN("dissemination", MPI_Barrier(comm));
    RUN("binomial", MPI_Bcast(out, 8, MPI_BYTE, np - 1, comm));
    RUN("straight", MPI_Bcast(out, BIG, MPI_BYTE, 0, comm));
    RUN("binomial", MPI_Reduce(out, in, 1, MPI_DOUBLE, MPI_SUM, 0, comm));
    RUN("halving", MPI_Reduce(out, in, DOUBLES, MPI_DOUBLE, MPI_SUM, 0, comm));
    RUN("doubling", MPI_Allreduce(out, in, 1, MPI_DOUBLE, MPI_SUM, comm));
    RUN("halving", MPI_Allreduce(out, in, DOUBLES, MPI_DOUBLE, MPI_SUM, comm));
    RUN("pairwise", MPI_Reduce_scatter_block(out, in, 1, MPI_DOUBLE, MPI_SUM, comm));
    RUN("chain", MPI_Scan(out, in, 1, MPI_DOUBLE, MPI_SUM, comm));
    RUN("chain", MPI_Exscan(out, in, 1, MPI_DOUBLE, MPI_SUM, comm));
    RUN(np <= 4 ? "straight" : "binomial", MPI_Gather(out, 8, MPI_BYTE, in, 8, MPI_BYTE, 0, comm));
    RUN(np <= 4 ? "straight" : "binomial", MPI_Scatter(out, 8, MPI_BYTE, in, 8, MPI_BYTE, 0, comm));
    RUN("straight", MPI_Gather(out, BIG, MPI_BYTE, in, BIG, MPI_BYTE, 0, comm));
    RUN(two ? "doubling" : "bruck", MPI_Allgather(out, 8, MPI_BYTE, in, 8, MPI_BYTE, comm));
    RUN("straight", MPI_Allgather(out, BIG, MPI_BYTE, in, BIG, MPI_BYTE, comm));
    RUN("pairwise", MPI_Alltoall(out, 8, MPI_BYTE, in, 8, MPI_BYTE, comm));
    RUN("pairwise", MPI_Alltoall(MPI_IN_PLACE, 8, MPI_BYTE, in, 8, MPI_BYTE, comm));
    RUN_LATER("dissemination", MPI_Ibarrier(comm, &request));
    RUN_LATER("halving", MPI_Iallreduce(out, in, DOUBLES, MPI_DOUBLE, MPI_SUM, comm, &request));
    persistent("binomial");
}

static void nodes(void)
{
    RUN("over_nodes", MPI_Barrier(comm));
    RUN("over_nodes", MPI_Bcast(out, 8, MPI_BYTE, np - 1, comm));
    RUN("over_nodes", MPI_Reduce(out, in, 1, MPI_DOUBLE, MPI_SUM, 0, comm));
    RUN("over_nodes", MPI_Allreduce(out, in, 1, MPI_DOUBLE, MPI_SUM, comm));
    RUN("over_nodes", MPI_Scan(out, in, 1, MPI_DOUBLE, MPI_SUM, comm));
    RUN("over_nodes", MPI_Allgather(out, 8, MPI_BYTE, in, 8, MPI_BYTE, comm));
    RUN("over_nodes", MPI_Alltoall(out, 8, MPI_BYTE, in, 8, MPI_BYTE, comm));
    RUN("ring", MPI_Allgather(out, BIG, MPI_BYTE, in, BIG, MPI_BYTE, comm));
    RUN_LATER("over_nodes", MPI_Iallreduce(out, in, 1, MPI_DOUBLE, MPI_SUM, comm, &request));
    persistent("over_nodes");
}

/* Between the ranks of even and those of odd number. */
static void across(MPI_Comm world)
{
    MPI_Comm half;
    CHECK_MPI(MPI_Comm_split(world, me % 2, 0, &half));
    CHECK_MPI(MPI_Intercomm_create(half, 0, world, 1 - me % 2, 5, &comm));
    for (int w = 0; w < WAYS; w++)
        value(of_process[w]);
    value(all);
    watch_comm();
    RUN("across", MPI_Barrier(comm));
    RUN("across", MPI_Allreduce(out, in, 1, MPI_DOUBLE, MPI_SUM, comm));
    RUN("across", MPI_Allgather(out, 8, MPI_BYTE, in, 8, MPI_BYTE, comm));
    RUN_LATER("across", MPI_Iallreduce(out, in, 1, MPI_DOUBLE, MPI_SUM, comm, &request));
    unwatch_comm();
    CHECK_MPI(MPI_Comm_free(&comm));
    CHECK_MPI(MPI_Comm_free(&half));
}

int main(int argc, char **argv)
{
    int provided, index, count;
    MPI_T_pvar_handle h;
    MPI_Comm dup, none = MPI_COMM_NULL, world = MPI_COMM_WORLD;
    unsigned long long v;
    CHECK_MPI(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided));
    CHECK_MPI(MPI_T_pvar_session_create(&session));
    CHECK_MPI(MPI_T_pvar_get_index("comm_collectives", MPI_T_PVAR_CLASS_COUNTER, &index));
    CHECK_EQ(MPI_T_pvar_handle_alloc(session, index, &world, &h, &count),
             MPI_T_ERR_INVALID_HANDLE); /* not there yet */
    check_init(&argc, &argv);
    CHECK_EQ(MPI_T_pvar_handle_alloc(session, index, NULL, &h, &count), MPI_T_ERR_INVALID);
    CHECK_EQ(MPI_T_pvar_handle_alloc(session, index, &none, &h, &count), MPI_T_ERR_INVALID_HANDLE);
    in = malloc((size_t)BIG * (size_t)np);
    out = calloc((size_t)np, BIG);

    CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &dup));
    all = watch("", "", NULL);
    of_world = watch("comm_", "", &world);
    for (int w = 0; w < WAYS; w++)
        of_process[w] = watch("", ways[w], NULL);
    comm = dup;
    watch_comm();
    if (strcmp(argv[1], "shared") == 0)
        shared();
    else if (strcmp(argv[1], "messages") == 0)
        messages();
    else
        nodes();
    CHECK_EQ(value(of_world), 0);

    /* A communicator that is gone keeps what it has counted, and so does the process. */
    for (int i = 0; i < ROUNDS; i++)
        CHECK_MPI(MPI_Barrier(comm));
    CHECK_MPI(MPI_Comm_free(&dup));
    CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
    CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &dup)); /* which may get the memory of the other one */
    for (int i = 0; i < 2 * ROUNDS; i++)
        CHECK_MPI(MPI_Barrier(dup));
    CHECK_MPI(MPI_T_pvar_read(session, all_of_comm, &v));
    CHECK_EQ(v, ROUNDS);
    CHECK_MPI(MPI_T_pvar_read(session, all, &v));
    CHECK_EQ(v, 3 * ROUNDS + 1);
    CHECK_EQ(value(of_world), 1);
    CHECK_MPI(MPI_Comm_free(&dup));
    unwatch_comm();
    if (np > 1)
        across(MPI_COMM_WORLD);
    free(in);
    free(out);
    int rc = check_finish();
    CHECK_MPI(MPI_T_pvar_session_free(&session));
    CHECK_MPI(MPI_T_finalize());
    return rc || check_failed;
}
