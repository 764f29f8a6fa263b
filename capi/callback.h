/* Calls of the program's functions. */
#ifndef GOMPI_CALLBACK_H
#define GOMPI_CALLBACK_H

#include <limits.h>
#include <stdint.h>

#include "../include/mpi.h"

#include "callers.h"
#include "thread.h"

#pragma GCC visibility push(hidden)

/* A call of a function of an attribute key. All kinds of object have functions of the same form: a handle
 * is a pointer.
 *
 * Go does not call them, where it can be helped: frames of Go stop exceptions of C++, and longjmp would
 * leave them behind. An operation that needs one returns GOMPI_AGAIN and has changed nothing; its stub
 * calls the function and starts the operation again, which finds the result. */
struct gompi_callback {
	struct gompi_callback *next;
	const struct gompi_callers *callers;
	uintptr_t function, handle, extra, value;
	int keyval;
	int copies; /* a copy function; otherwise a delete function */
	int over;   /* the result has been used up */
	int asked;  /* the result: the stub has to call it first */
	int code, flag;
	uintptr_t copied;
};

/* The calls of one operation, in the frame of its stub. */
struct gompi_callbacks {
	struct gompi_callback *made, wanted;
	int closed; /* the operation cannot be started again any more */
};

#define GOMPI_AGAIN (INT_MIN + 1)

/* Runs an operation that calls functions of attribute keys; memory of the calls is that of the caller's
 * frame. */
#define GOMPI_CALLBACKS(call) \
	__extension__({ \
		struct gompi_callbacks callbacks = {0}; \
		int result; \
		while (gompi_thread->callbacks = &callbacks, result = (call), gompi_thread->callbacks = NULL, \
		       result == GOMPI_AGAIN) \
			gompi_make_callback(&callbacks, __builtin_alloca(sizeof(struct gompi_callback))); \
		gompi_thread->refused.code = 0; \
		result; \
	})

/* Calls what the operation wants and notes the result in *made. */
void gompi_make_callback(struct gompi_callbacks *callbacks, struct gompi_callback *made);

/* For the engine: calls a delete function of a program in C. When that fails, the operation goes on in Go,
 * which finds the result. */
int gompi_delete_value(uintptr_t function, uintptr_t handle, int keyval, uintptr_t value, uintptr_t extra);

/* For Go: the result of a call, which has been made, or is made now where the operation cannot be started
 * again. */
struct gompi_callback gompi_call_copy(uintptr_t callers, uintptr_t function, uintptr_t handle, int keyval,
                                      uintptr_t extra, uintptr_t value);
struct gompi_callback gompi_call_delete(uintptr_t callers, uintptr_t function, uintptr_t handle, int keyval,
                                        uintptr_t value, uintptr_t extra);

/* For Go: from now on the operation cannot be started again. */
int gompi_close_callbacks(void *unused);

/* For Go: the callers that the calling thread has named, as an address, and whether values of attributes are
 * integers to the program. */
uintptr_t gompi_callers_now(int *integers);

/* A function that goes along with an operation. */
void gompi_call_follower(uintptr_t function, uintptr_t arg, int what);

/* A reduction function of the program's. */
void gompi_call_op(uintptr_t function, uintptr_t in, uintptr_t inout, int count, uintptr_t datatype);
void gompi_call_op_large(uintptr_t function, uintptr_t in, uintptr_t inout, int64_t count,
                         uintptr_t datatype);

/* Error handlers are called from the stubs, after Go has returned, so that they may leave by longjmp or by an
 * exception of C++: the frames that these pass by are those of C.
 *
 * GOMPI_CALLED is what Go returns for an MPI_*_call_errhandler that succeeds: the handler is to be called,
 * and the result is MPI_SUCCESS. */
#define GOMPI_CALLED INT_MIN

/* Called by Go at the end of a call: its stub is to call function with the object's handle and the code. */
void gompi_set_handler(uintptr_t function, uintptr_t handle, int code);

/* Calls the handler that Go has set, if any. Returns the code as the handler leaves it. */
int gompi_call_handler(int rc);

/* Functions of generalized requests (MPI 5.0, 13.2). */

/* What a query function did: its code and the words of the status. */
struct gompi_queried {
	int32_t code, status[8];
};

struct gompi_queried gompi_call_query(uintptr_t callers, uintptr_t function, uintptr_t extra);
int gompi_call_free(uintptr_t callers, uintptr_t function, uintptr_t extra);
int gompi_call_cancel(uintptr_t callers, uintptr_t function, uintptr_t extra, int complete);

/* Functions for data representations of the program's own (MPI 5.0, 14.5.3). */

int gompi_call_extent(uintptr_t callers, uintptr_t function, uintptr_t datatype, int64_t *extent,
                      uintptr_t extra);

/* wide: the function takes an MPI_Count. */
int gompi_call_conversion(uintptr_t callers, uintptr_t function, int wide, uintptr_t userbuf,
                          uintptr_t datatype, int64_t count, uintptr_t filebuf, int64_t position,
                          uintptr_t extra);

/* Functions that want to be told of events (MPI 5.0, 15.3.8). */

void gompi_call_event(uintptr_t function, uintptr_t instance, uintptr_t registration, int safety,
                      uintptr_t user_data);
void gompi_call_event_free(uintptr_t function, uintptr_t registration, int safety, uintptr_t user_data);
void gompi_call_event_dropped(uintptr_t function, int64_t count, uintptr_t registration, int source,
                              int safety, uintptr_t user_data);

#pragma GCC visibility pop

/* Ends a call whose export has returned rc. */
static inline int gompi_done(int rc)
{
	return __builtin_expect(rc == MPI_SUCCESS, 1) ? rc : gompi_call_handler(rc);
}

#endif
