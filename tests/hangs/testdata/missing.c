/* One case for each collective operation: the last rank does not take part and waits for a message. The
 * roots are such that others wait for it. */
#include "case.h"

#include <signal.h>

enum { MANY = 64 };
static int in[MANY], out[MANY], counts[MANY], places[MANY];
static MPI_Datatype types[MANY];
static MPI_Comm grid, comm;
static MPI_Group all;
static MPI_Request request;
static MPI_Win win;
static MPI_File file;
static void *memory;

#define IN in, 1, MPI_INT
#define OUT out, 1, MPI_INT
#define OUTS out, counts, places, MPI_INT
#define INS in, counts, places, MPI_INT

/* A nonblocking operation is waited for, a persistent one started ahead. */
#define DO(name, call) \
    static void name(void) { call; }
#define NONBLOCKING(name, call) \
    static void name(void) \
    { \
        call; \
        MPI_Wait(&request, IGNORE); \
    }
#define PERSISTENT(name, call) \
    static void name(void) \
    { \
        call; \
        MPI_Start(&request); \
        MPI_Wait(&request, IGNORE); \
    }

DO(reduce, MPI_Reduce(in, out, 1, MPI_INT, MPI_SUM, 0, WORLD))
DO(gather, MPI_Gather(IN, OUT, 0, WORLD))
DO(gatherv, MPI_Gatherv(IN, OUTS, 0, WORLD))
DO(scatterv, MPI_Scatterv(INS, OUT, size - 1, WORLD))
DO(allgatherv, MPI_Allgatherv(IN, OUTS, WORLD))
DO(alltoallv, MPI_Alltoallv(INS, OUTS, WORLD))
DO(alltoallw, MPI_Alltoallw(in, counts, places, types, out, counts, places, types, WORLD))
DO(exscan, MPI_Exscan(in, out, 1, MPI_INT, MPI_SUM, WORLD))
DO(reduce_scatter, MPI_Reduce_scatter(in, out, counts, MPI_INT, MPI_SUM, WORLD))
DO(neighbor_allgather, MPI_Neighbor_allgather(IN, OUT, grid))
DO(neighbor_alltoall, MPI_Neighbor_alltoall(IN, OUT, grid))

NONBLOCKING(ibcast, MPI_Ibcast(IN, size - 1, WORLD, &request))
NONBLOCKING(igather, MPI_Igather(IN, OUT, 0, WORLD, &request))
NONBLOCKING(iallgather, MPI_Iallgather(IN, OUT, WORLD, &request))
NONBLOCKING(ialltoall, MPI_Ialltoall(IN, OUT, WORLD, &request))
NONBLOCKING(ineighbor, MPI_Ineighbor_allgather(IN, OUT, grid, &request))
NONBLOCKING(idup, MPI_Comm_idup(WORLD, &comm, &request))
PERSISTENT(barrier_init, MPI_Barrier_init(WORLD, MPI_INFO_NULL, &request))
PERSISTENT(allreduce_init, MPI_Allreduce_init(in, out, 1, MPI_INT, MPI_SUM, WORLD, MPI_INFO_NULL, &request))

DO(create, MPI_Comm_create(WORLD, all, &comm))
DO(create_group, MPI_Comm_create_group(WORLD, all, 7, &comm))
DO(split_type, MPI_Comm_split_type(WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &comm))
DO(cart, MPI_Cart_create(WORLD, 1, (int[]){size}, (int[]){1}, 0, &comm))
DO(win_create, MPI_Win_create(in, sizeof in, 1, MPI_INFO_NULL, WORLD, &win))
DO(win_allocate, MPI_Win_allocate(64, 1, MPI_INFO_NULL, WORLD, &memory, &win))
DO(win_shared, MPI_Win_allocate_shared(64, 1, MPI_INFO_NULL, WORLD, &memory, &win))
DO(win_dynamic, MPI_Win_create_dynamic(MPI_INFO_NULL, WORLD, &win))
DO(open, MPI_File_open(WORLD, "missing.tmp", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                       MPI_INFO_NULL, &file))
DO(spawn, MPI_Comm_spawn("no-program", MPI_ARGV_NULL, 1, MPI_INFO_NULL, size - 1, WORLD, &comm,
                         MPI_ERRCODES_IGNORE))

DO(agree, MPIX_Comm_agree(WORLD, in))
DO(shrink, MPIX_Comm_shrink(WORLD, &comm))
NONBLOCKING(iagree, MPIX_Comm_iagree(WORLD, in, &request))

/* Rank 1 dies when all others have come here, and these but the last one agree afterwards. */
static void mourn(void)
{
    int acked = 0;

    MPI_Comm_set_errhandler(WORLD, MPI_ERRORS_RETURN);
    if (rank == 1) {
        for (int i = 0; i < size - 1; i++)
            MPI_Recv(in, 1, MPI_INT, MPI_ANY_SOURCE, 2, WORLD, IGNORE);
        raise(SIGKILL);
    }
    MPI_Send(in, 1, MPI_INT, 1, 2, WORLD);
    if (rank == size - 1)
        return;
    while (acked == 0)
        MPIX_Comm_ack_failed(WORLD, size, &acked);
    MPIX_Comm_agree(WORLD, in);
}

#define ALL(X) \
    X(reduce), X(gather), X(gatherv), X(scatterv), X(allgatherv), X(alltoallv), X(alltoallw), X(exscan), \
        X(reduce_scatter), X(neighbor_allgather), X(neighbor_alltoall), X(ibcast), X(igather), \
        X(iallgather), X(ialltoall), X(ineighbor), X(idup), X(barrier_init), X(allreduce_init), \
        X(create), X(create_group), X(split_type), X(cart), X(win_create), X(win_allocate), \
        X(win_shared), X(win_dynamic), X(open), X(spawn), X(agree), X(shrink), X(iagree), X(mourn)
#define ENTRY(name) {#name, name}

int main(int argc, char **argv)
{
    static const struct one cases[] = {ALL(ENTRY), {NULL, NULL}};
    int code = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(WORLD, &rank);
    MPI_Comm_size(WORLD, &size);
    for (int i = 0; i < MANY; i++) {
        counts[i] = 1;
        places[i] = i % (MANY / 2);
        types[i] = MPI_INT;
    }
    MPI_Comm_group(WORLD, &all);
    MPI_Cart_create(WORLD, 1, &size, (int[]){1}, 0, &grid);
    MPI_Comm_set_name(grid, "grid");
    if (rank == size - 1) {
        if (strcmp(argv[1], "mourn") == 0)
            mourn();
        MPI_Recv(in, 1, MPI_INT, 0, 1, WORLD, IGNORE);
    } else
        code = run_case(cases, argv[1]);
    MPI_Group_free(&all);
    MPI_Comm_free(&grid);
    MPI_Finalize();
    return code;
}
