/* What is kept of the shapes of sections: their datatypes, by thread. */
#ifndef GOMPI_FORTRAN_KEPT_H
#define GOMPI_FORTRAN_KEPT_H

#include "section.h"

enum { KEPT_DIMS = 15 };

/* A datatype that is kept, by the shape that it describes. */
struct known {
	MPI_Datatype made, type;
	MPI_Count partitions; /* of count elements each; 0 for a buffer without partitions */
	MPI_Count count;
	MPI_Count times; /* elements of made in the section */
	size_t elem_len;
	int rank;
	ptrdiff_t extent[KEPT_DIMS], sm[KEPT_DIMS];
};

/* Whether a datatype is predefined: those have handles below this one (MPI 5.0, 20.3). */
static inline int is_predefined(MPI_Datatype type)
{
	return (uintptr_t)type < 1 << 10;
}

/* The calling thread's store for sections of a datatype; NULL where nothing can be kept. */
struct shapes *kept_for(const struct gompi_section *s, MPI_Datatype type);

/* What there is for a shape; NULL for none. It stays while the call looks for its other sections. */
const struct known *kept_find(const struct shapes *of, const struct gompi_section *s, MPI_Count partitions,
                              MPI_Count count, MPI_Datatype type);

/* Keeps a committed datatype, and frees the oldest where there is no room. 0: it is the caller's to free. */
int kept_keep(struct shapes *of, const struct gompi_section *s, MPI_Count partitions, MPI_Count count,
              MPI_Datatype type, MPI_Datatype made, MPI_Count times);

/* Whether a shape without a datatype is one of the last that this was asked of: then it pays to make one. */
int kept_recurs(const struct gompi_section *s, MPI_Count count, MPI_Datatype type);

#endif
