/* How the stubs wait: the one place for it. The policy is that of shm/yield.go and of decision 7 in docs/design.md: some looks with a
 * pause in between, then, where ranks or threads share processors, some between which others run, then Go, which lets others run some
 * more, and sleeps in the end. */
#ifndef GOMPI_REST_H
#define GOMPI_REST_H

#include "zz_lane.h"

#pragma GCC visibility push(hidden)

/* Adds what has gone by since the last time that a wait was clocked to the time waited; begins says that this is the first time
 * in this wait. */
void gompi_clock(struct gompi_lane *lane, int begins);

/* Lets others run, unless that has cost too long lately; 0 then: shm.Lane.Yield. The time counts as waited. */
int gompi_yield(struct gompi_lane *lane);

/* gompi_rest while the lane is in use; other threads may use it meanwhile. When the answer is 0 the lane is left. */
int gompi_lane_rest(struct gompi_lane *lane, uint32_t polls);

#pragma GCC visibility pop

static inline void gompi_pause(void)
{
#if defined(__x86_64__)
	__builtin_ia32_pause();
#elif defined(__aarch64__)
	__asm__ volatile("yield");
#endif
}

/* Lets a moment go by after that many looks in vain, the first of which is number 0; 0 when it is time for Go to wait. Waits are clocked, for the
 * tool interface: from the GOMPI_CLOCKED-th look on every so many looks, and each yield. What is over sooner takes no longer for
 * that. Of threads that share the lane the yields alone are clocked. */
static inline int gompi_rest(struct gompi_lane *lane, uint32_t polls)
{
	enum { CLOCKED = 32 };

	if (polls >= lane->spins)
		return polls < lane->polls && gompi_yield(lane);
	if (__builtin_expect(polls % CLOCKED == 0, 0) && polls != 0 && !lane->shared)
		gompi_clock(lane, polls == CLOCKED);
	gompi_pause();
	return 1;
}

#endif
