/* Combining few elements by the predefined operations, as package op does: the same bits come out. */
#ifndef GOMPI_COMBINE_H
#define GOMPI_COMBINE_H

#include <stddef.h>
#include <stdint.h>

#include "mpi.h"

#include "endpoint.h"
#include "zz_window.h"

/* Computes out[i] = a[i] op b[i] for n elements. out may be a or b. */
typedef void gompi_kernel(void *out, const void *a, const void *b, size_t n);

enum { GOMPI_OPS = 32, GOMPI_FIRST_OP = 0x20 };

#pragma GCC visibility push(hidden)

/* Which kind of element a predefined datatype is for an operation, both by handle; 0 where the operation does not accept
 * the type, or the stubs do not combine it. Go writes it. */
extern uint8_t gompi_reductions[GOMPI_OPS][256];

/* The kernels by operation and kind of element. */
extern gompi_kernel *const gompi_kernels[GOMPI_OPS][GOMPI_ELEMENTS];

#pragma GCC visibility pop

/* The kernel of an operation for a datatype; NULL when the stubs have none. */
static inline gompi_kernel *gompi_kernel_of(MPI_Op op, MPI_Datatype datatype)
{
	uintptr_t o = (uintptr_t)op - GOMPI_FIRST_OP, type = (uintptr_t)datatype - 0x200;

	return o < GOMPI_OPS && type <= 0xff ? gompi_kernels[o][gompi_reductions[o][type]] : NULL;
}

#endif
