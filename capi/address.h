/* Addresses that a program passes. Below FAST_LOWEST there is no memory: NULL and the constants of the
 * standard, and NULL plus a small offset, the most frequent bad pointer. The stubs leave such calls to Go,
 * which says what is wrong. Where they find other bad addresses out only by using them is told in
 * docs/guide.md ("Bad addresses"). */
#ifndef GOMPI_ADDRESS_H
#define GOMPI_ADDRESS_H

#include <stdint.h>

#include "zz_fast.h"

/* Reports whether there is no memory at an address. */
static inline int gompi_nowhere(const volatile void *address)
{
	return (uintptr_t)address < FAST_LOWEST;
}

/* Reports whether an address that may be NULL for what the program does not want is neither that nor memory.
 */
static inline int gompi_nowhere_else(const volatile void *address)
{
	return (uintptr_t)address - 1 < FAST_LOWEST - 1;
}

#endif
