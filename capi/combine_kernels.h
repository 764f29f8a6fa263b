/* The kernels that combine elements, for one set of instructions. combine.c includes this for each, and says
 * what they are called (NAMED), the attributes of the functions (TARGET), how many bytes a vector has
 * (VECTOR), a vector of chosen lanes of another one (FLOAT_LANES, DOUBLE_LANES) and how an instruction
 * changes its operand %0 by %1 (CHANGE). */

/* One kernel. Elements may have any alignment. out may be a or b. */
#define KERNEL(name, T, expression) \
	TARGET static void NAMED(name)(void *out, const void *a, const void *b, size_t n) \
	{ \
		typedef T element __attribute__((aligned(1), may_alias)); \
		element *o = out; \
		const element *p = a, *q = b; \
		for (size_t i = 0; i < n; i++) { \
			T x = p[i], y = q[i]; \
			o[i] = (expression); \
		} \
	}

/* Sums and products of floating point: which of two NaNs comes out depends on which operand the instruction
 * is given first, and C leaves that to the compiler. */
#if defined(__x86_64__)
#define ORDERED(name, T, wide, single, operator) \
	TARGET static void NAMED(name)(void *out, const void *a, const void *b, size_t n) \
	{ \
		typedef T V __attribute__((vector_size(VECTOR))); \
		size_t i = 0; \
		for (; i + sizeof(V) / sizeof(T) <= n; i += sizeof(V) / sizeof(T)) { \
			V x, y; \
			memcpy(&x, (const char *)a + i * sizeof(T), sizeof x); \
			memcpy(&y, (const char *)b + i * sizeof(T), sizeof y); \
			__asm__(CHANGE(wide) : "+x"(x) : "x"(y)); \
			memcpy((char *)out + i * sizeof(T), &x, sizeof x); \
		} \
		for (; i < n; i++) { \
			T x, y; \
			memcpy(&x, (const char *)a + i * sizeof(T), sizeof x); \
			memcpy(&y, (const char *)b + i * sizeof(T), sizeof y); \
			__asm__(CHANGE(single) : "+x"(x) : "x"(y)); \
			memcpy((char *)out + i * sizeof(T), &x, sizeof x); \
		} \
	}
#else
#define ORDERED(name, T, wide, single, operator) KERNEL(name, T, x operator y)
#endif

/* Operators stand alone here, and types beside their twins. */
/* clang-format off */

