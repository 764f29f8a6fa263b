/* Datatypes that describe sections of arrays. */
#include "shape.h"

#include <stdlib.h>

#include "kept.h"

int dense_rank(const struct gompi_section *s, ptrdiff_t *elements)
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

/* Where element i is, in bytes from the base. */
static MPI_Count place_of_element(const struct gompi_section *s, MPI_Count i)
{
	MPI_Count at = 0;

	for (int d = 0; d < s->rank; d++) {
		at += i % s->dim[d].extent * s->dim[d].sm;
		i /= s->dim[d].extent;
	}
	return at;
}

static MPI_Count elements_of(const struct gompi_section *s)
{
	MPI_Count n = 1;

	for (int d = 0; d < s->rank; d++)
		n *= s->dim[d].extent;
	return n;
}

/* *made, and behind it another type in its place: both are freed. */
static int append(MPI_Datatype *made, MPI_Datatype rest, MPI_Count displ)
{
	MPI_Count ones[2] = {1, 1}, displs[2] = {0, displ};
	MPI_Datatype parts[2] = {*made, rest}, both = MPI_DATATYPE_NULL;
	int rc = PMPI_Type_create_struct_c(2, ones, displs, parts, &both);

	PMPI_Type_free(&rest);
	PMPI_Type_free(made);
	*made = both;
	return rc;
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
	if ((rc = shape(s, rank - 1, left, element, dense, dense_size, &rest)) == MPI_SUCCESS)
		rc = append(made, rest, slabs * sm);
	return rc;
}

/* The type where each element of the section is one or more of type, or a part of one, and nothing lies
 * between. */
static int regular(const struct gompi_section *s, MPI_Count count, MPI_Datatype type, MPI_Count size,
                   MPI_Datatype *made)
{
	const MPI_Count elem_len = (MPI_Count)s->elem_len, elements = count * size / elem_len,
					left = count * size % elem_len / size;
	MPI_Datatype element, rest;
	ptrdiff_t dense_size;
	const int dense = dense_rank(s, &dense_size);
	int rc;

	if (elements + (left > 0) > elements_of(s))
		return MPI_ERR_BUFFER;
	if (size > elem_len)
		rc = PMPI_Type_contiguous_c(elem_len, MPI_BYTE, &element);
	else
		rc = PMPI_Type_contiguous_c(elem_len / size, type, &element);
	if (rc != MPI_SUCCESS)
		return rc;
	rc = shape(s, s->rank, elements, element, dense, dense_size, made);
	PMPI_Type_free(&element);
	if (rc == MPI_SUCCESS && left > 0 && (rc = PMPI_Type_contiguous_c(left, type, &rest)) == MPI_SUCCESS)
		rc = append(made, rest, place_of_element(s, elements));
	return rc;
}

/* Where the bytes of count elements of type are, in their order: what packing makes of the numbers of the
 * bytes. Memory is the program's, of bytes bytes in one piece. */
static int byte_places(MPI_Count count, MPI_Datatype type, MPI_Count bytes, MPI_Count n, MPI_Count *places)
{
	unsigned char *numbers = malloc((size_t)bytes), *packed = malloc((size_t)n);
	int rc = numbers == NULL || packed == NULL ? MPI_ERR_NO_MEM : MPI_SUCCESS;

	for (int shift = 0; rc == MPI_SUCCESS && (bytes - 1) >> shift > 0; shift += 8) {
		MPI_Count position = 0;
		for (MPI_Count i = 0; i < bytes; i++)
			numbers[i] = (unsigned char)(i >> shift);
		rc = PMPI_Pack_c(numbers, count, type, packed, n, &position, MPI_COMM_SELF);
		for (MPI_Count i = 0; i < n; i++)
			places[i] |= (MPI_Count)packed[i] << shift;
	}
	free(numbers);
	free(packed);
	return rc;
}

/* The type of any other: byte by byte. */
static int irregular(const struct gompi_section *s, MPI_Count count, MPI_Datatype type, MPI_Count size,
                     MPI_Count extent, MPI_Datatype *made)
{
	const MPI_Count elem_len = (MPI_Count)s->elem_len, bytes = elements_of(s) * elem_len, n = count * size;
	MPI_Count lb, span, runs = 0;
	int rc = PMPI_Type_get_true_extent_c(type, &lb, &span);

	if (rc != MPI_SUCCESS)
		return rc;
	const MPI_Count last = (count - 1) * extent;
	if (lb + (last < 0 ? last : 0) < 0 || lb + span + (last > 0 ? last : 0) > bytes)
		return MPI_ERR_BUFFER;
	MPI_Count *places = calloc((size_t)n, 3 * sizeof *places), *lengths = places + n, *displs = lengths + n;
	if (places == NULL)
		return MPI_ERR_NO_MEM;
	if ((rc = byte_places(count, type, bytes, n, places)) == MPI_SUCCESS) {
		for (MPI_Count i = 0; i < n; i++) {
			MPI_Count at = place_of_element(s, places[i] / elem_len) + places[i] % elem_len;
			if (runs > 0 && displs[runs - 1] + lengths[runs - 1] == at) {
				lengths[runs - 1]++;
			} else {
				displs[runs] = at;
				lengths[runs++] = 1;
			}
		}
		rc = PMPI_Type_create_hindexed_c(runs, lengths, displs, MPI_BYTE, made);
	}
	free(places);
	return rc;
}

