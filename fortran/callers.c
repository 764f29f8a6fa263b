/* Calls of functions written in Fortran, which take all arguments by reference (MPI 5.0, 19.1.19), and the
 * routines that give them to MPI. Reduction functions and error handlers need none: a pointer to a handle of
 * C is one to an integer on little-endian machines. */
#include "../capi/callers.h"

#include <string.h>

#include "entry.h"

typedef void copy_function(int *object, int *keyval, MPI_Aint *extra, MPI_Aint *in, MPI_Aint *out, int *flag,
                           int *ierror);
typedef void delete_function(int *object, int *keyval, MPI_Aint *value, MPI_Aint *extra, int *ierror);
typedef void query_function(MPI_Aint *extra, MPI_Status *status, int *ierror);
typedef void free_function(MPI_Aint *extra, int *ierror);
typedef void cancel_function(MPI_Aint *extra, int *complete, int *ierror);
typedef void extent_function(int *datatype, MPI_Aint *extent, MPI_Aint *extra, int *ierror);
typedef void convert_function(void *userbuf, int *datatype, int *count, void *filebuf, MPI_Offset *position,
                              MPI_Aint *extra, int *ierror);
typedef void convert_function_c(void *userbuf, int *datatype, MPI_Count *count, void *filebuf,
                                MPI_Offset *position, MPI_Aint *extra, int *ierror);
/* Of MPI-1: integers in the place of addresses. */
typedef void old_copy_function(int *comm, int *keyval, int *extra, int *in, int *out, int *flag, int *ierror);
typedef void old_delete_function(int *comm, int *keyval, int *value, int *extra, int *ierror);

static int call_copy(uintptr_t function, uintptr_t handle, int keyval, uintptr_t extra, uintptr_t value,
                     uintptr_t *copied, int *flag)
{
	int object = (int)handle, ierror = MPI_SUCCESS;
	MPI_Aint state = (MPI_Aint)extra, in = (MPI_Aint)value, out = 0;

	((copy_function *)function)(&object, &keyval, &state, &in, &out, flag, &ierror);
	*copied = (uintptr_t)out;
	return ierror;
}

static int call_delete(uintptr_t function, uintptr_t handle, int keyval, uintptr_t value, uintptr_t extra)
{
	int object = (int)handle, ierror = MPI_SUCCESS;
	MPI_Aint state = (MPI_Aint)extra, old = (MPI_Aint)value;

	((delete_function *)function)(&object, &keyval, &old, &state, &ierror);
	return ierror;
}

static int call_old_copy(uintptr_t function, uintptr_t handle, int keyval, uintptr_t extra, uintptr_t value,
                         uintptr_t *copied, int *flag)
{
	int object = (int)handle, state = (int)extra, in = (int)value, out = 0, ierror = MPI_SUCCESS;

	((old_copy_function *)function)(&object, &keyval, &state, &in, &out, flag, &ierror);
	*copied = (uintptr_t)(intptr_t)out;
	return ierror;
}

static int call_old_delete(uintptr_t function, uintptr_t handle, int keyval, uintptr_t value, uintptr_t extra)
{
	int object = (int)handle, state = (int)extra, old = (int)value, ierror = MPI_SUCCESS;

	((old_delete_function *)function)(&object, &keyval, &old, &state, &ierror);
	return ierror;
}

static int call_query(uintptr_t function, uintptr_t extra, MPI_Status *status)
{
	MPI_Aint state = (MPI_Aint)extra;
	int ierror = MPI_SUCCESS;

	((query_function *)function)(&state, status, &ierror);
	return ierror;
}

static int call_free(uintptr_t function, uintptr_t extra)
{
	MPI_Aint state = (MPI_Aint)extra;
	int ierror = MPI_SUCCESS;

	((free_function *)function)(&state, &ierror);
	return ierror;
}

static int call_cancel(uintptr_t function, uintptr_t extra, int complete)
{
	MPI_Aint state = (MPI_Aint)extra;
	int ierror = MPI_SUCCESS;

	((cancel_function *)function)(&state, &complete, &ierror);
	return ierror;
}

