/* Calls of the program's functions that belong to attributes and reduction operations, and the predefined attributes. */
#include "callback.h"

#include <stddef.h>

#include "mpi.h"

struct gompi_copied gompi_call_copy(uintptr_t function, uintptr_t handle, int keyval, uintptr_t extra, uintptr_t value)
{
	struct gompi_copied copied = {0, 0, 0};
	void *out = NULL;

	copied.code = ((MPI_Comm_copy_attr_function *)function)((MPI_Comm)handle, keyval, (void *)extra, (void *)value, &out, &copied.flag);
	copied.value = (uintptr_t)out;
	return copied;
}

int gompi_call_delete(uintptr_t function, uintptr_t handle, int keyval, uintptr_t value, uintptr_t extra)
{
	return ((MPI_Comm_delete_attr_function *)function)((MPI_Comm)handle, keyval, (void *)value, (void *)extra);
}

void gompi_call_op(uintptr_t function, uintptr_t in, uintptr_t inout, int count, uintptr_t datatype)
{
	MPI_Datatype type = (MPI_Datatype)datatype;

	((MPI_User_function *)function)((void *)in, (void *)inout, &count, &type);
}

void gompi_call_op_large(uintptr_t function, uintptr_t in, uintptr_t inout, int64_t count, uintptr_t datatype)
{
	MPI_Datatype type = (MPI_Datatype)datatype;
	MPI_Count n = count;

	((MPI_User_function_c *)function)((void *)in, (void *)inout, &n, &type);
}

uintptr_t gompi_predefined_attribute(int keyval, int value)
{
	static int values[MPI_UNIVERSE_SIZE - MPI_TAG_UB + 1];

	values[keyval - MPI_TAG_UB] = value;
	return (uintptr_t)&values[keyval - MPI_TAG_UB];
}
