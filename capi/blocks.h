/* The blocks of collective operations in which they may differ in size, as the stubs deal with them. */
#ifndef GOMPI_BLOCKS_H
#define GOMPI_BLOCKS_H

#include "endpoint.h"

/* Blocks of dense data, one for each rank. */
struct gompi_blocks {
	char *base;
	const int *counts, *displs;
	const MPI_Datatype *types; /* of each, with displs in bytes; NULL when all have elements of `each` bytes, in which displs count */
	unsigned each;
};

/* The size of an element of a dense type, 0 for all others. */
static inline unsigned gompi_element_size(MPI_Datatype datatype)
{
	uintptr_t type = (uintptr_t)datatype - 0x200;

	return type <= 0xff ? gompi_dense_size[type] : 0;
}

/* The blocks in a buffer; 0 when they are for Go. */
static inline int gompi_blocks_of(struct gompi_blocks *b, const void *buf, const int counts[], const int displs[], MPI_Datatype datatype)
{
	*b = (struct gompi_blocks){(char *)(uintptr_t)buf, counts, displs, NULL, gompi_element_size(datatype)};
	return b->each != 0 && !gompi_nowhere(counts) && !gompi_nowhere(displs);
}

static inline int gompi_typed_blocks_of(struct gompi_blocks *b, const void *buf, const int counts[], const int displs[], const MPI_Datatype types[])
{
	*b = (struct gompi_blocks){(char *)(uintptr_t)buf, counts, displs, types, 0};
	return !gompi_nowhere(counts) && !gompi_nowhere(displs) && !gompi_nowhere(types);
}

/* The size of the block for a rank in bytes, negative when it is for Go. */
static inline int64_t gompi_block_size(const struct gompi_blocks *b, uint32_t rank)
{
	int64_t count = b->counts[rank];
	unsigned each = b->types != NULL ? gompi_element_size(b->types[rank]) : b->each;

	return each == 0 || (count > 0 && gompi_nowhere(b->base)) ? -1 : count * each;
}

static inline char *gompi_block_at(const struct gompi_blocks *b, uint32_t rank)
{
	return b->base + (int64_t)b->displs[rank] * (b->types != NULL ? 1 : b->each);
}

#endif
