/* Values of attributes, which are integers in Fortran (MPI 5.0, 7.7 and 19.3.7). */
#include "../capi/callers.h"

#include "entry.h"

#define VALUES(lower, Type, handle) \
	void pmpi_##lower##_set_attr_(int *object, int *keyval, MPI_Aint *value, int *ierror) \
	{ \
		gompi_with_callers(&fortran_callers); \
		int rc = MPI_##Type##_set_attr((handle)(intptr_t)*object, *keyval, (void *)*value); \
		gompi_with_callers(NULL); \
		LEAVE(ierror, rc); \
	} \
	void pmpi_##lower##_get_attr_(int *object, int *keyval, MPI_Aint *value, int *flag, int *ierror) \
	{ \
		MPI_Aint found = 0; \
		gompi_with_callers(&fortran_callers); \
		int rc = MPI_##Type##_get_attr((handle)(intptr_t)*object, *keyval, &found, flag); \
		gompi_with_callers(NULL); \
		if (rc == MPI_SUCCESS) \
			*value = found; /* 0 where nothing is set */ \
		LEAVE(ierror, rc); \
	} \
	WEAK(lower##_set_attr_) \
	SAME(lower##_set_attr_, lower##_set_attr_f08_) \
	WEAK(lower##_get_attr_) \
	SAME(lower##_get_attr_, lower##_get_attr_f08_)
VALUES(comm, Comm, MPI_Comm)
VALUES(type, Type, MPI_Datatype)
VALUES(win, Win, MPI_Win)

/* The routines of MPI-1, with integers of 4 bytes. */

void pmpi_attr_put_(int *comm, int *keyval, int *value, int *ierror)
{
	gompi_with_callers(&fortran_callers);
	int rc = MPI_Attr_put((MPI_Comm)(intptr_t)*comm, *keyval, (void *)(intptr_t)*value);
	gompi_with_callers(NULL);
	LEAVE(ierror, rc);
}
WEAK(attr_put_)
SAME(attr_put_, attr_put_f08_)

void pmpi_attr_get_(int *comm, int *keyval, int *value, int *flag, int *ierror)
{
	MPI_Aint found = 0;

	gompi_with_callers(&fortran_callers);
	int rc = MPI_Attr_get((MPI_Comm)(intptr_t)*comm, *keyval, &found, flag);
	gompi_with_callers(NULL);
	if (rc == MPI_SUCCESS)
		*value = (int)found;
	LEAVE(ierror, rc);
}
WEAK(attr_get_)
SAME(attr_get_, attr_get_f08_)

void pmpi_attr_delete_(int *comm, int *keyval, int *ierror)
{
	int rc = MPI_Attr_delete((MPI_Comm)(intptr_t)*comm, *keyval);
	LEAVE(ierror, rc);
}
WEAK(attr_delete_)
SAME(attr_delete_, attr_delete_f08_)
