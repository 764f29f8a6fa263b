/* Datatypes that describe sections of arrays. */
#ifndef GOMPI_FORTRAN_SHAPE_H
#define GOMPI_FORTRAN_SHAPE_H

#include "section.h"

/* How many leading dimensions lie in one piece, and their number of elements. */
int dense_rank(const struct gompi_section *s, ptrdiff_t *elements);

/* The committed datatype of the first count elements of type in a section, in *made. *kept says that it is
 * one that stays for the next call; the caller frees the others. MPI_ERR_BUFFER where the section ends
 * before. */
int shape_of(const struct gompi_section *s, MPI_Count count, MPI_Datatype type, MPI_Datatype *made,
             int *kept);

/* The datatype of which *times elements are partitions of count elements of type each, in a section: one for
 * each partition where all of them lie in the same way, else one for all. *kept as in shape_of. */
int shape_of_partitions(const struct gompi_section *s, MPI_Count partitions, MPI_Count count,
                        MPI_Datatype type, MPI_Datatype *made, MPI_Count *times, int *kept);

#endif
