/* Active target synchronization of windows without a call into Go, as far as nobody has to be waited for long: who waits in vain
 * leaves the waiting to Go. Who waits does meanwhile what others want of it. What pairs with what is said in package rma. */
#ifndef GOMPI_WINDOW_ACTIVE_H
#define GOMPI_WINDOW_ACTIVE_H

#include "window.h"

/* What a window remembers a group by whose ranks it has listed: the handle, and how many groups had been freed then. So it never takes
 * a later group with the same handle for it, nor the handle for a group when that is gone. */
static inline uint64_t gompi_group_key(MPI_Group group)
{
	return gompi_groups_freed << 32 | (uint32_t)(uintptr_t)group;
}

/* Tells whether a window may be synchronized here by post and start; if so, Go is told the group, and lists its ranks if they are not
 * listed yet. */
static inline int gompi_active(struct gompi_window *w, MPI_Win win, MPI_Group group)
{
	if (w->handle != (uintptr_t)win || w->single == 0)
		return 0;
	w->asked = (uintptr_t)group <= UINT32_MAX ? gompi_group_key(group) : 0;
	return w->asked != 0 && w->mode != GOMPI_MODE_FENCE;
}

static inline int gompi_fast_Win_post(MPI_Group group, int promises, MPI_Win win)
{
	struct gompi_window *w = gompi_window(win);

	if (!gompi_active(w, win, group) || w->asked != w->exposedBy || w->posted != 0 || w->targets[w->me].open >= GOMPI_OPEN_SHARED ||
	    (promises & ~(MPI_MODE_NOCHECK | MPI_MODE_NOSTORE | MPI_MODE_NOPUT)) != 0)
		return 0;
	for (uint32_t i = 0; i < w->exposes; i++) {
		struct gompi_target *t = &w->targets[w->exposed[i]];
		__atomic_store_n(&t->own[GOMPI_POSTED], t->own[GOMPI_POSTED] + 1, __ATOMIC_RELEASE);
		gompi_ring(t->bell);
	}
	w->posted = 1;
	w->plain = 0;
	return 1;
}

/* Tells whether from up to the n-th of some ranks all have counted on in the given word; from becomes the first that has not. */
static inline int gompi_counted(const struct gompi_window *w, const uint32_t *ranks, uint32_t n, uint32_t *from, int word)
{
	for (; *from < n; ++*from) {
		const struct gompi_target *t = &w->targets[ranks[*from]];
		if ((int32_t)(__atomic_load_n(&t->line[word], __ATOMIC_ACQUIRE) - t->seen[word]) <= 0)
			return 0;
	}
	return 1;
}

static inline int gompi_fast_Win_start(MPI_Group group, int promises, MPI_Win win)
{
	struct gompi_window *w = gompi_window(win);
	uint32_t from = 0;

	if (!gompi_active(w, win, group) || w->asked != w->startedBy || w->mode != GOMPI_MODE_NONE || (promises & ~MPI_MODE_NOCHECK) != 0)
		return 0;
	for (uint32_t polls = 0; !gompi_counted(w, w->started, w->starts, &from, GOMPI_POSTED); polls++)
		if (promises != 0 || gompi_serve(w) == GOMPI_LEFT_TO_GO || !fast_endpoint_backoff(gompi_endpoint, polls))
			return 0;
	for (uint32_t i = 0; i < w->starts; i++) {
		struct gompi_target *t = &w->targets[w->started[i]];
		t->seen[GOMPI_POSTED]++;
		t->open = GOMPI_OPEN_START;
	}
	w->mode = GOMPI_MODE_START;
	return 1;
}

static inline int gompi_fast_Win_complete(MPI_Win win)
{
	struct gompi_window *w = gompi_window(win);

	if (w->handle != (uintptr_t)win || w->single == 0 || w->mode != GOMPI_MODE_START)
		return 0;
	for (uint32_t i = 0; i < w->starts; i++) {
		struct gompi_target *t = &w->targets[w->started[i]];
		__atomic_store_n(&t->own[GOMPI_COMPLETED], t->own[GOMPI_COMPLETED] + 1, __ATOMIC_RELEASE);
		gompi_ring(t->bell);
		t->open = 0;
	}
	w->mode = GOMPI_MODE_NONE;
	w->issued = 0;
	return 1;
}

/* Ends an exposure if all accesses have ended, also when that is seen soon only if it may wait; the answer is one of gompi_serve's. */
static inline int gompi_hide(struct gompi_window *w, int wait)
{
	for (uint32_t polls = 0, from = 0;; polls++) {
		int over = gompi_counted(w, w->exposed, w->exposes, &from, GOMPI_COMPLETED);
		int left = gompi_serve(w);
		if (left == GOMPI_LEFT_TO_GO)
			return left;
		if (over && left == GOMPI_LEFT_NOTHING)
			break;
		if (!wait || !fast_endpoint_backoff(gompi_endpoint, polls))
			return GOMPI_LEFT_SOME;
	}
	for (uint32_t i = 0; i < w->exposes; i++)
		w->targets[w->exposed[i]].seen[GOMPI_COMPLETED]++;
	w->posted = 0;
	w->plain = w->single & w->locks;
	return GOMPI_LEFT_NOTHING;
}

