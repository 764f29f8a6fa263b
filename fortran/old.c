/* Routines that MPI 3.0 removed, whose addresses and displacements are integers of 4 bytes. */
#include <stdlib.h>

#include "entry.h"

void pmpi_address_(void *location, int *address, int *ierror)
{
	MPI_Aint found = 0;
	int rc = MPI_Get_address(location_address(location), &found);

	*address = (int)found;
	if (rc == MPI_SUCCESS && found != *address)
		rc = MPI_ERR_VALUE_TOO_LARGE; /* MPI_Get_address has room for it */
	LEAVE(ierror, rc);
}
WEAK(address_)

#define BOUND(lower, Name) \
	void pmpi_##lower##_(int *datatype, int *result, int *ierror) \
	{ \
		MPI_Aint found = 0; \
		int rc = MPI_##Name((MPI_Datatype)(intptr_t)*datatype, &found); \
		*result = (int)found; \
		LEAVE(ierror, rc); \
	} \
	WEAK(lower##_)
BOUND(type_extent, Type_extent)
BOUND(type_lb, Type_lb)
BOUND(type_ub, Type_ub)

/* n displacements as C has them, NULL where there is no memory. */
static MPI_Aint *displacements(const int *from, int n)
{
	MPI_Aint *all = malloc((size_t)(n > 0 ? n : 1) * sizeof *all);

	for (int i = 0; all != NULL && i < n; i++)
		all[i] = from[i];
	return all;
}

void pmpi_type_hvector_(int *count, int *blocklength, int *stride, int *oldtype, int *newtype, int *ierror)
{
	MPI_Datatype made = MPI_DATATYPE_NULL;
	int rc = MPI_Type_hvector(*count, *blocklength, *stride, (MPI_Datatype)(intptr_t)*oldtype, &made);

	*newtype = (int)(intptr_t)made;
	LEAVE(ierror, rc);
}
WEAK(type_hvector_)

void pmpi_type_hindexed_(int *count, int *blocklengths, int *displs, int *oldtype, int *newtype, int *ierror)
{
	MPI_Datatype made = MPI_DATATYPE_NULL;
	MPI_Aint *wide = displacements(displs, *count);
	int rc = MPI_Type_hindexed(*count, blocklengths, wide, (MPI_Datatype)(intptr_t)*oldtype, &made);

	free(wide);
	*newtype = (int)(intptr_t)made;
	LEAVE(ierror, rc);
}
WEAK(type_hindexed_)

void pmpi_type_struct_(int *count, int *blocklengths, int *displs, int *types, int *newtype, int *ierror)
{
	MPI_Datatype made = MPI_DATATYPE_NULL, room[FEW], *c_types;
	MPI_Aint *wide = displacements(displs, *count);
	int rc = handles_in((void **)room, (void ***)&c_types, types, *count, 1);

	if (rc == MPI_SUCCESS)
		rc = MPI_Type_struct(*count, blocklengths, wide, c_types, &made);
	handles_out((void **)room, (void **)c_types, types, *count, 0);
	free(wide);
	*newtype = (int)(intptr_t)made;
	LEAVE(ierror, rc);
}
WEAK(type_struct_)
