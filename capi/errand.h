/* One-sided operations on memory that only the target has mapped, without a call into Go: the target is asked to carry them
 * out, by the errands of package shm (errand.go), as package rma does it (errand.go there), which sees to all that does not
 * go smoothly. */
#ifndef GOMPI_ERRAND_H
#define GOMPI_ERRAND_H

#include <string.h>

#include "endpoint.h"
#include "zz_window.h"

/* What is left to do of what others want of this rank. */
enum { GOMPI_LEFT_NOTHING, GOMPI_LEFT_SOME, GOMPI_LEFT_TO_GO };

#pragma GCC visibility push(hidden)

/* Carries out what those ranks want done in this rank's private memory. */
int gompi_serve_callers(struct gompi_window *w, uint64_t callers);

#pragma GCC visibility pop

/* The set of the ranks of a window that has errands, of which there are 64 at most. */
static inline uint64_t gompi_all_ranks(const struct gompi_window *w)
{
	return UINT64_MAX >> (64 - w->n);
}

/* Carries out what others want done in this rank's private memory. Whoever waits here does so at each look; what is not simple is
 * left to Go. */
static inline int gompi_serve(struct gompi_window *w)
{
	uint64_t callers;

	if (w->callers == NULL || (callers = __atomic_load_n(w->callers, __ATOMIC_RELAXED)) == 0)
		return GOMPI_LEFT_NOTHING;
	return gompi_serve_callers(w, callers);
}

static inline void gompi_ring(uint32_t *bell)
{
	if (__builtin_expect(__atomic_load_n(bell, __ATOMIC_ACQUIRE) != 0, 0))
		fast_wake(bell);
}

/* Counts an operation on bytes at its target: Window.count in package rma. */
static inline void gompi_count(struct gompi_window *w, int path, uint64_t bytes)
{
	if (__builtin_expect(w->single, 1)) {
		w->operations[path]++;
		w->moved[path] += bytes;
	} else {
		__atomic_fetch_add(&w->operations[path], 1, __ATOMIC_RELAXED);
		__atomic_fetch_add(&w->moved[path], bytes, __ATOMIC_RELAXED);
	}
}

static inline struct gompi_errand *gompi_errand_at(const struct gompi_target *t, uint32_t number)
{
	return (struct gompi_errand *)(t->errands + (uintptr_t)(number % GOMPI_ERRANDS) * GOMPI_ERRAND_STRIDE);
}

/* Where the data of an errand stands. */
static inline void *gompi_errand_data(struct gompi_errand *e, uint64_t bytes)
{
	return bytes <= GOMPI_ERRAND_SMALL ? (void *)e->small : (void *)(e + 1);
}

/* Tells whether the target ends the epoch as well, and does until then what is left to do. */
static inline int gompi_defers(const struct gompi_target *t)
{
	return t->open == GOMPI_OPEN_FENCE || t->open == GOMPI_OPEN_START;
}

/* Begins an errand for the bytes at a displacement; NULL when Go has to see to it. Go sends the first one to a target, and
 * those to targets that sleep or did not come the last time, unless it may be done later. */
static inline struct gompi_errand *gompi_errand_begin(const struct gompi_window *w, struct gompi_target *t, MPI_Aint disp, uint64_t bytes, int later)
{
	int64_t at;

	if (t->errands == 0 || t->sent == 0 || w->single == 0 || bytes > GOMPI_ERRAND_ROOM || bytes > t->size ||
	    __builtin_mul_overflow((int64_t)disp, t->unit, &at) || at < 0 || (uint64_t)at > t->size - bytes)
		return NULL;
	if (!(later && gompi_defers(t)) && (t->late != 0 || t->skip != 0 || __atomic_load_n(t->bell, __ATOMIC_RELAXED) != 0))
		return NULL;
	if (t->sent - t->done == GOMPI_ERRANDS) {
		if ((__atomic_load_n(&gompi_errand_at(t, t->done + 1)->state, __ATOMIC_ACQUIRE) & 3) != GOMPI_ERRAND_DONE)
			return NULL;
		t->done++;
	}
	struct gompi_errand *e = gompi_errand_at(t, t->sent + 1);
	e->addr = t->remote + (uint64_t)at;
	e->bytes = (uint32_t)bytes;
	return e;
}

static inline void gompi_errand_send(struct gompi_window *w, struct gompi_target *t, struct gompi_errand *e, uint32_t kind)
{
	e->kind = kind;
	t->sent++;
	__atomic_store_n(&e->state, t->sent << 2 | GOMPI_ERRAND_POSTED, __ATOMIC_RELEASE);
	w->pending = w->issued = 1;
}

