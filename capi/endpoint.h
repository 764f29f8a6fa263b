/* The fast engine (zz_fast.h, translated from package runtime/fast) as the hand-written C of this folder uses
 * it. */
#ifndef GOMPI_ENDPOINT_H
#define GOMPI_ENDPOINT_H

#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "../include/mpi.h"

#include "address.h"
#include "init_state.h"
#include "zz_fast.h"

#pragma GCC visibility push(hidden)

/* The endpoint of this process; one that is closed before MPI_Init and after MPI_Finalize. */
extern struct fast_endpoint *gompi_endpoint;

#pragma GCC visibility pop

_Static_assert(sizeof(struct fast_status) == sizeof(MPI_Status), "a status is that of mpi.h");
_Static_assert(FAST_ANY_SOURCE == MPI_ANY_SOURCE && FAST_ANY_TAG == MPI_ANY_TAG &&
                   FAST_UNDEFINED == MPI_UNDEFINED,
               "constants of mpi.h");

/* Sizes of dense predefined datatypes by the low byte of their handles (0x200 to 0x2ff); 0 for all others. */
#define gompi_dense_size gompi_endpoint->objects.datatypes.sizes

/* Reads a word that another process may change, once. */
#define GOMPI_ONCE(word) __atomic_load_n(&(word), __ATOMIC_RELAXED)

#endif
