/* The kernels that combine elements for the translation of package runtime/fast. Operands stand in the order
 * that the standard gives them, in op inout, so that NaNs and signed zeros come out as in package op,
 * wherever the same values are combined. */
#include <float.h>
#include <string.h>

#include "copy.h"
#include "native.h"
#include "zz_fast.h"

/* Loops are to become vectors, which clang makes of them by itself. A product is rounded before it is added
 * to another one, on all processors alike. */
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#define VECTORS
#else
#define VECTORS optimize("O3", "fp-contract=off")
#endif

/* A vector of lanes of another one, and which they are. */
#define LANES_2(x, of) \
	{ \
		x[of(0)], x[of(1)] \
	}
#define LANES_4(x, of) \
	{ \
		x[of(0)], x[of(1)], x[of(2)], x[of(3)] \
	}
#define LANES_8(x, of) \
	{ \
		x[of(0)], x[of(1)], x[of(2)], x[of(3)], x[of(4)], x[of(5)], x[of(6)], x[of(7)] \
	}
#define EVEN(i) ((i) & ~1)
#define ODD(i) ((i) | 1)
#define SWAPPED(i) ((i) ^ 1)
#define PARITY(i) ((i)&1)

#define NAMED(name) name
#define TARGET __attribute__((VECTORS))
#define VECTOR 16
#define FLOAT_LANES LANES_4
#define DOUBLE_LANES LANES_2
#define CHANGE(instruction) instruction " %1, %0"
#include "combine_kernels.h"

fast_kernel *const (*fast_kernels)[FAST_ELEMENTS] = kernels;

#if defined(__x86_64__)
#undef NAMED
#undef TARGET
#undef VECTOR
#undef FLOAT_LANES
#undef DOUBLE_LANES
#undef CHANGE
#define NAMED(name) name##_avx2
#define TARGET __attribute__((VECTORS, target("avx2")))
#define VECTOR 32
#define FLOAT_LANES LANES_8
#define DOUBLE_LANES LANES_4
#define CHANGE(instruction) "v" instruction " %1, %0, %0"
#include "combine_kernels.h"

__attribute__((constructor)) static void choose_kernels(void)
{
	__builtin_cpu_init();
	if (__builtin_cpu_supports("avx2"))
		fast_kernels = kernels_avx2;
}
#endif

static void apply(void *combination)
{
	const struct gompi_combination *c = combination;

	c->kernel(c->out, c->a, c->b, c->n);
}

int gompi_combine(void *combination)
{
	return !gompi_try(apply, combination);
}
