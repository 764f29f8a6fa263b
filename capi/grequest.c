#include "grequest.h"

#include <string.h>

#include "mpi.h"

struct gompi_queried gompi_call_query(uintptr_t function, uintptr_t extra)
{
	struct gompi_queried queried;
	MPI_Status status;

	memset(&status, 0, sizeof status);
	status.MPI_SOURCE = MPI_ANY_SOURCE;
	status.MPI_TAG = MPI_ANY_TAG;
	queried.code = ((MPI_Grequest_query_function *)function)((void *)extra, &status);
	memcpy(queried.status, &status, sizeof queried.status);
	return queried;
}

int gompi_call_free(uintptr_t function, uintptr_t extra)
{
	return ((MPI_Grequest_free_function *)function)((void *)extra);
}

int gompi_call_cancel(uintptr_t function, uintptr_t extra, int complete)
{
	return ((MPI_Grequest_cancel_function *)function)((void *)extra, complete);
}
