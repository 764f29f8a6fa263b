/* Packing without a call into Go; 1 when it is done. */
#ifndef GOMPI_PACK_H
#define GOMPI_PACK_H

#include "mpi.h"

#pragma GCC visibility push(hidden)

int gompi_fast_Pack(const void *inbuf, int incount, MPI_Datatype datatype, void *outbuf, int outsize,
                    int *position, MPI_Comm comm);
int gompi_fast_Unpack(const void *inbuf, int insize, int *position, void *outbuf, int outcount,
                      MPI_Datatype datatype, MPI_Comm comm);

#pragma GCC visibility pop

#endif
