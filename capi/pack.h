/* Packing without a call into Go; 1 when it is done. */
#ifndef GOMPI_PACK_H
#define GOMPI_PACK_H

#include "../include/mpi.h"

#pragma GCC visibility push(hidden)

int gompi_fast_Pack(const void *inbuf, int incount, MPI_Datatype datatype, void *outbuf, int outsize,
                    int *position, MPI_Comm comm);
int gompi_fast_Unpack(const void *inbuf, int insize, int *position, void *outbuf, int outcount,
                      MPI_Datatype datatype, MPI_Comm comm);
int gompi_fast_Pack_external(const char *datarep, const void *inbuf, int incount, MPI_Datatype datatype,
                             void *outbuf, MPI_Aint outsize, MPI_Aint *position);
int gompi_fast_Unpack_external(const char *datarep, const void *inbuf, MPI_Aint insize, MPI_Aint *position,
                               void *outbuf, int outcount, MPI_Datatype datatype);

#pragma GCC visibility pop

#endif
