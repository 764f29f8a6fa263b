/* Sections of arrays as buffers. */
#include "section.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "../capi/callers.h"
#include "kept.h"
#include "sentinel.h"
#include "shape.h"

/* Copies n elements of size bytes that are apart by different strides. */
static void copy_row(char *to, ptrdiff_t to_stride, const char *from, ptrdiff_t from_stride, ptrdiff_t n,
                     size_t size)
{
	if (to_stride == (ptrdiff_t)size && from_stride == (ptrdiff_t)size) { /* the inner part of a block */
		memcpy(to, from, (size_t)n * size);
		return;
	}
	switch (size) { /* of the usual ones the compiler knows how to copy them */
	case 4:
		for (ptrdiff_t i = 0; i < n; i++)
			memcpy(to + i * to_stride, from + i * from_stride, 4);
		break;
	case 8:
		for (ptrdiff_t i = 0; i < n; i++)
			memcpy(to + i * to_stride, from + i * from_stride, 8);
		break;
	default:
		for (ptrdiff_t i = 0; i < n; i++)
			memcpy(to + i * to_stride, from + i * from_stride, size);
	}
}

/* Copies the elements of a section, of rank 1 at least, to memory in one piece. */
static char *copy_in(const struct gompi_section *s, int rank, const char *at, char *dense)
{
	const ptrdiff_t n = s->dim[rank - 1].extent, sm = s->dim[rank - 1].sm, size = (ptrdiff_t)s->elem_len;

	if (rank == 1) {
		copy_row(dense, size, at, sm, n, s->elem_len);
		return dense + n * size;
	}
	for (ptrdiff_t i = 0; i < n; i++)
		dense = copy_in(s, rank - 1, at + i * sm, dense);
	return dense;
}

/* Copies them back; where before is not NULL only those that differ from what stands there. */
static ptrdiff_t copy_out(const struct gompi_section *s, int rank, char *at, const char *dense,
                          const char *before, ptrdiff_t done)
{
	const ptrdiff_t n = s->dim[rank - 1].extent, sm = s->dim[rank - 1].sm, size = (ptrdiff_t)s->elem_len;

	if (rank == 1 && before == NULL) {
		copy_row(at, sm, dense + done, size, n, s->elem_len);
		return done + n * size;
	}
	for (ptrdiff_t i = 0; i < n; i++, at += sm) {
		if (rank > 1) {
			done = copy_out(s, rank - 1, at, dense, before, done);
			continue;
		}
		if (memcmp(dense + done, before + done, s->elem_len) != 0)
			memcpy(at, dense + done, s->elem_len);
		done += size;
	}
	return done;
}

enum { SMALL = 2048 }; /* bytes that are rather copied than described, if the call is the only one */

static size_t bytes_of(const struct gompi_section *s)
{
	size_t bytes = s->elem_len;

	for (int i = 0; i < s->rank; i++)
		bytes *= (size_t)s->dim[i].extent;
	return bytes;
}

/* The copy itself, where there has to be one. */
static int make_copy(struct place *p, const struct gompi_section *s, int direction)
{
	if ((p->copy = malloc(bytes_of(s))) == NULL)
		return MPI_ERR_NO_MEM;
	copy_in(s, s->rank, s->base, p->copy);
	p->buf = p->copy;
	p->restored = direction != 0 ? s : NULL;
	return MPI_SUCCESS;
}

int place_copied(struct place *p, const struct gompi_section *s, int direction)
{
	return place_plain(p, s, 0, MPI_DATATYPE_NULL) ? MPI_SUCCESS : make_copy(p, s, direction);
}

/* A copy that an operation works on after the call. The program may do what it likes with elements that the
 * operation does not write, such as those behind its count, or all where the rank is not the root. */
struct follower {
	char *copy, *before; /* before: what there was at the begin of a round; NULL where nothing is written */
	struct gompi_section section;
};

static void follow(void *arg, int what)
{
	struct follower *f = arg;
	const struct gompi_section *s = &f->section;

	switch (what) {
	case GOMPI_FOLLOW_BEGIN:
		copy_in(s, s->rank, s->base, f->copy);
		if (f->before != NULL)
			memcpy(f->before, f->copy, bytes_of(s));
		break;
	case GOMPI_FOLLOW_END:
		if (f->before != NULL)
			copy_out(s, s->rank, s->base, f->copy, f->before, 0);
		break;
	default:
		free(f->copy);
		free(f->before);
		free(f);
	}
}

int place_followed(struct place *p, const struct gompi_section *s, int direction)
{
	const size_t dims = (size_t)s->rank * sizeof s->dim[0];
	int rc = place_copied(p, s, direction);

	if (rc != MPI_SUCCESS || p->copy == NULL)
		return rc;
	struct follower *f = p->follower = malloc(sizeof *f + dims);
	if (f == NULL)
		return MPI_ERR_NO_MEM;
	memcpy(&f->section, s, sizeof *s + dims);
	f->copy = p->copy;
	f->before = NULL;
	if (direction != 0) {
		if ((f->before = malloc(bytes_of(s))) == NULL)
			return MPI_ERR_NO_MEM;
		memcpy(f->before, f->copy, bytes_of(s));
	}
	return MPI_SUCCESS;
}

