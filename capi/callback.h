/* Calls of the program's functions that belong to attributes and reduction operations, and the predefined attributes. */
#ifndef GOMPI_CALLBACK_H
#define GOMPI_CALLBACK_H

#include <stdint.h>

#pragma GCC visibility push(hidden)

/* What a copy function did. */
struct gompi_copied {
	int code, flag;
	uintptr_t value;
};

/* All kinds of object have functions of the same form: a handle is a pointer. */
struct gompi_copied gompi_call_copy(uintptr_t function, uintptr_t handle, int keyval, uintptr_t extra, uintptr_t value);
int gompi_call_delete(uintptr_t function, uintptr_t handle, int keyval, uintptr_t value, uintptr_t extra);

/* A reduction function of the program's. */
void gompi_call_op(uintptr_t function, uintptr_t in, uintptr_t inout, int count, uintptr_t datatype);
void gompi_call_op_large(uintptr_t function, uintptr_t in, uintptr_t inout, int64_t count, uintptr_t datatype);

/* The address of the value of a predefined attribute of communicators, after setting it; the values live as long as the
 * process. */
uintptr_t gompi_predefined_attribute(int keyval, int value);

#pragma GCC visibility pop

#endif
