/* Buffers of mpi_f08: descriptors of ISO_Fortran_binding.h, and what MPI is told of them. */
#ifndef GOMPI_FORTRAN_SECTION_H
#define GOMPI_FORTRAN_SECTION_H

#include <stddef.h>
#include <stdint.h>

#include "mpi.h"

/* A descriptor, as far as gfortran's and flang's are the same. The extent of an assumed-size array's last
 * dimension is -1. */
struct gompi_section {
	void *base;
	size_t elem_len;
	int version;
	signed char rank;
	signed char differs[3]; /* attributes and type */
	struct {
		ptrdiff_t lower_bound, extent, sm; /* sm: bytes from one element to the next */
	} dim[];
};

/* A buffer as MPI is told of it. */
struct place {
	void *buf;
	MPI_Count count;
	MPI_Datatype type;
	MPI_Datatype made;                    /* the same, when it has to be freed */
	void *copy;                           /* of a section, on the heap */
	const struct gompi_section *restored; /* where the copy goes back to */
};

/* The first count elements of type in a section. Where it is not contiguous, the place has a datatype of its
 * own: MPI reads and writes the section itself, so that operations that go on after the call can do so. */
int place_typed(struct place *p, const struct gompi_section *s, MPI_Count count, MPI_Datatype type);

/* All of a section, by a copy where it is not contiguous. direction 0: read, else written. */
int place_copied(struct place *p, const struct gompi_section *s, int direction);

/* A section that has to be contiguous: MPI_ERR_BUFFER where it is not. */
int place_dense(struct place *p, const struct gompi_section *s);

/* Tell the error handler of an object of a buffer that cannot be passed. The error code that they return has
 * a text of its own. */
int refuse_comm(MPI_Comm comm, int rc);
int refuse_win(MPI_Win win, int rc);
int refuse_file(MPI_File file, int rc);

/* Ends the use of a place, at the end of the call. */
void place_leave(struct place *p);

#endif