void place_follow(struct place *p, MPI_Request request, int rc)
{
	if (p->follower != NULL && rc == MPI_SUCCESS) {
		gompi_follow(request, follow, p->follower);
		return;
	}
	if (p->follower != NULL)
		free(p->follower->before);
	free(p->follower);
	free(p->copy);
}

/* What is wrong with the arguments the function itself says. */
static int has_data(MPI_Count count, MPI_Datatype type)
{
	int size; /* MPI_UNDEFINED for one that it cannot hold */

	return count > 0 && type != MPI_DATATYPE_NULL && PMPI_Type_size(type, &size) == MPI_SUCCESS && size != 0;
}

int place_partitioned(struct place *p, const struct gompi_section *s, MPI_Count partitions, MPI_Count count,
                      MPI_Datatype type)
{
	MPI_Count all;
	int kept, rc;

	if (place_plain(p, s, count, type) || partitions < 1 || !has_data(count, type) ||
	    __builtin_mul_overflow(partitions, count, &all))
		return MPI_SUCCESS;
	rc = shape_of_partitions(s, partitions, count, type, &p->layout, &p->count, &kept);
	if (!kept)
		p->made = p->layout;
	return rc;
}

int place_lay_out(const struct place *p, MPI_Request request, int rc)
{
	return rc != MPI_SUCCESS || p->layout == MPI_DATATYPE_NULL
	           ? rc
	           : gompi_lay_out(request, p->buf, p->count, p->layout);
}

/* What most calls with a section need; 0 where its shape has no datatype yet. */
static int place_kept(struct place *p, const struct gompi_section *s, MPI_Count count, MPI_Datatype type)
{
	const struct known *k = kept_find(kept_for(s, type), s, 0, count, type);

	if (k == NULL)
		return 0;
	p->count = 1;
	p->type = k->made;
	return 1;
}

int place_described(struct place *p, const struct gompi_section *s, MPI_Count count, MPI_Datatype type)
{
	MPI_Datatype made;
	int kept, rc;

	if (place_kept(p, s, count, type) || !has_data(count, type))
		return MPI_SUCCESS;
	rc = shape_of(s, count, type, &made, &kept);
	p->count = 1;
	p->type = made;
	if (!kept)
		p->made = made;
	return rc;
}

int place_small(struct place *p, const struct gompi_section *s, MPI_Count count, MPI_Datatype type,
                int direction)
{
	const size_t bytes = bytes_of(s);
	MPI_Aint lb, extent;

	if (bytes <= SMALL && count > 0 && is_predefined(type) && type != MPI_DATATYPE_NULL &&
	    PMPI_Type_get_extent(type, &lb, &extent) == MPI_SUCCESS && (size_t)(count * extent) == bytes)
		return make_copy(p, s, direction);
	return place_described(p, s, count, type);
}

int place_message(struct place *p, const struct gompi_section *s, MPI_Count count, MPI_Datatype type,
                  int direction)
{
	if (place_kept(p, s, count, type))
		return MPI_SUCCESS;
	return bytes_of(s) <= SMALL && kept_recurs(s, count, type) ? place_described(p, s, count, type)
	                                                           : place_small(p, s, count, type, direction);
}

void place_end(struct place *p)
{
	if (p->made != MPI_DATATYPE_NULL)
		PMPI_Type_free(&p->made);
	if (p->restored != NULL)
		copy_out(p->restored, p->restored->rank, p->restored->base, p->copy, NULL, 0);
	free(p->copy);
}

/* The error code for sections, of class MPI_ERR_BUFFER. */
static int section_code;

static void make_code(void)
{
	section_code = MPI_ERR_BUFFER;
	if (PMPI_Add_error_code(MPI_ERR_BUFFER, &section_code) == MPI_SUCCESS)
		PMPI_Add_error_string(section_code,
		                      "a buffer is a section of an array that is smaller than the count says");
}

static int explained(int rc)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	if (rc != MPI_ERR_BUFFER)
		return rc;
	pthread_once(&once, make_code);
	return section_code;
}

int refuse_comm(MPI_Comm comm, int rc)
{
	rc = explained(rc);
	PMPI_Comm_call_errhandler(comm, rc);
	return rc;
}

int refuse_win(MPI_Win win, int rc)
{
	rc = explained(rc);
	PMPI_Win_call_errhandler(win, rc);
	return rc;
}

int refuse_file(MPI_File file, int rc)
{
	rc = explained(rc);
	PMPI_File_call_errhandler(file, rc);
	return rc;
}
