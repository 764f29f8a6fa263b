/* One-sided operations without a call into Go, which would take longer than the operation.
 *
 * The stubs work on the description of a window that package rma keeps (zz_window.h), and on the same words in shared
 * memory as package shm (window.go, winlock.go). They take over what is plain: dense data of predefined types, the same at both ends, in
 * memory that is mapped here, for a target that is open for access; locks that are free; fences in a row of fences.
 * Everything else, and every error, is left to Go. */
#ifndef GOMPI_WINDOW_H
#define GOMPI_WINDOW_H

#include <string.h>

#include "mpi.h"

#include "element.h"
#include "errand.h"
#include "endpoint.h"
#include "life.h"
#include "zz_window.h"

#pragma GCC visibility push(hidden)

/* The windows of this process, each at the place that the low bits of its handle say. Where there is none, or one with a
 * higher number, stands one that nothing fits. */
extern struct gompi_window *gompi_windows[GOMPI_WINDOWS];

/* How many groups have been freed. */
extern uint64_t gompi_groups_freed;

/* Wakes the rank that waits with a ticket of a target's lock: shm.TicketLock.ring. */
void gompi_ring_turn(const struct gompi_window *w, const struct gompi_target *t, uint32_t ticket);

/* Copies n bytes piece by piece, from the front: the C library has a slower way for copies that are larger than a cache, which is meant
 * for memory that is in none. */
void gompi_copy_pieces(char *to, const char *from, uint64_t n);

enum { GOMPI_PIECE = 128 << 10 };

#pragma GCC visibility pop

/* The window that a handle names, if the stubs know it; one with the handle 0 otherwise. */
static inline struct gompi_window *gompi_window(MPI_Win win)
{
	return gompi_windows[(uintptr_t)win % GOMPI_WINDOWS];
}

/* Opens a target for access that has entered the fence which this rank has left without waiting, or does so soon. */
static inline int gompi_open_late(const struct gompi_window *w, struct gompi_target *t)
{
	if (w->mode != GOMPI_MODE_FENCE || w->lazy == 0 || w->single == 0)
		return 0;
	for (uint32_t polls = 0; (int32_t)(__atomic_load_n(t->fence, __ATOMIC_ACQUIRE) - w->fences) < 0; polls++)
		if (!fast_endpoint_backoff(gompi_endpoint, polls))
			return 0;
	t->open = GOMPI_OPEN_FENCE;
	return 1;
}

/* A target that is open for access; NULL when Go has to see to it. */
static inline struct gompi_target *gompi_open(struct gompi_window *w, MPI_Win win, int rank)
{
	if (w->handle != (uintptr_t)win || (uint32_t)rank >= w->n)
		return NULL;
	struct gompi_target *t = &w->targets[rank];
	return __builtin_expect(t->open != 0, 1) || gompi_open_late(w, t) ? t : NULL;
}

/* Where the bytes at a displacement stand; NULL when they are not mapped here, or leave the window. */
static inline char *gompi_reach(const struct gompi_target *t, MPI_Aint disp, uint64_t bytes)
{
	int64_t at;

	if (t->base == 0 || __builtin_mul_overflow((int64_t)disp, t->unit, &at) || at < 0 || bytes > t->size || (uint64_t)at > t->size - bytes)
		return NULL;
	return (char *)t->base + at;
}

/* The size of dense data in bytes, the same at both ends; 0 for anything else. */
static inline uint64_t gompi_same_size(const void *origin, MPI_Count origin_count, MPI_Datatype origin_type, MPI_Count target_count, MPI_Datatype target_type)
{
	uintptr_t own = (uintptr_t)origin_type - 0x200, other = (uintptr_t)target_type - 0x200;

	if (own > 0xff || other > 0xff || (uint64_t)origin_count > UINT_MAX || (uint64_t)target_count > UINT_MAX || gompi_nowhere(origin))
		return 0;
	uint64_t bytes = (uint64_t)gompi_dense_size[own] * (uint64_t)origin_count;
	return bytes == (uint64_t)gompi_dense_size[other] * (uint64_t)target_count ? bytes : 0;
}

