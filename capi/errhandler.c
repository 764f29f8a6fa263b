/* Calls of the program's error handlers. */
#include "errhandler.h"

static __thread struct {
	uintptr_t function, handle;
	int code;
} due __attribute__((tls_model("initial-exec")));

void gompi_set_handler(uintptr_t function, uintptr_t handle, int code)
{
	due.function = function;
	due.handle = handle;
	due.code = code;
}

int gompi_call_handler(int rc)
{
	MPI_Comm_errhandler_function *function = (MPI_Comm_errhandler_function *)due.function;
	MPI_Comm handle = (MPI_Comm)due.handle;
	int code = due.code;

	if (function == 0)
		return rc;
	due.function = 0; /* the handler may call MPI */
	function(&handle, &code);
	return rc == GOMPI_CALLED ? MPI_SUCCESS : code;
}
