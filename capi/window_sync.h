/* Passive target synchronization of windows without a call into Go, as far as nobody has to be waited for. What pairs with what is
 * said in package rma. */
#ifndef GOMPI_WINDOW_SYNC_H
#define GOMPI_WINDOW_SYNC_H

#include "window.h"

/* Makes what was written visible to all before anything is read: shm.Fence. */
static inline void gompi_full_fence(void)
{
#if defined(__x86_64__)
	__asm__ volatile("lock; addl $0, -8(%%rsp)" ::: "memory", "cc");
#else
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
}

static inline int gompi_fast_Win_flush(int rank, MPI_Win win)
{
	struct gompi_target *t = gompi_open(gompi_window(win), win, rank);

	if (t == NULL || t->open < GOMPI_OPEN_SHARED || !gompi_errands_done(gompi_window(win), t))
		return 0;
	gompi_full_fence();
	return 1;
}

/* Every operation is complete here when its call returns. */
static inline int gompi_fast_Win_flush_local(int rank, MPI_Win win)
{
	struct gompi_target *t = gompi_open(gompi_window(win), win, rank);

	return t != NULL && t->open >= GOMPI_OPEN_SHARED;
}

static inline int gompi_fast_Win_flush_all(MPI_Win win)
{
	struct gompi_window *w = gompi_window(win);

	if (w->handle != (uintptr_t)win || (w->mode != GOMPI_MODE_LOCK && w->mode != GOMPI_MODE_ALL) || !gompi_errands_settle(w))
		return 0;
	gompi_full_fence();
	return 1;
}

static inline int gompi_fast_Win_flush_local_all(MPI_Win win)
{
	struct gompi_window *w = gompi_window(win);

	return w->handle == (uintptr_t)win && (w->mode == GOMPI_MODE_LOCK || w->mode == GOMPI_MODE_ALL);
}

static inline int gompi_fast_Win_sync(MPI_Win win)
{
	if (gompi_window(win)->handle != (uintptr_t)win)
		return 0;
	gompi_full_fence();
	return 1;
}

/* Reports whether a ticket of a target's lock may be held now: shm.TicketLock.Named. */
static inline int gompi_named(const uint32_t *words, uint32_t ticket, int exclusive)
{
	return __atomic_load_n(&words[GOMPI_TICKET_READ], __ATOMIC_ACQUIRE) == ticket &&
	       (!exclusive || __atomic_load_n(&words[GOMPI_TICKET_WRITE], __ATOMIC_ACQUIRE) == ticket);
}

