/* The program's error handlers are called from the stubs, after Go has returned, so that they may leave by
 * longjmp or by an exception of C++: the frames that these pass by are those of C. */
#ifndef GOMPI_ERRHANDLER_H
#define GOMPI_ERRHANDLER_H

#include <limits.h>
#include <stdint.h>

#include "mpi.h"

/* What Go returns for an MPI_*_call_errhandler that succeeds: the handler is to be called, and the result
 * is MPI_SUCCESS. */
#define GOMPI_CALLED INT_MIN

#pragma GCC visibility push(hidden)

/* Called by Go at the end of a call: its stub is to call function with the object's handle and the code. */
void gompi_set_handler(uintptr_t function, uintptr_t handle, int code);

/* Calls the handler that Go has set, if any. Returns the code as the handler leaves it. */
int gompi_call_handler(int rc);

#pragma GCC visibility pop

/* Ends a call whose export has returned rc. */
static inline int gompi_done(int rc)
{
	return __builtin_expect(rc == MPI_SUCCESS, 1) ? rc : gompi_call_handler(rc);
}

#endif
