/* Copies of runs of bytes that lie apart. */
#include "copy.h"
#include "native.h"

#include <string.h>

#include "zz_fast.h"

/* Words of any alignment. */
#define WORD(name, ...) typedef __VA_ARGS__ name __attribute__((aligned(1), may_alias))
WORD(word2, uint16_t);
WORD(word4, uint32_t);
WORD(word8, uint64_t);
typedef uint64_t word16 __attribute__((vector_size(16), aligned(1), may_alias));

/* Copies the first bytes of a run and its last, which may overlap. */
#define BOTH_ENDS(word) \
	do { \
		const word first = *(const word *)from, last = *(const word *)(from + run - sizeof(word)); \
		*(word *)to = first; \
		*(word *)(to + run - sizeof(word)) = last; \
	} while (0)

/* Copies one run. */
static inline __attribute__((always_inline)) void copy_run(char *to, const char *from, size_t run)
{
	if (run <= 16) {
		if (run >= 8)
			BOTH_ENDS(word8);
		else if (run >= 4)
			BOTH_ENDS(word4);
		else if (run >= 2)
			BOTH_ENDS(word2);
		else
			*to = *from;
	} else if (run <= 32) {
		BOTH_ENDS(word16);
	} else if (run <= 64) {
		const char *end = from + run - 32;
		const word16 a = *(const word16 *)from, b = *(const word16 *)(from + 16);
		const word16 c = *(const word16 *)end, d = *(const word16 *)(end + 16);
		*(word16 *)to = a;
		*(word16 *)(to + 16) = b;
		*(word16 *)(to + run - 32) = c;
		*(word16 *)(to + run - 16) = d;
	} else {
		fast_move((uintptr_t)to, (uintptr_t)from, (uint32_t)run);
	}
}

void gompi_move_run(char *restrict to, const char *restrict from, size_t run)
{
	if (run > 0)
		copy_run(to, from, run);
}

/* Copies n numbers of 8 bytes that are dense on one side, two by two. */
static void copy_pairs(char *to, int64_t to_stride, const char *from, int64_t from_stride, int64_t n)
{
	if (to_stride == 8) {
		_Pragma("GCC unroll 2") for (; n > 3; n -= 4, to += 32, from += 4 * from_stride)
		{
			const word16 a = {*(const word8 *)from, *(const word8 *)(from + from_stride)};
			const word16 b = {*(const word8 *)(from + 2 * from_stride),
			                  *(const word8 *)(from + 3 * from_stride)};
			*(word16 *)to = a;
			*(word16 *)(to + 16) = b;
		}
	} else {
		_Pragma("GCC unroll 2") for (; n > 3; n -= 4, to += 4 * to_stride, from += 32)
		{
			const word16 a = *(const word16 *)from, b = *(const word16 *)(from + 16);
			*(word8 *)to = a[0];
			*(word8 *)(to + to_stride) = a[1];
			*(word8 *)(to + 2 * to_stride) = b[0];
			*(word8 *)(to + 3 * to_stride) = b[1];
		}
	}
	for (; n > 0; n--, to += to_stride, from += from_stride)
		*(word8 *)to = *(const word8 *)from;
}

/* Copies n runs of a size that the compiler knows, some at a time. */
#define RUNS(size) \
	case size: \
		for (; n > 3; n -= 4, to += 4 * to_stride, from += 4 * from_stride) { \
			_Pragma("GCC unroll 4") for (int i = 0; i < 4; i++) \
				copy_run(to + i * to_stride, from + i * from_stride, size); \
		} \
		for (; n > 0; n--, to += to_stride, from += from_stride) \
			copy_run(to, from, size); \
		break

/* Copies n runs that no such loop is for, of sizes of one kind. */
#define OTHER_RUNS(condition) \
	else if (condition) _Pragma("GCC unroll 4") for (; n > 0; n--, to += to_stride, from += from_stride) \
		copy_run(to, from, run)

void gompi_move_runs(char *restrict to, int64_t to_stride, const char *restrict from, int64_t from_stride,
                     size_t run, int64_t n)
{
	if (run == 8 && (to_stride == 8 || from_stride == 8)) {
		copy_pairs(to, to_stride, from, from_stride, n);
		return;
	}
	switch (run) {
		RUNS(1);
		RUNS(2);
		RUNS(4);
		RUNS(8);
		RUNS(12);
		RUNS(16);
		RUNS(24);
		RUNS(32);
		RUNS(48);
		RUNS(64);
	default:
		if (run == 0)
			return;
		OTHER_RUNS(run < 4);
		OTHER_RUNS(run < 8);
		OTHER_RUNS(run < 16);
		OTHER_RUNS(run <= 32);
		OTHER_RUNS(run <= 64);
		OTHER_RUNS(1);
	}
}

/* Copies runs of one size at listed displacements. */
static inline __attribute__((always_inline)) void copy_indexed(const struct gompi_runs *r, size_t size)
{
	char *stream = r->stream, *const base = r->base;
	const int64_t *l = r->list, *const end = l + r->n;

	if (r->unpack)
		_Pragma("GCC unroll 4") for (; l < end; l++, stream += size) copy_run(base + *l, stream, size);
	else
		_Pragma("GCC unroll 4") for (; l < end; l++, stream += size) copy_run(stream, base + *l, size);
}

/* Copies runs at listed displacements with listed ends. */
static inline __attribute__((always_inline)) void copy_listed(const struct gompi_runs *r, int unpack)
{
	char *const stream = r->stream - r->begin, *const base = r->base;
	const int64_t *l = r->list, *const end = l + 2 * r->n;

	for (int64_t at = r->begin; l < end; at = l[1], l += 2)
		if (unpack)
			copy_run(base + l[0], stream + at, (size_t)(l[1] - at));
		else
			copy_run(stream + at, base + l[0], (size_t)(l[1] - at));
}

static void copy_runs(void *runs)
{
	const struct gompi_runs *r = runs;

	if (r->form == GOMPI_STRIDED) {
		for (int64_t i = 0; i < r->rows; i++)
			gompi_move_runs(r->stream + i * r->stream_row, r->stream_stride, r->base + i * r->base_row,
			                r->base_stride, (size_t)r->size, r->n);
		return;
	}
	if (r->form == GOMPI_LISTED) {
		if (r->unpack)
			copy_listed(r, 1);
		else
			copy_listed(r, 0);
		return;
	}
#define INDEXED(size) \
	case size: \
		copy_indexed(r, size); \
		break
	switch (r->size) {
		INDEXED(4);
		INDEXED(8);
		INDEXED(12);
		INDEXED(16);
		INDEXED(24);
		INDEXED(32);
		INDEXED(48);
		INDEXED(64);
	default:
		copy_indexed(r, (size_t)r->size);
	}
}

int gompi_copy_runs(void *runs)
{
	return !gompi_try(copy_runs, runs);
}
