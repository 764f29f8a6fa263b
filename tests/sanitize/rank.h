/* What one rank of the random traffic is, and how it calls the fast engine. */
#ifndef SANITIZE_RANK_H
#define SANITIZE_RANK_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "../../capi/endpoint.h"
#include "traffic.h"

enum { RANKS = 4, NUMBERS = 40 };

#define WORLD ((uintptr_t)MPI_COMM_WORLD)
#define BYTES ((uintptr_t)MPI_BYTE)
#define UINT64 ((uintptr_t)MPI_UINT64_T)
#define SUM ((uintptr_t)MPI_SUM)

struct rank {
	struct fast_endpoint *endpoint;
	int me, n, step;
	uint64_t common; /* state of the numbers that all ranks draw */
	uint64_t own;
	const struct sanitize_rank *who;
	uintptr_t window; /* that of the present step, and what of its memory is this rank's */
	uint64_t *memory;
	char *wrong;
};

static inline uint32_t draw(uint64_t *state, uint32_t bound)
{
	*state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(*state >> 33) % bound;
}

__attribute__((format(printf, 2, 3))) static inline int fail(struct rank *r, const char *format, ...)
{
	va_list list;
	char text[200];

	if (r->wrong == NULL) {
		va_start(list, format);
		vsnprintf(text, sizeof text, format, list);
		va_end(list);
		if (asprintf(&r->wrong, "step %d: %s", r->step, text) < 0)
			abort();
	}
	return 0;
}

/* Reports whether a call has not failed. again: it is to be made once more. */
static inline int goes_on(struct rank *r, const char *name, int32_t how, int *again)
{
	*again = how == FAST_WAITING || how == FAST_NO_ROOM;
	if (*again)
		fast_yield();
	return *again || how == FAST_DONE || fail(r, "%s: reason %d", name, (int)how);
}

/* Makes a call until it has been carried out. */
#define CALL(r, name, ...) \
	do { \
		int again; \
		do \
			if (!goes_on(r, #name, fast_##name((r)->endpoint, __VA_ARGS__), &again)) \
				return 0; \
		while (again); \
	} while (0)

static inline uint64_t number(int step, int from, int to, int i)
{
	return (uint64_t)(step * 1000003 + from * 10007 + to * 101 + i);
}

/* One step in the window, which is left closed (windows.c). */
int sanitize_window(struct rank *r);

#endif
