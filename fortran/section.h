/* Buffers of mpi_f08: descriptors of ISO_Fortran_binding.h, and what MPI is told of them. */
#ifndef GOMPI_FORTRAN_SECTION_H
#define GOMPI_FORTRAN_SECTION_H

#include <stddef.h>
#include <stdint.h>

#include "mpi.h"

#include "sentinel.h"

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
	MPI_Datatype layout;                  /* of all partitions */
	void *copy;                           /* of a section, on the heap */
	const struct gompi_section *restored; /* where the copy goes back to */
	struct follower *follower;            /* what goes on with the copy after the call */
};

#define NOWHERE \
	{ \
		.made = MPI_DATATYPE_NULL, .layout = MPI_DATATYPE_NULL \
	}

/* Whether the elements lie in one piece, or there are none. */
static inline int is_dense(const struct gompi_section *s)
{
	ptrdiff_t bytes = (ptrdiff_t)s->elem_len;
	int dense = 1;

	for (int i = 0; i < s->rank; i++) {
		const ptrdiff_t extent = s->dim[i].extent;
		if (extent == 0)
			return 1;
		if (extent == -1) /* assumed size */
			break;
		if (extent != 1 && s->dim[i].sm != bytes)
			dense = 0;
		bytes *= extent;
	}
	return dense;
}

/* Sets a buffer that needs no more than its address; 0 for others. */
static inline int place_plain(struct place *p, const struct gompi_section *s, MPI_Count count,
                              MPI_Datatype type)
{
	p->buf = buffer_address(s->base);
	p->count = count;
	p->type = type;
	return p->buf != s->base || is_dense(s);
}

/* The first count elements of type in a section. Where it is not contiguous, the place has a datatype of its
 * own: MPI reads and writes the section itself, so that operations that go on after the call can do so. */
int place_described(struct place *p, const struct gompi_section *s, MPI_Count count, MPI_Datatype type);
static inline int place_typed(struct place *p, const struct gompi_section *s, MPI_Count count,
                              MPI_Datatype type)
{
	return place_plain(p, s, count, type) ? MPI_SUCCESS : place_described(p, s, count, type);
}

/* The same for an operation that ends with the call: a small section is copied, which is quicker. direction
 * as for place_copied. */
int place_small(struct place *p, const struct gompi_section *s, MPI_Count count, MPI_Datatype type,
                int direction);
static inline int place_called(struct place *p, const struct gompi_section *s, MPI_Count count,
                               MPI_Datatype type, int direction)
{
	return place_plain(p, s, count, type) ? MPI_SUCCESS : place_small(p, s, count, type, direction);
}

/* The same for messages, where a datatype is quicker once it is there: shapes that come again get one. */
int place_message(struct place *p, const struct gompi_section *s, MPI_Count count, MPI_Datatype type,
                  int direction);
static inline int place_sent(struct place *p, const struct gompi_section *s, MPI_Count count,
                             MPI_Datatype type, int direction)
{
	return place_plain(p, s, count, type) ? MPI_SUCCESS : place_message(p, s, count, type, direction);
}

/* All of a section, by a copy where it is not contiguous. direction 0: read, else written. The place is
 * NOWHERE before. */
int place_copied(struct place *p, const struct gompi_section *s, int direction);

/* The same for an operation that goes on after the call. Of a section that is written, only what the
 * operation has changed is copied back; those of persistent requests are copied in each round. */
int place_followed(struct place *p, const struct gompi_section *s, int direction);

/* Ends the use of such a place when the operation has ended that request stands for; at once where rc says
 * that there is none. */
void place_follow(struct place *p, MPI_Request request, int rc);

/* Partitions of count elements of type each. The function of MPI gets the address alone; of a section that is
 * not contiguous place_lay_out tells MPI more, when the request is there. It returns rc or its error code. */
int place_partitioned(struct place *p, const struct gompi_section *s, MPI_Count partitions, MPI_Count count,
                      MPI_Datatype type);
int place_lay_out(const struct place *p, MPI_Request request, int rc);

/* Tell the error handler of an object of a buffer that cannot be passed. The error code that they return has
 * a text of its own. */
int refuse_comm(MPI_Comm comm, int rc);
int refuse_win(MPI_Win win, int rc);
int refuse_file(MPI_File file, int rc);

/* Ends the use of a place, at the end of the call. */
void place_end(struct place *p);
static inline void place_leave(struct place *p)
{
	if (p->made != MPI_DATATYPE_NULL || p->copy != NULL)
		place_end(p);
}

#endif
