/* Random operations of one rank in a window by the fast engine in C, under every kind of synchronization. */
#define _GNU_SOURCE
#include "rank.h"

/* The words of a rank's memory: a part for the puts of each rank, sums, and counters. */
enum {
	PART = NUMBERS,
	SUMS = RANKS * PART,
	LOCKED = SUMS + PART, /* counted up under exclusive locks */
	ADDED,                /* ... by operations that are atomic */
	WORDS,
};
_Static_assert((int)WORDS <= (int)SANITIZE_WORDS, "room for all parts");

#define WORD ((int64_t)sizeof(uint64_t))

/* A barrier by messages, which go through memory that all ranks have at the same address: so a sanitizer
 * knows that it is one. */
static int meet(struct rank *r)
{
	uintptr_t requests[2 * RANKS];
	struct fast_status statuses[2 * RANKS];
	int32_t used = 0;
	uint64_t in[RANKS], out[8] = {0}; /* as much as a copy may look at, for the compiler */

	for (int from = 0; from < r->n; from++)
		if (from != r->me) {
			CALL(r, irecv, (uintptr_t)&in[from], 1, UINT64, from, 7, WORLD, &requests[used]);
			used++;
		}
	CALL(r, barrier, WORLD, FAST_BLOCKING); /* no message comes before it is wanted */
	for (int to = 0; to < r->n; to++)
		if (to != r->me)
			CALL(r, send, (uintptr_t)out, 1, UINT64, to, 7, WORLD);
	CALL(r, waitall, used, requests, statuses);
	return 1;
}

/* Puts numbers into the parts of some ranks that are this rank's; others: not into its own memory. All know
 * how many. */
static int put_all(struct rank *r, int count[RANKS][RANKS], int others)
{
	uint64_t out[PART];

	for (int from = 0; from < r->n; from++)
		for (int to = 0; to < r->n; to++)
			count[from][to] = others && from == to ? 0 : (int)draw(&r->common, PART + 1);
	for (int to = 0; to < r->n; to++) {
		for (int i = 0; i < count[r->me][to]; i++)
			out[i] = number(r->step, r->me, to, i);
		if (count[r->me][to] > 0)
			CALL(r, put, (uintptr_t)out, count[r->me][to], UINT64, to, r->me * PART * WORD, count[r->me][to],
			     UINT64, r->window);
	}
	return 1;
}

/* Looks at what others have put here. */
static int arrived(struct rank *r, int count[RANKS][RANKS])
{
	for (int from = 0; from < r->n; from++)
		for (int i = 0; i < count[from][r->me]; i++)
			if (r->memory[from * PART + i] != number(r->step, from, r->me, i))
				return fail(r, "word %d that rank %d has put", i, from);
	return 1;
}

static int fences(struct rank *r)
{
	const int sums = 1 + (int)draw(&r->common, PART);
	int count[RANKS][RANKS];
	uint64_t out[PART], in[PART];

	CALL(r, win_fence, (int32_t)draw(&r->common, 2) ? MPI_MODE_NOPRECEDE : 0, r->window);
	if (!put_all(r, count, 0))
		return 0;
	for (int to = 0; to < r->n; to++) {
		for (int i = 0; i < sums; i++)
			out[i] = number(r->step, r->me, to, i);
		/* Somebody else may hold the row; the engine in Go would wait for it. */
		for (int32_t how = FAST_NEEDS_ENGINE; how != FAST_DONE; fast_yield()) {
			how = fast_accumulate(r->endpoint, (uintptr_t)out, sums, UINT64, to, SUMS * WORD, sums, UINT64,
			                      SUM, r->window);
			if (how != FAST_DONE && how != FAST_NEEDS_ENGINE)
				return fail(r, "accumulate: reason %d", (int)how);
		}
	}
	CALL(r, win_fence, 0, r->window);
	if (!arrived(r, count))
		return 0;
	for (int i = 0; i < sums; i++) {
		uint64_t want = 0;
		for (int from = 0; from < r->n; from++)
			want += number(r->step, from, r->me, i);
		if (r->memory[SUMS + i] != want)
			return fail(r, "sum %d", i);
	}
	for (int to = 0; to < r->n; to++) {
		if (count[r->me][to] == 0)
			continue;
		CALL(r, get, (uintptr_t)in, count[r->me][to], UINT64, to, r->me * PART * WORD, count[r->me][to],
		     UINT64, r->window);
		for (int i = 0; i < count[r->me][to]; i++)
			if (in[i] != number(r->step, r->me, to, i))
				return fail(r, "word %d from rank %d", i, to);
	}
	CALL(r, win_fence, MPI_MODE_NOSUCCEED, r->window);
	return 1;
}