static inline int gompi_fast_Win_wait(MPI_Win win)
{
	struct gompi_window *w = gompi_window(win);

	return w->handle == (uintptr_t)win && w->single != 0 && w->posted != 0 && gompi_hide(w, 1) == GOMPI_LEFT_NOTHING;
}

static inline int gompi_fast_Win_test(MPI_Win win, int *flag)
{
	struct gompi_window *w = gompi_window(win);

	if (w->handle != (uintptr_t)win || w->single == 0 || w->posted == 0 || gompi_nowhere(flag))
		return 0;
	int left = gompi_hide(w, 0);
	if (left == GOMPI_LEFT_TO_GO || (left == GOMPI_LEFT_SOME && !fast_endpoint_not_yet(gompi_endpoint)))
		return 0;
	*flag = left == GOMPI_LEFT_NOTHING;
	return 1;
}

/* Makes all targets open, or none. */
static inline void gompi_open_all(struct gompi_window *w, uint32_t open, uint32_t mode, uint32_t lazy)
{
	for (uint32_t r = 0; r < w->n; r++)
		w->targets[r].open = open;
	w->mode = mode;
	w->lazy = lazy;
}

/* Tells whether all ranks have carried out what others want of them before the end of the fence of that number, in which all have
 * come, and tells them that this rank has. */
static inline int gompi_folded(const struct gompi_window *w, uint32_t count)
{
	uint32_t *carried = &w->targets[w->me].fence[GOMPI_FENCE_CARRIED];
	uint64_t owing = 0;

	if (w->hosts != 0 && *carried != count) {
		__atomic_store_n(carried, count, __ATOMIC_RELEASE);
		for (uint32_t r = 0; r < w->n; r++)
			gompi_ring(w->targets[r].bell);
	}
	for (uint32_t r = 0; r < w->n; r++)
		owing |= __atomic_load_n((uint64_t *)w->targets[r].fence + GOMPI_FENCE_OWING, __ATOMIC_RELAXED);
	for (owing &= gompi_all_ranks(w) & ~((uint64_t)1 << w->me); owing != 0; owing &= owing - 1)
		if ((int32_t)(__atomic_load_n(&w->targets[__builtin_ctzll(owing)].fence[GOMPI_FENCE_CARRIED], __ATOMIC_ACQUIRE) - count) < 0)
			return 0;
	return 1;
}

/* Window.Fence of package rma. Who has come and does not see the others come soon leaves the waiting to Go, which finds out that this
 * rank has come already. */
static inline int gompi_fast_Win_fence(int promises, MPI_Win win)
{
	struct gompi_window *w = gompi_window(win);

	if (w->handle != (uintptr_t)win || w->plain == 0 || (w->mode != GOMPI_MODE_FENCE && w->mode != GOMPI_MODE_NONE) ||
	    (promises & ~(MPI_MODE_NOSTORE | MPI_MODE_NOPUT | MPI_MODE_NOPRECEDE | MPI_MODE_NOSUCCEED)) != 0)
		return 0;
	if (w->folds != 0)
		((uint64_t *)w->targets[w->me].fence)[GOMPI_FENCE_OWING] = gompi_owing(w);
	uint32_t count = ++w->fences, from = 0;
	__atomic_store_n(w->targets[w->me].fence, count, __ATOMIC_RELEASE);
	for (uint32_t r = 0; r < w->n; r++)
		if (r != w->me)
			gompi_ring(w->targets[r].bell);
	if ((promises & MPI_MODE_NOPRECEDE) != 0 && w->issued == 0) {
		gompi_open_all(w, 0, GOMPI_MODE_FENCE, 1);
		w->issued = 0;
		return 1;
	}
	for (uint32_t polls = 0;; polls++) {
		while (from < w->n && (int32_t)(__atomic_load_n(w->targets[from].fence, __ATOMIC_ACQUIRE) - count) >= 0)
			from++;
		int left = gompi_serve(w);
		if (from == w->n && left == GOMPI_LEFT_NOTHING && (w->folds == 0 || gompi_folded(w, count))) {
			if (w->folds != 0 && !gompi_errands_settle(w)) /* some have failed */
				break;
			if ((promises & MPI_MODE_NOSUCCEED) != 0)
				gompi_open_all(w, 0, GOMPI_MODE_FENCE, 1);
			else if (w->mode != GOMPI_MODE_FENCE || w->lazy != 0)
				gompi_open_all(w, GOMPI_OPEN_FENCE, GOMPI_MODE_FENCE, 0);
			w->issued = 0;
			return 1;
		}
		if (left == GOMPI_LEFT_TO_GO || !fast_endpoint_backoff(gompi_endpoint, polls))
			break;
	}
	w->entered = 1;
	return 0;
}

#endif
