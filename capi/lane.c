/* The lane before MPI_Init gives the true one, its lock, and waking a rank that sleeps. */
#define _GNU_SOURCE
#include "lane.h"

#include <limits.h>
#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static struct gompi_lane closed;
struct gompi_lane *gompi_lane = &closed;

uint8_t gompi_dense_size[256];

void gompi_set_lane(uintptr_t lane)
{
	gompi_lane = (struct gompi_lane *)lane;
}

void gompi_wake(uint32_t *bell)
{
	if (__atomic_exchange_n(bell, 0, __ATOMIC_ACQ_REL) != 0)
		syscall(SYS_futex, bell, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

static uint64_t now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_REALTIME, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* Lets others run; 0 when that has cost too long lately: shm.Lane.Yield, which says why. */
static int yield(struct gompi_lane *lane)
{
	if (lane->crowded) {
		sched_yield();
		return 1;
	}
	uint64_t begin = now(), end;
	if (begin - __atomic_load_n(&lane->robbed, __ATOMIC_RELAXED) < GOMPI_YIELD_PENALTY)
		return 0;
	sched_yield();
	if ((end = now()) - begin > (lane->shared ? GOMPI_YIELD_SHARED_TOO_LONG : GOMPI_YIELD_TOO_LONG))
		__atomic_store_n(&lane->robbed, end, __ATOMIC_RELAXED);
	return 1;
}

int gompi_lane_lock(struct gompi_lane *lane)
{
	/* The lock is held for less than a microsecond as a rule; for longer only where its holder was put off its
	 * processor, which it may get back then. */
	enum { TRIES = 100, ROUNDS = 20 };

	for (int round = 0; round < ROUNDS; round++) {
		for (int i = 0; i < TRIES; i++) {
			uint32_t free = 0;
			if (__atomic_load_n(&lane->lock.state, __ATOMIC_RELAXED) == 0 &&
			    __atomic_compare_exchange_n(&lane->lock.state, &free, 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
				return 1;
			gompi_pause();
		}
		if (!yield(lane))
			break;
	}
	return 0;
}

uint64_t gompi_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

void gompi_clock_end(struct gompi_lane *lane, uint64_t begin)
{
	__atomic_fetch_add(&lane->waited, gompi_now() - begin, __ATOMIC_RELAXED);
}

void gompi_clock(struct gompi_lane *lane, int begins)
{
	uint64_t ns = gompi_now();

	if (!begins)
		lane->waited += ns - lane->since;
	lane->since = ns;
}

void gompi_lane_reenter(struct gompi_lane *lane)
{
	if (!lane->shared || gompi_lane_lock(lane))
		return;
	while (__atomic_exchange_n(&lane->lock.state, 2, __ATOMIC_ACQUIRE) != 0)
		syscall(SYS_futex, &lane->lock.state, FUTEX_WAIT, 2, NULL, NULL, 0);
}

int gompi_lane_rest(struct gompi_lane *lane, uint32_t polls)
{
	/* Several threads that wait may be on one processor, and one of them may have something to do. */
	enum { ALONG = 4 };

	if (!lane->shared) {
		uint64_t begin = gompi_before_rest(lane, polls);
		if (polls < lane->spins)
			gompi_pause();
		else if (!yield(lane))
			return 0;
		gompi_after_rest(lane, polls, begin);
		return 1;
	}
	uint32_t others = __atomic_fetch_add(&lane->resting, 1, __ATOMIC_RELAXED);
	gompi_lane_unlock(lane);
	int rested = 1;
	if (polls < (others != 0 ? ALONG : lane->spins)) {
		gompi_pause();
	} else {
		uint64_t begin = gompi_now();
		rested = yield(lane);
		gompi_clock_end(lane, begin);
	}
	__atomic_fetch_sub(&lane->resting, 1, __ATOMIC_RELAXED);
	return rested && gompi_lane_lock(lane);
}

void gompi_lane_unlock(struct gompi_lane *lane)
{
	if (__atomic_exchange_n(&lane->lock.state, 0, __ATOMIC_RELEASE) == 2)
		syscall(SYS_futex, &lane->lock.state, FUTEX_WAKE, 1, NULL, NULL, 0);
}
