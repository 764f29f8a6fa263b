/* Random traffic of one rank by the fast engine in C. Ranks are threads of one process. They draw the same
 * numbers, and so each knows what the others do. */
#define _GNU_SOURCE
#include "traffic.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "../../capi/combine.c"
#include "../../capi/endpoint.c"

enum { RANKS = 4, MESSAGES = 4, LONGEST = 3000, NUMBERS = 40 };

#define WORLD ((uintptr_t)MPI_COMM_WORLD)
#define BYTES ((uintptr_t)MPI_BYTE)
#define UINT64 ((uintptr_t)MPI_UINT64_T)
#define SUM ((uintptr_t)MPI_SUM)

struct rank {
	struct fast_endpoint *endpoint;
	int me, n, step;
	uint64_t common; /* state of the numbers that all ranks draw */
	uint64_t own;
	char *wrong;
};

static uint32_t draw(uint64_t *state, uint32_t bound)
{
	*state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(*state >> 33) % bound;
}

__attribute__((format(printf, 2, 3))) static int fail(struct rank *r, const char *format, ...)
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
static int goes_on(struct rank *r, const char *name, int32_t how, int *again)
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

static unsigned char byte_of(int step, int from, int to, int number, uint32_t i)
{
	return (unsigned char)(step * 31 + from * 7 + to * 5 + number * 3 + (int)i);
}

/* All receives are posted before a message is sent, so that none is unexpected. */
static int messages(struct rank *r)
{
	static const uint32_t most[] = {1, 40, 200, LONGEST - 1};
	unsigned char (*in)[MESSAGES][LONGEST] = calloc(RANKS, sizeof *in), out[LONGEST];
	uintptr_t requests[2 * RANKS * MESSAGES];
	struct fast_status statuses[2 * RANKS * MESSAGES];
	uint32_t length[RANKS][RANKS][MESSAGES];
	int tag[RANKS][RANKS][MESSAGES], count[RANKS][RANKS];
	int32_t used = 0;

	for (int from = 0; from < r->n; from++)
		for (int to = 0; to < r->n; to++) {
			count[from][to] = (int)draw(&r->common, from == to ? 1 : MESSAGES + 1);
			for (int i = 0; i < count[from][to]; i++) {
				tag[from][to][i] = (int)draw(&r->common, 3);
				length[from][to][i] = draw(&r->common, most[draw(&r->common, 4)] + 1);
			}
		}
	for (int from = 0; from < r->n; from++)
		for (int i = 0; i < count[from][r->me]; i++, used++)
			CALL(r, irecv, (uintptr_t)in[from][i], LONGEST, BYTES, from,
			     draw(&r->own, 3) == 0 ? MPI_ANY_TAG : tag[from][r->me][i], WORLD, &requests[used]);
	CALL(r, barrier, WORLD, FAST_BLOCKING);
	for (int to = 0; to < r->n; to++)
		for (int i = 0; i < count[r->me][to]; i++) {
			const uint32_t size = length[r->me][to][i];
			for (uint32_t k = 0; k < size; k++)
				out[k] = byte_of(r->step, r->me, to, i, k);
			if (draw(&r->own, 2) == 0)
				CALL(r, send, (uintptr_t)out, (int32_t)size, BYTES, to, tag[r->me][to][i], WORLD);
			else {
				CALL(r, isend, (uintptr_t)out, (int32_t)size, BYTES, to, tag[r->me][to][i], WORLD,
				     &requests[used]);
				used++;
			}
		}
	CALL(r, waitall, used, requests, statuses);
	for (int from = 0; from < r->n; from++)
		for (int i = 0; i < count[from][r->me]; i++)
			for (uint32_t k = 0; k < length[from][r->me][i]; k++)
				if (in[from][i][k] != byte_of(r->step, from, r->me, i, k))
					return fail(r, "byte %u of message %d from %d", k, i, from);
	free(in);
	return 1;
}

