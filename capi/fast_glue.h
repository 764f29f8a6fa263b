/* What the translation of package runtime/fast (zz_fast.h) needs of C. */
#ifndef GOMPI_FAST_GLUE_H
#define GOMPI_FAST_GLUE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Computes out[i] = a[i] op b[i] for n elements, which may have any alignment. out may be a or b. */
typedef void fast_kernel(void *out, const void *a, const void *b, size_t n);

/* The kernels by operation and kind of element (combine.c). */
extern fast_kernel *const fast_kernels[FAST_OPS][FAST_ELEMENTS] __attribute__((visibility("hidden")));

/* A word of fields of other types. */
typedef uint32_t __attribute__((may_alias)) fast_word;

/* memcpy; the usual small sizes without a call. */
static inline void fast_move(uintptr_t to, uintptr_t from, uint32_t n)
{
	if (n == 8)
		memcpy((void *)to, (const void *)from, 8);
	else if (n == 4)
		memcpy((void *)to, (const void *)from, 4);
	else if (n > 0)
		memcpy((void *)to, (const void *)from, n);
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