static int call_extent(uintptr_t function, MPI_Datatype datatype, MPI_Aint *extent, uintptr_t extra)
{
	int type = (int)(intptr_t)datatype, ierror = MPI_SUCCESS;
	MPI_Aint state = (MPI_Aint)extra;

	((extent_function *)function)(&type, extent, &state, &ierror);
	return ierror;
}

static int call_convert(uintptr_t function, int wide, void *userbuf, MPI_Datatype datatype, MPI_Count count,
                        void *filebuf, MPI_Offset position, uintptr_t extra)
{
	int type = (int)(intptr_t)datatype, n = (int)count, ierror = MPI_SUCCESS;
	MPI_Aint state = (MPI_Aint)extra;

	if (wide)
		((convert_function_c *)function)(userbuf, &type, &count, filebuf, &position, &state, &ierror);
	else
		((convert_function *)function)(userbuf, &type, &n, filebuf, &position, &state, &ierror);
	return ierror;
}

const struct gompi_callers fortran_callers = {.integers = 1,
                                              .copy = call_copy,
                                              .delete_value = call_delete,
                                              .query = call_query,
                                              .free_state = call_free,
                                              .cancel = call_cancel,
                                              .extent = call_extent,
                                              .convert = call_convert};

static const struct gompi_callers old_callers = {
	.integers = 1, .copy = call_old_copy, .delete_value = call_old_delete};

/* Predefined functions: routines whose address stands for the constant of C. They can be called, too. */

#define PREDEFINED_COPY(name, keep) \
	void mpi_##name##_(int *object, int *keyval, MPI_Aint *extra, MPI_Aint *in, MPI_Aint *out, int *flag, \
	                   int *ierror) \
	{ \
		(void)object, (void)keyval, (void)extra; \
		if (keep) \
			*out = *in; \
		*flag = keep; \
		*ierror = MPI_SUCCESS; \
	}
#define PREDEFINED_DELETE(name) \
	void mpi_##name##_(int *object, int *keyval, MPI_Aint *value, MPI_Aint *extra, int *ierror) \
	{ \
		(void)object, (void)keyval, (void)value, (void)extra; \
		*ierror = MPI_SUCCESS; \
	}
PREDEFINED_COPY(comm_null_copy_fn, 0)
PREDEFINED_COPY(comm_dup_fn, 1)
PREDEFINED_DELETE(comm_null_delete_fn)
PREDEFINED_COPY(type_null_copy_fn, 0)
PREDEFINED_COPY(type_dup_fn, 1)
PREDEFINED_DELETE(type_null_delete_fn)
PREDEFINED_COPY(win_null_copy_fn, 0)
PREDEFINED_COPY(win_dup_fn, 1)
PREDEFINED_DELETE(win_null_delete_fn)

void mpi_null_copy_fn_(int *comm, int *keyval, int *extra, int *in, int *out, int *flag, int *ierror)
{
	(void)comm, (void)keyval, (void)extra, (void)in, (void)out;
	*flag = 0;
	*ierror = MPI_SUCCESS;
}

void mpi_dup_fn_(int *comm, int *keyval, int *extra, int *in, int *out, int *flag, int *ierror)
{
	(void)comm, (void)keyval, (void)extra;
	*out = *in;
	*flag = 1;
	*ierror = MPI_SUCCESS;
}

void mpi_null_delete_fn_(int *comm, int *keyval, int *value, int *extra, int *ierror)
{
	(void)comm, (void)keyval, (void)value, (void)extra;
	*ierror = MPI_SUCCESS;
}

void mpi_conversion_fn_null_(void) {}
void mpi_conversion_fn_null_c_(void) {}

typedef void any_function(void);

