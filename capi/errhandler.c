/* Calls of the program's error handlers. */
#include "errhandler.h"

#include "thread.h"

void gompi_set_handler(uintptr_t function, uintptr_t handle, int code)
{
	gompi_thread->function = function;
	gompi_thread->handle = handle;
	gompi_thread->code = code;
}

int gompi_call_handler(int rc)
{
	MPI_Comm_errhandler_function *function = (MPI_Comm_errhandler_function *)gompi_thread->function;
	MPI_Comm handle = (MPI_Comm)gompi_thread->handle;
	int code = gompi_thread->code;

	if (function == 0)
		return rc;
	gompi_thread->function = 0; /* the handler may call MPI */
	function(&handle, &code);
	return rc == GOMPI_CALLED ? MPI_SUCCESS : code;
}