/* Integers run over as in Go, which unsigned ones do in C. */
#define INTEGER(bits) \
	KERNEL(sum##bits, uint##bits##_t, (uint##bits##_t)(x + y)) \
	KERNEL(prod##bits, uint##bits##_t, (uint##bits##_t)((uint64_t)x * y)) \
	KERNEL(band##bits, uint##bits##_t, x & y) \
	KERNEL(bor##bits, uint##bits##_t, x | y) \
	KERNEL(bxor##bits, uint##bits##_t, x ^ y) \
	KERNEL(land##bits, uint##bits##_t, x != 0 && y != 0) \
	KERNEL(lor##bits, uint##bits##_t, x != 0 || y != 0) \
	KERNEL(lxor##bits, uint##bits##_t, (x != 0) != (y != 0)) \
	KERNEL(min_i##bits, int##bits##_t, x < y ? x : y) \
	KERNEL(max_i##bits, int##bits##_t, x > y ? x : y) \
	KERNEL(min_u##bits, uint##bits##_t, x < y ? x : y) \
	KERNEL(max_u##bits, uint##bits##_t, x > y ? x : y)

INTEGER(8)
INTEGER(16)
INTEGER(32)
INTEGER(64)
ORDERED(sum_float, float, "addps", "addss", +)
ORDERED(prod_float, float, "mulps", "mulss", *)
KERNEL(min_float, float, x < y ? x : y)
KERNEL(max_float, float, x > y ? x : y)
ORDERED(sum_double, double, "addpd", "addsd", +)
ORDERED(prod_double, double, "mulpd", "mulsd", *)
KERNEL(min_double, double, x < y ? x : y)
KERNEL(max_double, double, x > y ? x : y)

/* MPI_MINLOC and MPI_MAXLOC: the value that is first in the order, of equal ones that with the lower index.
 * What stands in the gaps of a struct stays as it is. */
#define LOCATION(name, V, I, first) \
	TARGET static void NAMED(name)(void *out, const void *a, const void *b, size_t n) \
	{ \
		typedef V value __attribute__((aligned(1), may_alias)); \
		typedef I index __attribute__((aligned(1), may_alias)); \
		enum { AT = offsetof(struct { V v; I i; }, i), APART = sizeof(struct { V v; I i; }) }; \
		char *o = out; \
		const char *p = a, *q = b; \
		for (; n > 0; n--, o += APART, p += APART, q += APART) { \
			V x = *(const value *)p, y = *(const value *)q; \
			I i = *(const index *)(p + AT), j = *(const index *)(q + AT); \
			if (x first y) { \
				y = x; \
				j = i; \
			} else if (x == y && i < j) { \
				j = i; \
			} \
			*(value *)o = y; \
			*(index *)(o + AT) = j; \
		} \
	}
#define LOCATIONS(name, first) \
	LOCATION(name##_short_int, int16_t, int32_t, first) \
	LOCATION(name##_int_int, int32_t, int32_t, first) \
	LOCATION(name##_long_int, int64_t, int32_t, first) \
	LOCATION(name##_float_int, float, int32_t, first) \
	LOCATION(name##_double_int, double, int32_t, first) \
	LOCATION(name##_float_pair, float, float, first) \
	LOCATION(name##_double_pair, double, double, first)

LOCATIONS(minloc, <)
LOCATIONS(maxloc, >)

/* The sum of complex numbers is that of their parts. */
#define COMPLEX_SUM(name, parts) \
	TARGET static void NAMED(name)(void *out, const void *a, const void *b, size_t n) \
	{ \
		NAMED(parts)(out, a, b, 2 * n); \
	}

/* Their product is as a C compiler has it (ISO C, Annex G). */
#define COMPLEX_PRODUCT(name, T) \
	TARGET static void NAMED(name)(void *out, const void *a, const void *b, size_t n) \
	{ \
		for (size_t i = 0; i < n; i++) { \
			_Complex T x, y; \
			memcpy(&x, (const char *)a + i * sizeof x, sizeof x); \
			memcpy(&y, (const char *)b + i * sizeof y, sizeof y); \
			x *= y; \
			memcpy((char *)out + i * sizeof x, &x, sizeof x); \
		} \
	}

/* The same in vectors, some at a time, by the usual formula. Where a part of a product is NaN, the compiler's
 * own decides. */
#define COMPLEX_VECTORS(name, T, I, LANES) \
	COMPLEX_PRODUCT(name##_each, T) \
	TARGET static void NAMED(name)(void *out, const void *a, const void *b, size_t n) \
	{ \
		typedef T V __attribute__((vector_size(VECTOR))); \
		typedef T U __attribute__((vector_size(VECTOR), aligned(1), may_alias)); \
		typedef I M __attribute__((vector_size(VECTOR))); \
		enum { AT_ONCE = 4, NUMBERS = AT_ONCE * VECTOR / sizeof(_Complex T) }; \
		static const I signs[] = {(I)1 << (8 * sizeof(I) - 1), 0}; \
		const M minus = LANES(signs, PARITY); \
		for (; n >= NUMBERS; n -= NUMBERS) { \
			V z[AT_ONCE]; \
			M undefined = {0}; \
			I any = 0; \
			_Pragma("GCC unroll 4") for (int i = 0; i < AT_ONCE; i++) { \
				const V x = ((const U *)a)[i], y = ((const U *)b)[i]; \
				const V even = LANES(x, EVEN), odd = LANES(x, ODD), swapped = LANES(y, SWAPPED); \
				z[i] = even * y + (V)((M)(odd * swapped) ^ minus); \
				undefined |= (M)(z[i] != z[i]); \
			} \
			for (size_t i = 0; i < VECTOR / sizeof(I); i++) \
				any |= undefined[i]; \
			if (__builtin_expect(any != 0, 0)) \
				NAMED(name##_each)(out, a, b, NUMBERS); \
			else \
				_Pragma("GCC unroll 4") for (int i = 0; i < AT_ONCE; i++) \
					((U *)out)[i] = z[i]; \
			out = (V *)out + AT_ONCE; \
			a = (const V *)a + AT_ONCE; \
			b = (const V *)b + AT_ONCE; \
		} \
		NAMED(name##_each)(out, a, b, n); \
	}

COMPLEX_SUM(sum_complex_float, sum_float)
COMPLEX_SUM(sum_complex_double, sum_double)
COMPLEX_VECTORS(prod_complex_float, float, uint32_t, FLOAT_LANES)
COMPLEX_VECTORS(prod_complex_double, double, uint64_t, DOUBLE_LANES)

/* The format of x87. */
#if LDBL_MANT_DIG == 64
KERNEL(sum_long_double, long double, x + y)
KERNEL(prod_long_double, long double, x * y)
KERNEL(min_long_double, long double, x < y ? x : y)
KERNEL(max_long_double, long double, x > y ? x : y)
LOCATION(minloc_long_double_int, long double, int32_t, <)
LOCATION(maxloc_long_double_int, long double, int32_t, >)
COMPLEX_SUM(sum_complex_long_double, sum_long_double)
COMPLEX_PRODUCT(prod_complex_long_double, long double)
#define LONG_DOUBLE(op) [FAST_ELEMENT_LONG_DOUBLE] = NAMED(op##_long_double),
#define LONG_COMPLEX(op) [FAST_ELEMENT_COMPLEX_LONG_DOUBLE] = NAMED(op##_complex_long_double),
#define LONG_PAIR(op) [FAST_ELEMENT_LONG_DOUBLE_INT] = NAMED(op##_long_double_int),
#else
#define LONG_DOUBLE(op)
#define LONG_COMPLEX(op)
#define LONG_PAIR(op)
#endif

#define INTEGERS(i8, u8, i16, u16, i32, u32, i64, u64) \
	[FAST_ELEMENT_INT8] = NAMED(i8), [FAST_ELEMENT_UINT8] = NAMED(u8), \
	[FAST_ELEMENT_INT16] = NAMED(i16), [FAST_ELEMENT_UINT16] = NAMED(u16), \
	[FAST_ELEMENT_INT32] = NAMED(i32), [FAST_ELEMENT_UINT32] = NAMED(u32), \
	[FAST_ELEMENT_INT64] = NAMED(i64), [FAST_ELEMENT_UINT64] = NAMED(u64)
#define WIDTHS(op) INTEGERS(op##8, op##8, op##16, op##16, op##32, op##32, op##64, op##64)
#define SIGNS(op) INTEGERS(op##_i8, op##_u8, op##_i16, op##_u16, op##_i32, op##_u32, op##_i64, op##_u64)
#define FLOATS(op) \
	LONG_DOUBLE(op) [FAST_ELEMENT_FLOAT] = NAMED(op##_float), [FAST_ELEMENT_DOUBLE] = NAMED(op##_double)
#define COMPLEX(op) \
	LONG_COMPLEX(op) [FAST_ELEMENT_COMPLEX_FLOAT] = NAMED(op##_complex_float), \
	[FAST_ELEMENT_COMPLEX_DOUBLE] = NAMED(op##_complex_double)
#define PAIRS(op) \
	LONG_PAIR(op) \
	[FAST_ELEMENT_SHORT_INT] = NAMED(op##_short_int), [FAST_ELEMENT_INT_INT] = NAMED(op##_int_int), \
	[FAST_ELEMENT_LONG_INT] = NAMED(op##_long_int), [FAST_ELEMENT_FLOAT_INT] = NAMED(op##_float_int), \
	[FAST_ELEMENT_DOUBLE_INT] = NAMED(op##_double_int), \
	[FAST_ELEMENT_FLOAT_PAIR] = NAMED(op##_float_pair), [FAST_ELEMENT_DOUBLE_PAIR] = NAMED(op##_double_pair)
#define OP(handle) [(handle) - FAST_FIRST_OP]
/* clang-format on */

static fast_kernel *const NAMED(kernels)[FAST_OPS][FAST_ELEMENTS] = {
	OP(FAST_OP_SUM) = {WIDTHS(sum), FLOATS(sum), COMPLEX(sum)},
	OP(FAST_OP_MIN) = {SIGNS(min), FLOATS(min)},
	OP(FAST_OP_MAX) = {SIGNS(max), FLOATS(max)},
	OP(FAST_OP_PROD) = {WIDTHS(prod), FLOATS(prod), COMPLEX(prod)},
	OP(FAST_OP_BAND) = {WIDTHS(band)},
	OP(FAST_OP_BOR) = {WIDTHS(bor)},
	OP(FAST_OP_BXOR) = {WIDTHS(bxor)},
	OP(FAST_OP_LAND) = {WIDTHS(land)},
	OP(FAST_OP_LOR) = {WIDTHS(lor)},
	OP(FAST_OP_LXOR) = {WIDTHS(lxor)},
	OP(FAST_OP_MINLOC) = {PAIRS(minloc)},
	OP(FAST_OP_MAXLOC) = {PAIRS(maxloc)},
};

#undef KERNEL
#undef ORDERED
#undef INTEGER
#undef INTEGERS
#undef WIDTHS
#undef SIGNS
#undef FLOATS
#undef LOCATION
#undef LOCATIONS
#undef PAIRS
#undef COMPLEX
#undef COMPLEX_SUM
#undef COMPLEX_PRODUCT
#undef COMPLEX_VECTORS
#undef LONG_DOUBLE
#undef LONG_COMPLEX
#undef LONG_PAIR
#undef OP
