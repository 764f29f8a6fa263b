/* Combining the contributions of ranks (reduction.h). */
#include "reduction.h"

/* How many bytes of each contribution are combined at a time. */
enum { STEP = 512, LEVELS = 7 };

/* A tree over n groups, a power of two, needs room for one value per level and for the one that comes next. */
_Static_assert(GOMPI_AREA_RANKS <= 1 << (LEVELS - 1), "room in combine_tree");

/* Combines bytes of n contributions in the tree that package coll describes (groups.go, groups.combine). out may be one of
 * the contributions. */
static void combine_tree(const struct gompi_reduction *r, const char *values[], uint32_t n, char *out, int64_t bytes)
{
	char room[LEVELS][STEP] __attribute__((aligned(16)));
	const char *value[LEVELS];
	uint32_t count = (uint32_t)1 << (31 - __builtin_clz(n)), pairs = n - count;

	for (int64_t at = 0; at < bytes; at += STEP) {
		size_t elements = (size_t)(bytes - at < STEP ? bytes - at : STEP) / r->size;
		uint32_t depth = 0;
		for (uint32_t group = 0; group < count; group++) {
			if (group < pairs) {
				r->combine(room[depth], values[2 * group] + at, values[2 * group + 1] + at, elements);
				value[depth] = room[depth];
			} else {
				value[depth] = values[group + pairs] + at;
			}
			depth++;
			/* As many halves end here as the number of groups so far has zero bits at its end. */
			for (uint32_t whole = group + 1; (whole & 1) == 0; whole >>= 1) {
				char *to = depth == 2 && group + 1 == count ? out + at : room[depth - 2];
				r->combine(to, value[depth - 2], value[depth - 1], elements);
				value[depth - 2] = to;
				depth--;
			}
		}
	}
}

void gompi_combine_all(const struct gompi_reduction *r, const char *values[], uint32_t n, char *out, int64_t bytes)
{
	if (n == 2)
		r->combine(out, values[0], values[1], (size_t)bytes / r->size);
	else
		combine_tree(r, values, n, out, bytes);
}

void gompi_combine_prefix(const struct gompi_reduction *r, const char *values[], uint32_t end, char *out)
{
	size_t elements = (size_t)r->bytes / r->size;

	if (end == 1) {
		if (out != values[0])
			gompi_copy_small(out, values[0], r->bytes);
		return;
	}
	r->combine(out, values[end - 2], values[end - 1], elements);
	for (uint32_t i = end - 2; i > 0; i--)
		r->combine(out, values[i - 1], out, elements);
}