/* Whether each element of a section is one or more of a datatype, or a part of one, with nothing between. */
static int goes_with(MPI_Count elem_len, MPI_Count size, MPI_Count lb, MPI_Count extent)
{
	return lb == 0 && extent == size && (elem_len % size == 0 || size % elem_len == 0);
}

static int make(const struct gompi_section *s, MPI_Count count, MPI_Datatype type, MPI_Datatype *made)
{
	const MPI_Count elem_len = (MPI_Count)s->elem_len;
	MPI_Count size, lb, extent;
	int rc;

	*made = MPI_DATATYPE_NULL;
	if ((rc = PMPI_Type_size_c(type, &size)) != MPI_SUCCESS ||
	    (rc = PMPI_Type_get_extent_c(type, &lb, &extent)) != MPI_SUCCESS)
		return rc;
	if (goes_with(elem_len, size, lb, extent))
		rc = regular(s, count, type, size, made);
	else
		rc = irregular(s, count, type, size, extent, made);
	if (rc == MPI_SUCCESS)
		rc = PMPI_Type_commit(made);
	return rc;
}

int shape_of(const struct gompi_section *s, MPI_Count count, MPI_Datatype type, MPI_Datatype *made, int *kept)
{
	struct shapes *of = kept_for(s, type);
	const struct known *k = kept_find(of, s, 0, count, type);
	int rc;

	*kept = k != NULL;
	if (k != NULL) {
		*made = k->made;
		return MPI_SUCCESS;
	}
	if ((rc = make(s, count, type, made)) == MPI_SUCCESS)
		*kept = kept_keep(of, s, 0, count, type, *made, 1);
	return rc;
}

/* Whether partitions of n elements each lie in a section in the same way, and how many bytes apart. */
static int are_alike(const struct gompi_section *s, MPI_Count n, MPI_Count partitions, MPI_Count *apart)
{
	MPI_Count below = 1;

	for (int d = 0, next; d < s->rank; d = next) {
		MPI_Count extent = s->dim[d].extent;
		for (next = d + 1; next < s->rank && s->dim[next].sm == extent * s->dim[d].sm; next++)
			extent *= s->dim[next].extent;
		/* A partition is some slabs, of which there are enough. */
		if (n % below == 0 && n * partitions <= below * extent) {
			*apart = n / below * s->dim[d].sm;
			return 1;
		}
		below *= extent;
	}
	return 0;
}

int shape_of_partitions(const struct gompi_section *s, MPI_Count partitions, MPI_Count count,
                        MPI_Datatype type, MPI_Datatype *made, MPI_Count *times, int *kept)
{
	const MPI_Count elem_len = (MPI_Count)s->elem_len;
	struct shapes *of = kept_for(s, type);
	const struct known *k = kept_find(of, s, partitions, count, type);
	MPI_Datatype one;
	MPI_Count size, lb, extent, apart;
	int one_kept, rc;

	*kept = k != NULL;
	if (k != NULL) {
		*made = k->made;
		*times = k->times;
		return MPI_SUCCESS;
	}
	*made = MPI_DATATYPE_NULL;
	if ((rc = PMPI_Type_size_c(type, &size)) != MPI_SUCCESS ||
	    (rc = PMPI_Type_get_extent_c(type, &lb, &extent)) != MPI_SUCCESS)
		return rc;
	const int alike = goes_with(elem_len, size, lb, extent) && count * size % elem_len == 0 &&
	                  are_alike(s, count * size / elem_len, partitions, &apart);
	*times = alike ? partitions : 1;
	if ((rc = shape_of(s, alike ? count : partitions * count, type, &one, &one_kept)) != MPI_SUCCESS)
		return rc;
	if ((rc = PMPI_Type_create_resized_c(one, 0, alike ? apart : 1, made)) == MPI_SUCCESS &&
	    (rc = PMPI_Type_commit(made)) == MPI_SUCCESS)
		*kept = kept_keep(of, s, partitions, count, type, *made, *times);
	if (!one_kept)
		PMPI_Type_free(&one);
	return rc;
}