/* Waits a moment until all errands for a target are done; 0 when they are not, or one has failed. */
static inline int gompi_errands_done(struct gompi_window *w, struct gompi_target *t)
{
	enum { LOOKS = 100 };

	if (t->sent == t->done)
		return 1;
	for (int looks = 0; looks < LOOKS;) {
		uint32_t phase = __atomic_load_n(&gompi_errand_at(t, t->done + 1)->state, __ATOMIC_ACQUIRE) & 3;
		if (phase == GOMPI_ERRAND_DONE) {
			looks = 0;
			t->shy = t->doze = 0;
			if (++t->done == t->sent)
				return 1;
			continue;
		}
		if (phase == GOMPI_ERRAND_FAILED || gompi_serve(w) == GOMPI_LEFT_TO_GO)
			return 0;
		fast_pause();
		looks++;
	}
	return 0;
}

/* The same for all targets. */
static inline int gompi_errands_settle(struct gompi_window *w)
{
	if (w->pending == 0)
		return 1;
	for (uint32_t r = 0; r < w->n; r++)
		if (!gompi_errands_done(w, &w->targets[r]))
			return 0;
	w->pending = 0;
	return 1;
}

/* The ranks for which errands are under way. */
static inline uint64_t gompi_owing(const struct gompi_window *w)
{
	uint64_t ranks = 0;

	for (uint32_t r = 0; w->pending != 0 && r < w->n; r++)
		ranks |= (uint64_t)(w->targets[r].sent != w->targets[r].done) << r;
	return ranks;
}

/* Waits for the answer to the last errand; NULL when Go has to: it finds that the errand is sent. */
static inline void *gompi_errand_answer(struct gompi_window *w, struct gompi_target *t, struct gompi_errand *e, uint64_t bytes)
{
	if (gompi_errands_done(w, t))
		return gompi_errand_data(e, bytes);
	t->owed = 1;
	return NULL;
}

static inline int gompi_errand_put(struct gompi_window *w, struct gompi_target *t, MPI_Aint disp, const void *origin, uint64_t bytes)
{
	struct gompi_errand *e = gompi_errand_begin(w, t, disp, bytes, 1);

	if (e == NULL)
		return 0;
	memcpy(gompi_errand_data(e, bytes), origin, bytes);
	gompi_errand_send(w, t, e, GOMPI_ERRAND_PUT);
	gompi_count(w, GOMPI_PATH_ERRAND, bytes);
	return 1;
}

static inline int gompi_errand_get(struct gompi_window *w, struct gompi_target *t, MPI_Aint disp, void *origin, uint64_t bytes)
{
	struct gompi_errand *e = gompi_errand_begin(w, t, disp, bytes, 0);

	if (e == NULL)
		return 0;
	gompi_errand_send(w, t, e, GOMPI_ERRAND_GET);
	const void *data = gompi_errand_answer(w, t, e, bytes);
	if (data == NULL)
		return 0;
	memcpy(origin, data, bytes);
	gompi_count(w, GOMPI_PATH_ERRAND, bytes);
	return 1;
}

/* An accumulate; result is NULL when nobody wants what was there before. */
static inline int gompi_errand_accumulate(struct gompi_window *w, struct gompi_target *t, MPI_Aint disp, const void *origin, void *result,
                                          uint64_t bytes, MPI_Datatype type, MPI_Op op)
{
	struct gompi_errand *e = gompi_errand_begin(w, t, disp, bytes, result == NULL);

	if (e == NULL)
		return 0;
	e->type = (uint32_t)(uintptr_t)type;
	e->op = (uint32_t)(uintptr_t)op;
	memcpy(gompi_errand_data(e, bytes), origin, bytes);
	gompi_errand_send(w, t, e, result ? GOMPI_ERRAND_FETCH : GOMPI_ERRAND_ACCUMULATE);
	if (result == NULL) {
		gompi_count(w, GOMPI_PATH_ERRAND, bytes);
		return 1;
	}
	const void *data = gompi_errand_answer(w, t, e, bytes);
	if (data == NULL)
		return 0;
	memcpy(result, data, bytes);
	gompi_count(w, GOMPI_PATH_ERRAND, bytes);
	return 1;
}

static inline int gompi_errand_swap(struct gompi_window *w, struct gompi_target *t, MPI_Aint disp, const void *origin, const void *compare,
                                    void *result, uint64_t bytes)
{
	struct gompi_errand *e = gompi_errand_begin(w, t, disp, bytes, 0);

	if (e == NULL)
		return 0;
	memcpy(&e->small[0], origin, bytes);
	memcpy(&e->small[2], compare, bytes);
	gompi_errand_send(w, t, e, GOMPI_ERRAND_SWAP);
	const void *data = gompi_errand_answer(w, t, e, bytes);
	if (data == NULL)
		return 0;
	memcpy(result, data, bytes);
	gompi_count(w, GOMPI_PATH_ERRAND, bytes);
	return 1;
}

#endif
