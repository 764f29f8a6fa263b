/* Random traffic of one rank by the fast engine in C. Ranks are threads of one process. They draw the same
 * numbers, and so each knows what the others do. */
#define _GNU_SOURCE
#include "traffic.h"

#include "rank.h"

#include "../../capi/combine.c"
#include "../../capi/endpoint.c"
#include "../../capi/pack.c"
#include "../../capi/runs.c"
#include "../../capi/copy.c"

/* Functions of the program's are called by package capi, which is not here. */
void gompi_call_op(uintptr_t function, uintptr_t in, uintptr_t inout, int count, uintptr_t datatype)
{
	((void (*)(uintptr_t, uintptr_t, int *, uintptr_t *))function)(in, inout, &count, &datatype);
}

void gompi_call_op_large(uintptr_t function, uintptr_t in, uintptr_t inout, int64_t count, uintptr_t datatype)
{
	((void (*)(uintptr_t, uintptr_t, int64_t *, uintptr_t *))function)(in, inout, &count, &datatype);
}

enum { MESSAGES = 4, LONGEST = 3000 };

static unsigned char byte_of(int step, int from, int to, int number, uint32_t i)
{
	return (unsigned char)(step * 31 + from * 7 + to * 5 + number * 3 + (int)i);
}

/* All receives are posted before a message is sent, so that none is unexpected. */
static int messages(struct rank *r)
{
	static const uint32_t most[] = {1, 40, 200, LONGEST - 1};
	unsigned char(*in)[MESSAGES][LONGEST] = calloc(RANKS, sizeof *in), out[LONGEST];
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

/* Messages between ranks 0 and 1, 2 and 3, that come before anybody wants them: the receiver asks what has
 * come, with wildcards or without, and receives that. */
static int probed(struct rank *r)
{
	const int other = r->me ^ 1, sends = (int)draw(&r->common, 2) == (r->me & 1);
	unsigned char data[LONGEST];

	for (int i = 0; i < 6; i++) {
		const int32_t size = (int32_t)draw(&r->common, 1000), tag = (int32_t)draw(&r->common, 3);
		const int blocks = (int)draw(&r->common, 2), waits = (int)draw(&r->common, 2);

		if (other >= r->n)
			continue;
		if (sends) {
			for (int32_t k = 0; k < size; k++)
				data[k] = byte_of(r->step, r->me, other, i, (uint32_t)k);
			CALL(r, send, (uintptr_t)data, size, BYTES, other, tag, WORLD);
			continue;
		}
		const int32_t source = draw(&r->own, 2) ? MPI_ANY_SOURCE : other;
		const int32_t asked = draw(&r->own, 2) ? MPI_ANY_TAG : tag;
		struct fast_status status = {0};
		int32_t flag = 0, how = FAST_DONE;
		if (blocks)
			CALL(r, probe, source, asked, WORLD, &status);
		/* Now and then the engine in Go is to be asked, which has nothing here. */
		for (; !blocks && !flag && (how == FAST_DONE || how == FAST_NEEDS_ENGINE); fast_yield())
			how = fast_iprobe(r->endpoint, source, asked, WORLD, &flag, &status);
		if (!blocks && !flag)
			return fail(r, "iprobe: reason %d", (int)how);
		if (status.source != other || status.tag != tag || status.internal[0] != size)
			return fail(r, "probed a message from %d with tag %d", (int)status.source, (int)status.tag);
		if (waits) {
			uintptr_t request;
			CALL(r, irecv, (uintptr_t)data, LONGEST, BYTES, other, tag, WORLD, &request);
			CALL(r, wait, &request, NULL);
		} else {
			CALL(r, recv, (uintptr_t)data, LONGEST, BYTES, other, tag, WORLD, NULL);
		}
		for (int32_t k = 0; k < size; k++)
			if (data[k] != byte_of(r->step, other, r->me, i, (uint32_t)k))
				return fail(r, "byte %d of probed message %d", (int)k, i);
	}
	return 1;
}

/* What goes around a ring in both directions, and to oneself. */
static int neighbors(struct rank *r)
{
	enum { NEAR = 3 };
	const int to_all = (int)draw(&r->common, 2), later = (int)draw(&r->common, 2);
	const int32_t n = 1 + (int32_t)draw(&r->common, NUMBERS);
	const int sources[NEAR] = {(r->me + 1) % r->n, (r->me + r->n - 1) % r->n, r->me};
	uint64_t in[NEAR * NUMBERS], out[NEAR * NUMBERS] = {0};
	uintptr_t request = FAST_BLOCKING;
	const uintptr_t how = later ? (uintptr_t)&request : FAST_BLOCKING;

	for (int i = 0; i < NEAR * n; i++)
		in[i] = number(r->step, r->me, i / n, i % n);
	if (to_all)
		CALL(r, neighbor_allgather, (uintptr_t)in, n, UINT64, (uintptr_t)out, n, UINT64, WORLD, how);
	else
		CALL(r, neighbor_alltoall, (uintptr_t)in, n, UINT64, (uintptr_t)out, n, UINT64, WORLD, how);
	if (later)
		CALL(r, wait, &request, NULL);
	for (int i = 0; i < NEAR * n; i++)
		if (out[i] != number(r->step, sources[i / n], to_all ? 0 : i / n, i % n))
			return fail(r, "number %d of what neighbors send", i);
	return 1;
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

char *sanitize_traffic(const struct sanitize_rank *who, uint64_t seed, int steps)
{
	struct rank r = {.endpoint = (struct fast_endpoint *)who->endpoint,
	                 .me = who->me,
	                 .n = who->n,
	                 .common = seed,
	                 .own = seed + (uint64_t)who->me + 1,
	                 .who = who};

	while (r.step < steps && messages(&r) && collective(&r) && neighbors(&r) && pingpong(&r) && probed(&r) &&
	       sanitize_window(&r))
		r.step++;
	return r.wrong;
}

void sanitize_free(char *text)
{
	free(text);
}
