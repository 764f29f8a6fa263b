/* Calls of the program's functions for data representations of its own. */
#ifndef GOMPI_DATAREP_H
#define GOMPI_DATAREP_H

#include <stdint.h>

#pragma GCC visibility push(hidden)

int gompi_call_extent(uintptr_t function, uintptr_t datatype, int64_t *extent, uintptr_t extra);

/* wide: the function takes an MPI_Count. */
int gompi_call_conversion(uintptr_t function, int wide, uintptr_t userbuf, uintptr_t datatype, int64_t count,
                          uintptr_t filebuf, int64_t position, uintptr_t extra);

#pragma GCC visibility pop

#endif
