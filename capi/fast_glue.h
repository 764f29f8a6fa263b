/* What the translation of package runtime/fast (zz_fast.h) needs of C. */
#ifndef GOMPI_FAST_GLUE_H
#define GOMPI_FAST_GLUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "callback.h"
#include "callers.h"
#include "thread.h"
#include "copy.h"

/* Computes out[i] = a[i] op b[i] for n elements, which may have any alignment. out may be a or b. */
typedef void fast_kernel(void *out, const void *a, const void *b, size_t n);

/* The kernels by operation and kind of element (combine.c), for what this processor has. */
extern fast_kernel *const (*fast_kernels)[FAST_ELEMENTS] __attribute__((visibility("hidden")));

/* A word of fields of other types. */
typedef uint32_t __attribute__((may_alias)) fast_word;

/* memcpy; the usual small sizes without a call. */
static inline void fast_move(uintptr_t to, uintptr_t from, uint32_t n)
{
	if (n == 8)
		memcpy((void *)to, (const void *)from, 8);
	else if (n == 4)
		memcpy((void *)to, (const void *)from, 4);
	else if (n >= GOMPI_LONG_COPY)
		gompi_copy(to, from, n);
	else if (n > 0)
		memcpy((void *)to, (const void *)from, n);
}

/* memmove. */
static inline void fast_copy_all(uintptr_t to, uintptr_t from, uint64_t n)
{
	if (n >= GOMPI_LONG_COPY && to - from >= n && from - to >= n)
		gompi_copy(to, from, n);
	else
		memmove((void *)to, (const void *)from, n);
}

/* Elements at addresses of any alignment, and as the bits of floating-point values. */
#define FAST_ELEMENT(type, bits, load, store, value, bits_of) \
	static inline bits load(uintptr_t from) \
	{ \
		bits v; \
		memcpy(&v, (const void *)from, sizeof v); \
		return v; \
	} \
	static inline void store(uintptr_t to, bits v) \
	{ \
		memcpy((void *)to, &v, sizeof v); \
	} \
	static inline type value(bits b) \
	{ \
		type v; \
		memcpy(&v, &b, sizeof v); \
		return v; \
	} \
	static inline bits bits_of(type v) \
	{ \
		bits b; \
		memcpy(&b, &v, sizeof b); \
		return b; \
	}
FAST_ELEMENT(float, uint32_t, fast_load32, fast_store32, fast_float, fast_float_bits)
FAST_ELEMENT(double, uint64_t, fast_load64, fast_store64, fast_double, fast_double_bits)

static inline bool fast_cas32(uint32_t *at, uint32_t old, uint32_t value)
{
	return __atomic_compare_exchange_n(at, &old, value, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
}

static inline bool fast_cas64(uint64_t *at, uint64_t old, uint64_t value)
{
	return __atomic_compare_exchange_n(at, &old, value, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
}

/* Makes all that was written visible to all processors before anything that follows is read: shm.Fence. */
static inline void fast_full_fence(void)
{
#if defined(__x86_64__)
	__asm__ volatile("lock; addl $0, -8(%%rsp)" ::: "memory", "cc");
#else
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
}

static inline void fast_pause(void)
{
#if defined(__x86_64__)
	__builtin_ia32_pause();
#elif defined(__aarch64__)
	__asm__ volatile("yield");
#endif
}

#endif
