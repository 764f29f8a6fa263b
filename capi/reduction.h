/* Reductions of little data as the stubs carry them out: contributions are combined in the order that package coll gives them. */
#ifndef GOMPI_REDUCTION_H
#define GOMPI_REDUCTION_H

#include "combine.h"
#include "endpoint.h"

/* What a reduction does with elements. */
struct gompi_reduction {
	gompi_kernel *combine;
	unsigned size; /* of an element, in bytes */
	int bytes;     /* of a contribution */
};

/* Finds out what to do; 0 when that is for Go. A contribution in place stands in out. */
static inline int gompi_reduction_of(struct gompi_reduction *r, const void *buf, int count, MPI_Datatype datatype, MPI_Op op)
{
	r->bytes = gompi_size_of(buf, count, datatype);
	if (r->bytes <= 0)
		return 0;
	r->combine = gompi_kernel_of(op, datatype);
	r->size = gompi_dense_size[(uintptr_t)datatype - 0x200];
	return r->combine != NULL;
}

/* The elements of all n ranks in a reduction whose result is dealt out by counts, and where those of rank me begin; negative when that
 * is for Go. */
static inline int gompi_dealt(const int counts[], uint32_t n, uint32_t me, int *begin)
{
	int64_t total = 0, first = 0;

	if (gompi_nowhere(counts))
		return -1;
	for (uint32_t r = 0; r < n; r++) {
		if (counts[r] < 0)
			return -1;
		if (r == me)
			first = total;
		total += counts[r];
	}
	*begin = (int)first;
	return total > INT_MAX ? -1 : (int)total;
}

#pragma GCC visibility push(hidden)

/* Combines that many bytes of the contributions of n ranks. out may be one of the contributions. */
void gompi_combine_all(const struct gompi_reduction *r, const char *values[], uint32_t n, char *out, int64_t bytes);

/* Combines what the ranks below end contribute, from the highest down, each with all above it. */
void gompi_combine_prefix(const struct gompi_reduction *r, const char *values[], uint32_t end, char *out);

#pragma GCC visibility pop

#endif
