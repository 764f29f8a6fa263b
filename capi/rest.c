/* The parts of waits (rest.h) that are not inlined. */
#define _GNU_SOURCE
#include "lane.h"

#include <sched.h>
#include <time.h>

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

void gompi_clock(struct gompi_lane *lane, int begins)
{
	uint64_t ns = now();

	if (!begins)
		lane->waited += ns - lane->since;
	lane->since = ns;
}

int gompi_yield(struct gompi_lane *lane)
{
	uint64_t begin = now();

	if (begin < __atomic_load_n(&lane->dearUntil, __ATOMIC_RELAXED))
		return 0;
	sched_yield();
	uint64_t end = now(), took = end - begin;
	if (lane->shared)
		__atomic_fetch_add(&lane->waited, took, __ATOMIC_RELAXED);
	else
		lane->waited += took;
	if (__builtin_expect(took > lane->dear, 0)) {
		uint64_t pause = took * lane->abstain;
		__atomic_store_n(&lane->dearUntil, end + (pause < GOMPI_YIELD_LONGEST_PAUSE ? pause : GOMPI_YIELD_LONGEST_PAUSE), __ATOMIC_RELAXED);
	}
	return 1;
}

int gompi_lane_rest(struct gompi_lane *lane, uint32_t polls)
{
	/* Several threads that wait may be on one processor, and one of them may have something to do. */
	enum { ALONG = 4 };

	if (!lane->shared)
		return gompi_rest(lane, polls);
	uint32_t others = __atomic_fetch_add(&lane->resting, 1, __ATOMIC_RELAXED);
	gompi_lane_unlock(lane);
	int rested = 1;
	if (polls < (others != 0 ? ALONG : lane->spins))
		gompi_pause();
	else
		rested = polls < lane->polls && gompi_yield(lane);
	__atomic_fetch_sub(&lane->resting, 1, __ATOMIC_RELAXED);
	return rested && gompi_lane_lock(lane);
}