/* Copies n bytes, to where they were in part if the program wants that. */
static inline void gompi_copy(void *to, const void *from, uint64_t n)
{
	if (n == 8)
		memcpy(to, from, 8);
	else if (n < 2 * GOMPI_PIECE || (uintptr_t)to - (uintptr_t)from < n)
		memmove(to, from, n);
	else
		gompi_copy_pieces(to, from, n);
}

static inline int gompi_fast_Put(const void *origin, MPI_Count origin_count, MPI_Datatype origin_type, int rank, MPI_Aint disp, MPI_Count count, MPI_Datatype type, MPI_Win win)
{
	struct gompi_window *w = gompi_window(win);
	struct gompi_target *t = gompi_open(w, win, rank);
	uint64_t bytes = gompi_same_size(origin, origin_count, origin_type, count, type);

	if (t == NULL || bytes == 0)
		return 0;
	if (t->base == 0)
		return gompi_errand_put(w, t, disp, origin, bytes);
	char *to = gompi_reach(t, disp, bytes);
	if (to == NULL)
		return 0;
	gompi_copy(to, origin, bytes);
	gompi_count(w, GOMPI_PATH_MAPPED, bytes);
	w->issued = 1;
	return 1;
}

static inline int gompi_fast_Get(void *origin, MPI_Count origin_count, MPI_Datatype origin_type, int rank, MPI_Aint disp, MPI_Count count, MPI_Datatype type, MPI_Win win)
{
	struct gompi_window *w = gompi_window(win);
	struct gompi_target *t = gompi_open(w, win, rank);
	uint64_t bytes = gompi_same_size(origin, origin_count, origin_type, count, type);

	if (t == NULL || bytes == 0)
		return 0;
	if (t->base == 0)
		return gompi_errand_get(w, t, disp, origin, bytes);
	const char *from = gompi_reach(t, disp, bytes);
	if (from == NULL)
		return 0;
	gompi_copy(origin, from, bytes);
	gompi_count(w, GOMPI_PATH_MAPPED, bytes);
	w->issued = 1;
	return 1;
}

/* Where elements stand that the processor's atomic instructions change; NULL when they do not. */
static inline char *gompi_reach_atomic(struct gompi_target *t, MPI_Aint disp, int element, uint64_t count)
{
	unsigned size = gompi_element_size(element);
	char *at;

	if (t == NULL || t->atomic == 0 || element == 0 || (at = gompi_reach(t, disp, count * size)) == NULL)
		return NULL;
	return (uintptr_t)at % size == 0 ? at : NULL;
}

static inline int gompi_element(MPI_Datatype type)
{
	return (uintptr_t)type - 0x200 <= 0xff ? gompi_elements[(uintptr_t)type - 0x200] : 0;
}

/* Makes known that this rank changes elements of a target by atomic instructions; 0 when somebody changes rows of them
 * without, who keeps such instructions away. gompi_settled ends it. Under an exclusive lock nobody else is there. Pairs with
 * Window.seizeBulk in package rma: of the two who make themselves known, one at least sees the other. */
static inline int gompi_changing(struct gompi_target *t)
{
	if (t->open == GOMPI_OPEN_EXCLUSIVE)
		return 1;
	__atomic_fetch_add(&t->own[GOMPI_BUSY], 1, __ATOMIC_SEQ_CST);
	if (__builtin_expect(__atomic_load_n(t->bulk, __ATOMIC_SEQ_CST) == 0, 1))
		return 1;
	__atomic_fetch_sub(&t->own[GOMPI_BUSY], 1, __ATOMIC_RELEASE);
	return 0;
}

static inline void gompi_settled(const struct gompi_window *w, struct gompi_target *t)
{
	if (t->open == GOMPI_OPEN_EXCLUSIVE)
		return;
	if (w->single) /* nobody else writes the word */
		__atomic_store_n(&t->own[GOMPI_BUSY], 0, __ATOMIC_RELEASE);
	else
		__atomic_fetch_sub(&t->own[GOMPI_BUSY], 1, __ATOMIC_RELEASE);
}

/* Longer rows are left to Go, which takes loops without atomic instructions for them. Under an exclusive lock it need keep
 * nobody away for that. */
enum { GOMPI_ALONE = 4 };

