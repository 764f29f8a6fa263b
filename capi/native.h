/* What Go calls as its own functions (package native). The functions are 0 unless they meet an address
 * without memory; Go finds out then what is wrong. */
#ifndef GOMPI_NATIVE_H
#define GOMPI_NATIVE_H

#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/* out[i] = a[i] op b[i] for n elements, by a kernel. */
struct gompi_combination {
	void (*kernel)(void *out, const void *a, const void *b, size_t n);
	void *out;
	const void *a, *b;
	size_t n;
};

int gompi_combine(void *combination);

/* Forms of runs: at equal distances on both sides; of equal sizes at the displacements of a list; at those of
 * a list that has their ends in the stream as well. */
enum { GOMPI_STRIDED, GOMPI_INDEXED, GOMPI_LISTED };

/* Runs that are copied between the stream and what lies about a base. */
struct gompi_runs {
	char *stream, *base;
	int64_t stream_stride, base_stride; /* of strided ones, which are copied from the base to the stream */
	int64_t stream_row, base_row, rows; /* of these, that many rows of n runs */
	int64_t size;                       /* of a run, in bytes, but for listed ones */
	int64_t n;
	const int64_t *list; /* displacements from the base, or pairs of these and ends */
	int64_t begin;       /* what the first end is counted from */
	int32_t form, unpack;
};

int gompi_copy_runs(void *runs);

/* Copies one run. */
void gompi_move_run(char *to, const char *from, size_t run);

/* Copies n strided runs. */
void gompi_move_runs(char *to, int64_t to_stride, const char *from, int64_t from_stride, size_t run,
                     int64_t n);

#pragma GCC visibility pop

#endif
