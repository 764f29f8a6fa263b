/* Fast paths: answers that need no Go. Each returns 1 when it has answered. */
#ifndef GOMPI_FAST_H
#define GOMPI_FAST_H

#include <stddef.h>
#include <stdint.h>

#include "mpi.h"

#include "lane.h"
#include "life.h"

static inline int gompi_fast_Comm_rank(MPI_Comm comm, int *rank)
{
	if (comm != MPI_COMM_WORLD || rank == NULL)
		return 0;
	*rank = gompi_world_rank;
	return 1;
}

static inline int gompi_fast_Comm_size(MPI_Comm comm, int *size)
{
	if (comm != MPI_COMM_WORLD || size == NULL)
		return 0;
	*size = gompi_world_size;
	return 1;
}

/* Fixed-size datatypes carry the logarithm of their size in bits 5 to 3 of the handle (MPI 5.0, 20.3). */
static inline int gompi_fast_Get_count(const MPI_Status *status, MPI_Datatype datatype, int *count)
{
	uintptr_t handle = (uintptr_t)datatype;
	if (handle < 0x240 || handle > 0x27f || status == NULL || count == NULL)
		return 0;
	int shift = (handle >> 3) & 7;
	uint64_t bytes = (uint64_t)(uint32_t)status->MPI_internal[0] | (uint64_t)(uint32_t)status->MPI_internal[1] << 32;
	if (bytes >> shift > 0x7fffffff || (bytes & ((1u << shift) - 1)) != 0)
		return 0;
	*count = (int)(bytes >> shift);
	return 1;
}

#endif
