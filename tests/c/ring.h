/* Ranks in a ring, each of which receives from the one ahead; whether calls may be refused at random. */
#ifndef RING_H
#define RING_H

#include "refusals.h"

static int from, to, mixed;

/* Initializes MPI as well, for one thread. */
static void ring_begin(int argc, char **argv)
{
    refusals_begin(&argc, &argv);
    CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    mixed = argc > 1;
    from = (me + np - 1) % np;
    to = (me + 1) % np;
}

#endif
