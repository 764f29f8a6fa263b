/* Sections of arrays as buffers. */
#include "section.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "sentinel.h"

/* How many leading dimensions lie in one piece, and their number of elements. */
static int dense_rank(const struct gompi_section *s, ptrdiff_t *elements)
{
	ptrdiff_t n = 1;
	int i = 0;

	for (; i < s->rank; i++) {
		ptrdiff_t extent = s->dim[i].extent;
		if (extent == -1) { /* assumed size: contiguous */
			i = s->rank;
			break;
		}
		if (extent != 1 && s->dim[i].sm != n * (ptrdiff_t)s->elem_len)
			break;
		n *= extent;
	}
	*elements = n;
	return i;
}

static int is_dense(const struct gompi_section *s)
{
	ptrdiff_t n;

	for (int i = 0; i < s->rank; i++)
		if (s->dim[i].extent == 0)
			return 1;
	return dense_rank(s, &n) == s->rank;
}

static struct place plain(const struct gompi_section *s)
{
	return (struct place){.buf = buffer_address(s->base), .made = MPI_DATATYPE_NULL};
}

/* The type of the first n elements of the section's dimensions below rank, in *made; it is made from element,
 * and from inner, the first dimensions in one piece, of which each has size elements. */
static int shape(const struct gompi_section *s, int rank, MPI_Count n, MPI_Datatype element, int dense,
                 MPI_Count dense_size, MPI_Datatype *made)
{
	MPI_Count below = dense_size;
	MPI_Datatype slab, rest = MPI_DATATYPE_NULL;
	int rc;

	if (rank == dense)
		return PMPI_Type_contiguous_c(n, element, made);
	for (int i = dense; i < rank - 1; i++)
		below *= s->dim[i].extent;
	const MPI_Count sm = s->dim[rank - 1].sm, slabs = n / below, left = n % below;
	if ((rc = shape(s, rank - 1, below, element, dense, dense_size, &slab)) != MPI_SUCCESS)
		return rc;
	rc = PMPI_Type_create_hvector_c(slabs, 1, sm, slab, made);
	PMPI_Type_free(&slab);
	if (rc != MPI_SUCCESS || left == 0)
		return rc;
	if ((rc = shape(s, rank - 1, left, element, dense, dense_size, &rest)) == MPI_SUCCESS) {
		MPI_Count ones[2] = {1, 1}, displs[2] = {0, slabs * sm};
		MPI_Datatype parts[2] = {*made, rest}, both;
		rc = PMPI_Type_create_struct_c(2, ones, displs, parts, &both);
		PMPI_Type_free(&rest);
		PMPI_Type_free(made);
		*made = both;
	}
	return rc;
}

int place_typed(struct place *p, const struct gompi_section *s, MPI_Count count, MPI_Datatype type)
{
	MPI_Count size, lb, extent, elements;
	MPI_Datatype element = type;
	ptrdiff_t dense_size;
	int rc;

	*p = plain(s);
	p->count = count;
	p->type = type;
	if (p->buf != s->base || count <= 0 || is_dense(s))
		return MPI_SUCCESS;
	/* What is wrong with the datatype the function itself says. */
	if (type == MPI_DATATYPE_NULL || PMPI_Type_size_c(type, &size) != MPI_SUCCESS ||
	    PMPI_Type_get_extent_c(type, &lb, &extent) != MPI_SUCCESS)
		return MPI_SUCCESS;
	if (size == 0)
		return MPI_SUCCESS;
	const MPI_Count elem_len = (MPI_Count)s->elem_len;
	if (lb != 0 || extent != size || (elem_len % size != 0 && size % elem_len != 0))
		return MPI_ERR_BUFFER; /* a datatype with gaps counts elements that a section skips */
	elements = count * size / elem_len;
	if (elements * elem_len != count * size)
		return MPI_ERR_BUFFER; /* it would end within an element */
	const int dense = dense_rank(s, &dense_size);
	if (elements <= dense_size)
		return MPI_SUCCESS;
	if (size > elem_len)
		rc = PMPI_Type_contiguous_c(elem_len, MPI_BYTE, &element);
	else
		rc = PMPI_Type_contiguous_c(elem_len / size, type, &element);
	if (rc != MPI_SUCCESS)
		return rc;
	rc = shape(s, s->rank, elements, element, dense, dense_size, &p->made);
	PMPI_Type_free(&element);
	if (rc == MPI_SUCCESS)
		rc = PMPI_Type_commit(&p->made);
	p->count = 1;
	p->type = p->made;
	return rc;
}

/* Copies between a section and memory in one piece; returns the end of what it used there. */
static char *copy_section(const struct gompi_section *s, int rank, char *at, char *dense, int back)
{
	if (rank == 0) {
		if (back)
			memcpy(at, dense, s->elem_len);
		else
			memcpy(dense, at, s->elem_len);
		return dense + s->elem_len;
	}
	for (ptrdiff_t i = 0; i < s->dim[rank - 1].extent; i++)
		dense = copy_section(s, rank - 1, at + i * s->dim[rank - 1].sm, dense, back);
	return dense;
}

int place_copied(struct place *p, const struct gompi_section *s, int direction)
{
	size_t bytes = s->elem_len;

	*p = plain(s);
	if (p->buf != s->base || is_dense(s))
		return MPI_SUCCESS;
	for (int i = 0; i < s->rank; i++)
		bytes *= (size_t)s->dim[i].extent;
	if ((p->copy = malloc(bytes)) == NULL)
		return MPI_ERR_NO_MEM;
	copy_section(s, s->rank, s->base, p->copy, 0);
	p->buf = p->copy;
	p->restored = direction != 0 ? s : NULL;
	return MPI_SUCCESS;
}

int place_dense(struct place *p, const struct gompi_section *s)
{
	*p = plain(s);
	return p->buf != s->base || is_dense(s) ? MPI_SUCCESS : MPI_ERR_BUFFER;
}

void place_leave(struct place *p)
{
	if (p->made != MPI_DATATYPE_NULL)
		PMPI_Type_free(&p->made);
	if (p->restored != NULL)
		copy_section(p->restored, p->restored->rank, p->restored->base, p->copy, 1);
	free(p->copy);
}

/* The error code for sections, of class MPI_ERR_BUFFER. */
static int section_code;

static void make_code(void)
{
	section_code = MPI_ERR_BUFFER;
	if (PMPI_Add_error_code(MPI_ERR_BUFFER, &section_code) == MPI_SUCCESS)
		PMPI_Add_error_string(section_code,
				      "a buffer is a section that is not contiguous, which this operation or "
				      "datatype cannot use (docs/fortran.md of gompi)");
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