static int posts(struct rank *r)
{
	int count[RANKS][RANKS];
	int32_t flag = 0;

	CALL(r, win_post, r->who->others, 0, r->window);
	CALL(r, win_start, r->who->others, 0, r->window);
	if (!put_all(r, count, 1))
		return 0;
	CALL(r, win_complete, r->window);
	if (draw(&r->common, 2) == 0) {
		CALL(r, win_wait, r->window);
	} else {
		/* Now and then the engine in Go is to be asked, which has nothing here. */
		for (int32_t how = FAST_DONE; !flag; fast_yield()) {
			how = fast_win_test(r->endpoint, r->window, &flag);
			if (how != FAST_DONE && how != FAST_NEEDS_ENGINE)
				return fail(r, "win_test: reason %d", (int)how);
		}
	}
	return arrived(r, count);
}

/* Counts a word of a rank up that only the holder of its lock may write. */
static int count_locked(struct rank *r, int to)
{
	uint64_t value = 0;

	CALL(r, win_lock, MPI_LOCK_EXCLUSIVE, to, 0, r->window);
	CALL(r, get, (uintptr_t)&value, 1, UINT64, to, LOCKED * WORD, 1, UINT64, r->window);
	value++;
	CALL(r, put, (uintptr_t)&value, 1, UINT64, to, LOCKED * WORD, 1, UINT64, r->window);
	CALL(r, win_flush, to, r->window);
	CALL(r, win_unlock, to, r->window);
	return 1;
}

/* Counts a word of a rank up that many write at the same time. */
static int count_added(struct rank *r, int to)
{
	const uint64_t one = 1;
	uint64_t before = 0;

	if (draw(&r->own, 2) == 0) {
		CALL(r, fetch_and_op, (uintptr_t)&one, (uintptr_t)&before, UINT64, to, ADDED * WORD, SUM, r->window);
		return 1;
	}
	for (uint64_t want, next;; before = want) {
		next = before + 1;
		CALL(r, compare_and_swap, (uintptr_t)&next, (uintptr_t)&before, (uintptr_t)&want, UINT64, to,
		     ADDED * WORD, r->window);
		CALL(r, win_flush, to, r->window);
		if (want == before)
			return 1;
	}
}

/* Counters under locks of all kinds: none is counted up too rarely. */
static int locks(struct rank *r, int all)
{
	enum { TURNS = 8 };
	uint64_t sums[2];

	if (all)
		CALL(r, win_lock_all, 0, r->window);
	for (int i = 0; i < TURNS; i++) {
		const int to = (int)draw(&r->own, (uint32_t)r->n);
		if (!all && !count_locked(r, to))
			return 0;
		if (!all)
			CALL(r, win_lock, MPI_LOCK_SHARED, to, 0, r->window);
		if (!count_added(r, to))
			return 0;
		if (!all)
			CALL(r, win_unlock, to, r->window);
	}
	if (all) {
		CALL(r, win_flush_all, r->window);
		CALL(r, win_unlock_all, r->window);
	}
	if (!meet(r))
		return 0;
	CALL(r, allreduce, (uintptr_t)&r->memory[LOCKED], (uintptr_t)sums, 2, UINT64, SUM, WORLD, FAST_BLOCKING);
	if (sums[0] != (uint64_t)(all ? 0 : r->n * TURNS) || sums[1] != (uint64_t)(r->n * TURNS))
		return fail(r, "counted %d and %d times", (int)sums[0], (int)sums[1]);
	return 1;
}

int sanitize_window(struct rank *r)
{
	const int kind = (int)draw(&r->common, 4);
	const int which = kind > 0;

	r->window = r->who->windows[which];
	r->memory = (uint64_t *)r->who->memory[which];
	const int well = kind == 0 ? fences(r) : kind == 1 ? posts(r) : locks(r, kind == 3);

	if (!well)
		return 0;
	if (!meet(r))
		return 0;
	memset(r->memory, 0, WORDS * sizeof *r->memory);
	return meet(r);
}