static MPI_Comm_copy_attr_function *copy_of(any_function *f)
{
	if (f == (any_function *)mpi_comm_null_copy_fn_ || f == (any_function *)mpi_type_null_copy_fn_ ||
	    f == (any_function *)mpi_win_null_copy_fn_ || f == (any_function *)mpi_null_copy_fn_)
		return MPI_COMM_NULL_COPY_FN;
	if (f == (any_function *)mpi_comm_dup_fn_ || f == (any_function *)mpi_type_dup_fn_ ||
	    f == (any_function *)mpi_win_dup_fn_ || f == (any_function *)mpi_dup_fn_)
		return MPI_COMM_DUP_FN;
	return (MPI_Comm_copy_attr_function *)f;
}

static MPI_Comm_delete_attr_function *delete_of(any_function *f)
{
	if (f == (any_function *)mpi_comm_null_delete_fn_ || f == (any_function *)mpi_type_null_delete_fn_ ||
	    f == (any_function *)mpi_win_null_delete_fn_ || f == (any_function *)mpi_null_delete_fn_)
		return MPI_COMM_NULL_DELETE_FN;
	return (MPI_Comm_delete_attr_function *)f;
}

#define CREATE_KEYVAL(lower, Type) \
	void pmpi_##lower##_create_keyval_(any_function *copy, any_function *delete, int *keyval, \
	                                   MPI_Aint *extra, int *ierror) \
	{ \
		gompi_with_callers(&fortran_callers); \
		int rc = MPI_##Type##_create_keyval((MPI_##Type##_copy_attr_function *)copy_of(copy), \
		                                    (MPI_##Type##_delete_attr_function *)delete_of(delete), keyval, \
		                                    (void *)*extra); \
		gompi_with_callers(NULL); \
		LEAVE(ierror, rc); \
	} \
	WEAK(lower##_create_keyval_) \
	SAME(lower##_create_keyval_, lower##_create_keyval_f08_)
CREATE_KEYVAL(comm, Comm)
CREATE_KEYVAL(type, Type)
CREATE_KEYVAL(win, Win)

void pmpi_keyval_create_(any_function *copy, any_function *delete, int *keyval, int *extra, int *ierror)
{
	gompi_with_callers(&old_callers);
	int rc = MPI_Keyval_create((MPI_Copy_function *)copy_of(copy), (MPI_Delete_function *)delete_of(delete),
	                           keyval, (void *)(intptr_t)*extra);
	gompi_with_callers(NULL);
	LEAVE(ierror, rc);
}
WEAK(keyval_create_)
SAME(keyval_create_, keyval_create_f08_)

void pmpi_grequest_start_(MPI_Grequest_query_function *query, MPI_Grequest_free_function *free,
                          MPI_Grequest_cancel_function *cancel, MPI_Aint *extra, int *request, int *ierror)
{
	MPI_Request made = MPI_REQUEST_NULL;

	gompi_with_callers(&fortran_callers);
	int rc = MPI_Grequest_start(query, free, cancel, (void *)*extra, &made);
	gompi_with_callers(NULL);
	*request = (int)(intptr_t)made;
	LEAVE(ierror, rc);
}
WEAK(grequest_start_)
SAME(grequest_start_, grequest_start_f08_)

#define IS_NULL(f) \
	((any_function *)(f) == mpi_conversion_fn_null_ || (any_function *)(f) == mpi_conversion_fn_null_c_)

#define REGISTER(symbol, Name, type) \
	void pmpi_##symbol(const char *datarep, type *read, type *write, MPI_Datarep_extent_function *extent, \
	                   MPI_Aint *extra, int *ierror, size_t length) \
	{ \
		char *name = text_in(datarep, length, __builtin_alloca(length + 1)); \
		gompi_with_callers(&fortran_callers); \
		int rc = MPI_##Name(name, IS_NULL(read) ? NULL : read, IS_NULL(write) ? NULL : write, extent, \
		                    (void *)*extra); \
		gompi_with_callers(NULL); \
		LEAVE(ierror, rc); \
	} \
	WEAK(symbol)
REGISTER(register_datarep_, Register_datarep, MPI_Datarep_conversion_function)
SAME(register_datarep_, register_datarep_f08_)
REGISTER(register_datarep_c_f08_, Register_datarep_c, MPI_Datarep_conversion_function_c)