static inline int gompi_fast_Accumulate(const void *origin, MPI_Count origin_count, MPI_Datatype origin_type, int rank, MPI_Aint disp, MPI_Count count, MPI_Datatype type, MPI_Op op, MPI_Win win)
{
	struct gompi_window *w = gompi_window(win);
	struct gompi_target *t = gompi_open(w, win, rank);
	int element = gompi_element(type);

	if (t == NULL || origin_type != type || origin_count != count || count <= 0 || count > GOMPI_ERRAND_ROOM || gompi_nowhere(origin) ||
	    !gompi_combines(element, (uintptr_t)op))
		return 0;
	if (t->base == 0 && (uintptr_t)op != GOMPI_NO_OP)
		return gompi_errand_accumulate(w, t, disp, origin, NULL, (uint64_t)count * gompi_element_size(element), type, op);
	if (count >= GOMPI_BULK_LEAST || (count > GOMPI_ALONE && t->open == GOMPI_OPEN_EXCLUSIVE))
		return 0;
	char *to = gompi_reach_atomic(t, disp, element, (uint64_t)count);
	if (to == NULL || !gompi_changing(t))
		return 0;
	unsigned size = gompi_element_size(element);
	for (int i = 0; i < (int)count; i++) {
		uint64_t old;
		gompi_combine(element, (uintptr_t)op, to + (size_t)i * size, (const char *)origin + (size_t)i * size, &old);
	}
	gompi_settled(w, t);
	gompi_count(w, GOMPI_PATH_MAPPED, (uint64_t)count * size);
	w->issued = 1;
	return 1;
}

static inline int gompi_fast_Fetch_and_op(const void *origin, void *result, MPI_Datatype type, int rank, MPI_Aint disp, MPI_Op op, MPI_Win win)
{
	struct gompi_window *w = gompi_window(win);
	int element = gompi_element(type);
	struct gompi_target *t = gompi_open(w, win, rank);
	uint64_t old, none = 0;

	if ((uintptr_t)op == GOMPI_NO_OP)
		origin = &none;
	if (t == NULL || gompi_nowhere(origin) || gompi_nowhere(result) || !gompi_combines(element, (uintptr_t)op))
		return 0;
	if (t->base == 0)
		return gompi_errand_accumulate(w, t, disp, origin, result, gompi_element_size(element), type, op);
	char *to = gompi_reach_atomic(t, disp, element, 1);
	if (to == NULL || !gompi_changing(t))
		return 0;
	gompi_combine(element, (uintptr_t)op, to, origin, &old);
	gompi_settled(w, t);
	memcpy(result, &old, gompi_element_size(element));
	gompi_count(w, GOMPI_PATH_MAPPED, gompi_element_size(element));
	w->issued = 1;
	return 1;
}

static inline int gompi_fast_Compare_and_swap(const void *origin, const void *compare, void *result, MPI_Datatype type, int rank, MPI_Aint disp, MPI_Win win)
{
	struct gompi_window *w = gompi_window(win);
	int element = gompi_element(type);
	struct gompi_target *t = gompi_open(w, win, rank);

	if (t == NULL || element == 0 || element >= GOMPI_FLOAT || gompi_nowhere(origin) || gompi_nowhere(compare) || gompi_nowhere(result))
		return 0;
	if (t->base == 0)
		return gompi_errand_swap(w, t, disp, origin, compare, result, gompi_element_size(element));
	char *to = gompi_reach_atomic(t, disp, element, 1);
	if (to == NULL || !gompi_changing(t))
		return 0;
	if (gompi_element_size(element) == 8) {
		uint64_t want, value;
		memcpy(&want, compare, 8);
		memcpy(&value, origin, 8);
		__atomic_compare_exchange_n((uint64_t *)to, &want, value, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
		memcpy(result, &want, 8);
	} else {
		uint32_t want, value;
		memcpy(&want, compare, 4);
		memcpy(&value, origin, 4);
		__atomic_compare_exchange_n((uint32_t *)to, &want, value, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
		memcpy(result, &want, 4);
	}
	gompi_settled(w, t);
	gompi_count(w, GOMPI_PATH_MAPPED, gompi_element_size(element));
	w->issued = 1;
	return 1;
}

#endif
