/* Windows over every kind of memory, for tests that treat them all alike. */
#ifndef GOMPI_TESTS_WINDOW_H
#define GOMPI_TESTS_WINDOW_H

#include "check.h"

enum memory { ALLOCATED, SHARED, ALLOC_MEM, PRIVATE, DYNAMIC, DYNAMIC_ALLOC_MEM, MEMORIES };

static const char *const memory_names[] = {"MPI_Win_allocate", "MPI_Win_allocate_shared", "MPI_Alloc_mem", "malloc", "dynamic", "dynamic MPI_Alloc_mem"};

struct window {
    MPI_Win win;
    enum memory memory;
    char *own;       /* this rank's memory */
    MPI_Aint *base;  /* displacement of each rank's memory in operations, in bytes */
};

/* share_node reports whether all ranks can share memory. */
CHECK_UNUSED
static int share_node(void)
{
    static int known, share;
    if (!known) {
        MPI_Comm node;
        int n;
        CHECK_MPI(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node));
        CHECK_MPI(MPI_Comm_size(node, &n));
        CHECK_MPI(MPI_Comm_free(&node));
        known = 1;
        share = n == np;
    }
    return share;
}

/* memory_after is the kind of memory that a test goes on with: ranks of several nodes share none. */
CHECK_UNUSED
static int memory_after(int memory)
{
    return memory + 1 == SHARED && !share_node() ? SHARED + 1 : memory + 1;
}

/* window_open makes a window with size bytes per rank, all zero, in displacement units of a byte; errors
 * return. */
CHECK_UNUSED
static struct window window_open(enum memory memory, MPI_Aint size)
{
    struct window w = {
        .win = MPI_WIN_NULL, .memory = memory, .own = NULL, .base = calloc((size_t)np, sizeof(MPI_Aint))};

    switch (memory) {
    case ALLOCATED:
        CHECK_MPI(MPI_Win_allocate(size, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &w.own, &w.win));
        break;
    case SHARED:
        CHECK_MPI(MPI_Win_allocate_shared(size, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &w.own, &w.win));
        break;
    default:
        if (memory == ALLOC_MEM || memory == DYNAMIC_ALLOC_MEM)
            CHECK_MPI(MPI_Alloc_mem(size, MPI_INFO_NULL, &w.own));
        else
            w.own = malloc((size_t)size);
        if (memory == ALLOC_MEM || memory == PRIVATE) {
            CHECK_MPI(MPI_Win_create(w.own, size, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &w.win));
            break;
        }
        CHECK_MPI(MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &w.win));
        CHECK_MPI(MPI_Win_attach(w.win, w.own, size));
        CHECK_MPI(MPI_Get_address(w.own, &w.base[me]));
        CHECK_MPI(MPI_Allgather(MPI_IN_PLACE, 0, MPI_AINT, w.base, 1, MPI_AINT, MPI_COMM_WORLD));
    }
    if (size > 0)
        memset(w.own, 0, (size_t)size);
    CHECK_MPI(MPI_Win_set_errhandler(w.win, MPI_ERRORS_RETURN));
    CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
    return w;
}

CHECK_UNUSED
static void window_close(struct window *w)
{
    if (w->memory == DYNAMIC)
        CHECK_MPI(MPI_Win_detach(w->win, w->own));
    CHECK_MPI(MPI_Win_free(&w->win));
    CHECK(w->win == MPI_WIN_NULL);
    if (w->memory == ALLOC_MEM || w->memory == DYNAMIC_ALLOC_MEM)
        CHECK_MPI(MPI_Free_mem(w->own));
    else if (w->memory == PRIVATE || w->memory == DYNAMIC)
        free(w->own);
    free(w->base);
}

#endif
