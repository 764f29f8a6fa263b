/* Accumulates of one element by the processor's atomic instructions. Go does the same in runtime/rma/atomic_unsafe.go; which elements
 * are dealt with so, and which under a lock, is decided in the same way on both sides. */
#ifndef GOMPI_ELEMENT_H
#define GOMPI_ELEMENT_H

#include <stdint.h>
#include <string.h>

#include "zz_window.h"

/* Elements that the stubs know; 0 is any other. */
enum { GOMPI_INT32 = 1, GOMPI_UINT32, GOMPI_INT64, GOMPI_UINT64, GOMPI_FLOAT, GOMPI_DOUBLE };

#pragma GCC visibility push(hidden)

/* The element that a predefined datatype is, by handle from 0x200 on. */
extern uint8_t gompi_elements[256];

#pragma GCC visibility pop

static inline unsigned gompi_element_size(int element)
{
	return element == GOMPI_INT32 || element == GOMPI_UINT32 || element == GOMPI_FLOAT ? 4 : 8;
}

/* Tells whether the stubs combine such elements by the operation. */
static inline int gompi_combines(int element, uintptr_t op)
{
	switch (op) {
	case GOMPI_SUM:
	case GOMPI_MIN:
	case GOMPI_MAX:
	case GOMPI_REPLACE:
	case GOMPI_NO_OP:
		return element != 0;
	case GOMPI_BAND:
	case GOMPI_BOR:
	case GOMPI_BXOR:
		return element != 0 && element < GOMPI_FLOAT;
	}
	return 0;
}

/* Exchanges an element for what an expression of old, the present value, makes of it. */
#define GOMPI_EXCHANGE(T, bits, expression) \
	do { \
		T old, new; \
		bits was = __atomic_load_n((bits *)to, __ATOMIC_RELAXED), becomes; \
		do { \
			memcpy(&old, &was, sizeof old); \
			new = (expression); \
			memcpy(&becomes, &new, sizeof new); \
		} while (!__atomic_compare_exchange_n((bits *)to, &was, becomes, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)); \
		*before = was; \
	} while (0)

/* What all types have in common; minimum and maximum prefer the present value, as reductions do. */
#define GOMPI_COMMON(T, bits) \
	case GOMPI_MIN: GOMPI_EXCHANGE(T, bits, v < old ? v : old); break; \
	case GOMPI_MAX: GOMPI_EXCHANGE(T, bits, v > old ? v : old); break; \
	case GOMPI_REPLACE: { \
		bits value; \
		memcpy(&value, in, sizeof value); \
		*before = __atomic_exchange_n((bits *)to, value, __ATOMIC_SEQ_CST); \
		break; \
	} \
	default: *before = __atomic_load_n((bits *)to, __ATOMIC_SEQ_CST)

#define GOMPI_INTEGERS(T, bits) \
	do { \
		T v; \
		memcpy(&v, in, sizeof v); \
		switch (op) { \
		case GOMPI_SUM: *before = __atomic_fetch_add((bits *)to, (bits)v, __ATOMIC_SEQ_CST); break; \
		case GOMPI_BAND: *before = __atomic_fetch_and((bits *)to, (bits)v, __ATOMIC_SEQ_CST); break; \
		case GOMPI_BOR: *before = __atomic_fetch_or((bits *)to, (bits)v, __ATOMIC_SEQ_CST); break; \
		case GOMPI_BXOR: *before = __atomic_fetch_xor((bits *)to, (bits)v, __ATOMIC_SEQ_CST); break; \
		GOMPI_COMMON(T, bits); \
		} \
	} while (0)

#define GOMPI_REALS(T, bits) \
	do { \
		T v; \
		memcpy(&v, in, sizeof v); \
		switch (op) { \
		case GOMPI_SUM: GOMPI_EXCHANGE(T, bits, v + old); break; \
		GOMPI_COMMON(T, bits); \
		} \
	} while (0)

/* Combines the element at to with the operand at in; before is what was there, in its low bits. */
static inline void gompi_combine(int element, uintptr_t op, void *to, const void *in, uint64_t *before)
{
	switch (element) {
	case GOMPI_INT32: GOMPI_INTEGERS(int32_t, uint32_t); break;
	case GOMPI_UINT32: GOMPI_INTEGERS(uint32_t, uint32_t); break;
	case GOMPI_INT64: GOMPI_INTEGERS(int64_t, uint64_t); break;
	case GOMPI_UINT64: GOMPI_INTEGERS(uint64_t, uint64_t); break;
	case GOMPI_FLOAT: GOMPI_REALS(float, uint32_t); break;
	default: GOMPI_REALS(double, uint64_t);
	}
}

#endif