/* Takes a target's lock in common with others, if nobody is in the way. */
static inline int gompi_share_lock(const struct gompi_window *w, const struct gompi_target *t)
{
	uint32_t *words = t->lock, ticket = __atomic_load_n(&words[GOMPI_TICKET_NEXT], __ATOMIC_RELAXED);

	if (!gompi_named(words, ticket, 0) ||
	    !__atomic_compare_exchange_n(&words[GOMPI_TICKET_NEXT], &ticket, ticket + 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
		return 0;
	__atomic_store_n(&words[GOMPI_TICKET_READ], ticket + 1, __ATOMIC_RELEASE);
	if (__builtin_expect(__atomic_load_n(&words[GOMPI_TICKET_NEXT], __ATOMIC_ACQUIRE) != ticket + 1, 0))
		gompi_ring_turn(w, t, ticket + 1);
	return 1;
}

/* Gives a target's lock back: shm.TicketLock.Leave. */
static inline void gompi_leave_lock(const struct gompi_window *w, const struct gompi_target *t, int exclusive)
{
	uint32_t *words = t->lock, next;

	if (exclusive) {
		next = __atomic_load_n(&words[GOMPI_TICKET_WRITE], __ATOMIC_RELAXED) + 1;
		__atomic_store_n(&words[GOMPI_TICKET_WRITE], next, __ATOMIC_RELEASE);
		__atomic_store_n(&words[GOMPI_TICKET_READ], next, __ATOMIC_RELEASE);
	} else {
		next = __atomic_add_fetch(&words[GOMPI_TICKET_WRITE], 1, __ATOMIC_SEQ_CST);
	}
	if (__builtin_expect(__atomic_load_n(&words[GOMPI_TICKET_NEXT], __ATOMIC_ACQUIRE) != next, 0))
		gompi_ring_turn(w, t, next);
}

/* Reports whether a target's lock could be held at once: shm.TicketLock.Free. */
static inline int gompi_lock_free(const struct gompi_target *t, int exclusive)
{
	return gompi_named(t->lock, __atomic_load_n(&t->lock[GOMPI_TICKET_NEXT], __ATOMIC_RELAXED), exclusive);
}

static inline int gompi_fast_Win_lock(int kind, int rank, int promises, MPI_Win win)
{
	struct gompi_window *w = gompi_window(win);

	if (w->handle != (uintptr_t)win || w->plain == 0 || (uint32_t)rank >= w->n || (promises & ~MPI_MODE_NOCHECK) != 0 ||
	    (w->mode != GOMPI_MODE_NONE && w->mode != GOMPI_MODE_LOCK) || w->targets[rank].open != 0)
		return 0;
	struct gompi_target *t = &w->targets[rank];
	if (kind != MPI_LOCK_EXCLUSIVE && kind != MPI_LOCK_SHARED) {
		return 0;
	} else if (promises != 0) {
		if (!gompi_lock_free(t, kind == MPI_LOCK_EXCLUSIVE))
			return 0;
		t->open = GOMPI_OPEN_UNCHECKED;
	} else if (kind == MPI_LOCK_EXCLUSIVE) {
		uint32_t *words = t->lock, ticket = __atomic_load_n(&words[GOMPI_TICKET_NEXT], __ATOMIC_RELAXED);
		if (!gompi_named(words, ticket, 1) ||
		    !__atomic_compare_exchange_n(&words[GOMPI_TICKET_NEXT], &ticket, ticket + 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
			return 0;
		t->open = GOMPI_OPEN_EXCLUSIVE;
	} else {
		if (!gompi_share_lock(w, t))
			return 0;
		t->open = GOMPI_OPEN_SHARED;
	}
	w->mode = GOMPI_MODE_LOCK;
	w->locked++;
	return 1;
}

static inline int gompi_fast_Win_unlock(int rank, MPI_Win win)
{
	struct gompi_window *w = gompi_window(win);
	struct gompi_target *t = gompi_open(w, win, rank);

	if (t == NULL || w->plain == 0 || w->mode != GOMPI_MODE_LOCK || t->open < GOMPI_OPEN_SHARED || !gompi_errands_done(w, t))
		return 0;
	uint32_t open = t->open;
	t->open = 0;
	if (--w->locked == 0) {
		w->mode = GOMPI_MODE_NONE;
		w->issued = 0;
	}
	if (open != GOMPI_OPEN_UNCHECKED)
		gompi_leave_lock(w, t, open == GOMPI_OPEN_EXCLUSIVE);
	return 1;
}

/* All locks, if nobody is in the way of any of them. */
static inline int gompi_fast_Win_lock_all(int promises, MPI_Win win)
{
	struct gompi_window *w = gompi_window(win);

	if (w->handle != (uintptr_t)win || w->plain == 0 || w->mode != GOMPI_MODE_NONE || (promises & ~MPI_MODE_NOCHECK) != 0)
		return 0;
	for (uint32_t r = 0; promises != 0 && r < w->n; r++)
		if (!gompi_lock_free(&w->targets[r], 0))
			return 0;
	for (uint32_t r = 0; promises == 0 && r < w->n; r++) {
		if (gompi_share_lock(w, &w->targets[r]))
			continue;
		while (r-- > 0)
			gompi_leave_lock(w, &w->targets[r], 0);
		return 0;
	}
	for (uint32_t r = 0; r < w->n; r++)
		w->targets[r].open = promises ? GOMPI_OPEN_UNCHECKED : GOMPI_OPEN_ALL;
	w->mode = GOMPI_MODE_ALL;
	return 1;
}

static inline int gompi_fast_Win_unlock_all(MPI_Win win)
{
	struct gompi_window *w = gompi_window(win);

	if (w->handle != (uintptr_t)win || w->plain == 0 || w->mode != GOMPI_MODE_ALL || !gompi_errands_settle(w))
		return 0;
	for (uint32_t r = 0; r < w->n; r++) {
		struct gompi_target *t = &w->targets[r];
		uint32_t open = t->open;
		t->open = 0;
		if (open == GOMPI_OPEN_ALL)
			gompi_leave_lock(w, t, 0);
	}
	w->mode = GOMPI_MODE_NONE;
	w->issued = 0;
	return 1;
}

#endif
