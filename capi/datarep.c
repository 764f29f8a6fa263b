/* Calls of the program's functions for data representations of its own (MPI 5.0, 14.5.3). */
#include "datarep.h"

#include "mpi.h"

int gompi_call_extent(uintptr_t function, uintptr_t datatype, int64_t *extent, uintptr_t extra)
{
	MPI_Aint value = 0;
	int code = ((MPI_Datarep_extent_function *)function)((MPI_Datatype)datatype, &value, (void *)extra);

	*extent = value;
	return code;
}

int gompi_call_conversion(uintptr_t function, int wide, uintptr_t userbuf, uintptr_t datatype, int64_t count,
                          uintptr_t filebuf, int64_t position, uintptr_t extra)
{
	if (wide)
            return ((MPI_Datarep_conversion_function_c *)function)(
                (void *)userbuf, (MPI_Datatype)datatype, count, (void *)filebuf, position, (void *)extra);
        return ((MPI_Datarep_conversion_function *)function)(
            (void *)userbuf, (MPI_Datatype)datatype, (int)count, (void *)filebuf, position, (void *)extra);
}
