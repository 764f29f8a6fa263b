/* The kernels that combine elements for the translation of package runtime/fast. Operands stand in the order
 * that the standard gives them, in op inout, so that NaNs and signed zeros come out as in package op,
 * wherever the same values are combined. */
#include <string.h>

#include "zz_fast.h"

/* Loops are to become vectors. Clang makes them so by itself. */
#if defined(__clang__)
#define VECTORS
#else
#define VECTORS optimize("O3")
#endif

#define NAMED(name) name
#define TARGET __attribute__((VECTORS))
#define VECTOR 16
#define CHANGE(instruction) instruction " %1, %0"
#include "combine_kernels.h"

fast_kernel *const (*fast_kernels)[FAST_ELEMENTS] = kernels;

#if defined(__x86_64__)
#undef NAMED
#undef TARGET
#undef VECTOR
#undef CHANGE
#define NAMED(name) name##_avx2
#define TARGET __attribute__((VECTORS, target("avx2")))
#define VECTOR 32
#define CHANGE(instruction) "v" instruction " %1, %0, %0"
#include "combine_kernels.h"

__attribute__((constructor)) static void choose_kernels(void)
{
	__builtin_cpu_init();
	if (__builtin_cpu_supports("avx2"))
		fast_kernels = kernels_avx2;
}
#endif
