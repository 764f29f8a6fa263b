/* Calls of the program's functions that belong to attributes and reduction operations. */
#ifndef GOMPI_CALLBACK_H
#define GOMPI_CALLBACK_H

#include <limits.h>
#include <stdint.h>

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
#define GOMPI_CALLBACKS(call)                                                                                \
    __extension__({                                                                                          \
        struct gompi_callbacks callbacks = {0};                                                              \
        int result;                                                                                          \
        while (gompi_thread->callbacks = &callbacks, result = (call), gompi_thread->callbacks = NULL,        \
               result == GOMPI_AGAIN)                                                                        \
            gompi_make_callback(&callbacks, __builtin_alloca(sizeof(struct gompi_callback)));                \
        result;                                                                                              \
    })

/* Calls what the operation wants and notes the result in *made. */
void gompi_make_callback(struct gompi_callbacks *callbacks, struct gompi_callback *made);

/* For Go: the result of a call, which has been made, or is made now where the operation cannot be started
 * again. */
struct gompi_callback gompi_call_copy(uintptr_t function, uintptr_t handle, int keyval, uintptr_t extra,
				      uintptr_t value);
struct gompi_callback gompi_call_delete(uintptr_t function, uintptr_t handle, int keyval, uintptr_t value,
					uintptr_t extra);

/* For Go: from now on the operation cannot be started again. */
void gompi_close_callbacks(void);

/* A reduction function of the program's. */
void gompi_call_op(uintptr_t function, uintptr_t in, uintptr_t inout, int count, uintptr_t datatype);
void gompi_call_op_large(uintptr_t function, uintptr_t in, uintptr_t inout, int64_t count,
                         uintptr_t datatype);

#pragma GCC visibility pop

#endif