/* Blocking sends and receives to and fro between ranks 0 and 1, 2 and 3. */
static int pingpong(struct rank *r)
{
	const int other = r->me ^ 1;
	const int32_t size = (int32_t)draw(&r->common, LONGEST);
	unsigned char out[LONGEST], in[LONGEST];
	struct fast_status status;

	if (other >= r->n)
		return 1;
	for (int i = 0; i < 10; i++) {
		for (int32_t k = 0; k < size; k++)
			out[k] = byte_of(r->step, r->me, other, i, (uint32_t)k);
		if (r->me < other)
			CALL(r, send, (uintptr_t)out, size, BYTES, other, i, WORLD);
		CALL(r, recv, (uintptr_t)in, LONGEST, BYTES, other, i, WORLD, &status);
		for (int32_t k = 0; k < size; k++)
			if (in[k] != byte_of(r->step, other, r->me, i, (uint32_t)k))
				return fail(r, "byte %d of round %d", (int)k, i);
		if (r->me > other)
			CALL(r, send, (uintptr_t)out, size, BYTES, other, i, WORLD);
	}
	return 1;
}

static uint64_t number(int step, int from, int to, int i)
{
	return (uint64_t)(step * 1000003 + from * 10007 + to * 101 + i);
}

static int collective(struct rank *r)
{
	const int kind = (int)draw(&r->common, 7), root = (int)draw(&r->common, (uint32_t)r->n);
	const int32_t n = 1 + (int32_t)draw(&r->common, NUMBERS);
	uint64_t in[RANKS * NUMBERS], out[RANKS * NUMBERS];
	const uintptr_t from = (uintptr_t)in, to = (uintptr_t)out;
	uintptr_t request;
	int results = n * (kind == 1 || kind == 2 ? r->n : 1);

	for (int i = 0; i < RANKS * NUMBERS; i++) {
		in[i] = number(r->step, r->me, kind == 2 ? i / n : 0, kind == 2 ? i % n : i);
		out[i] = kind == 0 || kind == 5 ? in[i] : 0;
	}
	switch (kind) {
	case 0:
		CALL(r, bcast, to, n, UINT64, root, WORLD, FAST_BLOCKING);
		break;
	case 1:
		CALL(r, allgather, from, n, UINT64, to, n, UINT64, WORLD, FAST_BLOCKING);
		break;
	case 2:
		CALL(r, alltoall, from, n, UINT64, to, n, UINT64, WORLD, FAST_BLOCKING);
		break;
	case 3:
		CALL(r, allreduce, from, to, n, UINT64, SUM, WORLD, FAST_BLOCKING);
		break;
	case 4:
		CALL(r, allreduce, from, to, n, UINT64, SUM, WORLD, (uintptr_t)&request);
		CALL(r, wait, &request, NULL);
		break;
	case 5:
		CALL(r, bcast, to, n, UINT64, root, WORLD, (uintptr_t)&request);
		CALL(r, wait, &request, NULL);
		break;
	default:
		CALL(r, barrier, WORLD, (uintptr_t)&request);
		CALL(r, wait, &request, NULL);
		return 1;
	}
	for (int i = 0; i < results; i++) {
		uint64_t want = number(r->step, kind == 0 || kind == 5 ? root : i / n, kind == 2 ? r->me : 0, i % n);
		if (kind == 3 || kind == 4) {
			want = 0;
			for (int k = 0; k < r->n; k++)
				want += number(r->step, k, 0, i);
		}
		if (out[i] != want)
			return fail(r, "number %d of collective %d", i, kind);
	}
	return 1;
}

char *sanitize_traffic(uintptr_t endpoint, int me, int n, uint64_t seed, int steps)
{
	struct rank r = {(struct fast_endpoint *)endpoint, me, n, 0, seed, seed + (uint64_t)me + 1, NULL};

	while (r.step < steps && messages(&r) && collective(&r) && pingpong(&r))
		r.step++;
	return r.wrong;
}

void sanitize_free(char *text)
{
	free(text);
}
