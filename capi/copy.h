/* How C copies much, and copies that notice addresses without memory. */
#ifndef GOMPI_COPY_H
#define GOMPI_COPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#pragma GCC visibility push(hidden)

/* Copies n bytes to where they were not: the same way as shm.Copy in Go. It returns 1. */
#if defined(__x86_64__)
int gompi_copy(uintptr_t to, uintptr_t from, size_t n);
#else
static inline int gompi_copy(uintptr_t to, uintptr_t from, size_t n)
{
	memcpy((void *)to, (const void *)from, n);
	return 1;
}
#endif

/* Copies of at least so many bytes are gompi_copy's: there the C library begins with string moves. */
enum { GOMPI_LONG_COPY = 2 << 10 };

/* gompi_copy. It returns 0 where one of the two is no memory; some bytes may have been copied then. */
int gompi_try_copy(uintptr_t to, uintptr_t from, size_t n);

/* Calls f and returns 1; 0 where it has met an address without memory, and is left there and then. */
int gompi_try(void (*f)(void *argument), void *argument);

/* Has a fault within gompi_try_copy or gompi_try return 0 there. context is that of the signal. It reports 0
 * where the fault is elsewhere. */
int gompi_try_faulted(void *context);

/* Where the context of a signal has the address of the instruction. */
uintptr_t *gompi_counter(void *context);

#pragma GCC visibility pop

enum { GOMPI_LEAST_PAGE = 4096 };

/* Reports whether the first and the last of n bytes are memory. Those of one page are alike. */
static inline bool fast_readable(uintptr_t addr, uint32_t n)
{
	const uintptr_t last = addr + n - 1;
	char byte;

	return n == 0 || (gompi_try_copy((uintptr_t)&byte, addr, 1) &&
	                  ((addr ^ last) < GOMPI_LEAST_PAGE || gompi_try_copy((uintptr_t)&byte, last, 1)));
}

#endif
