/* The lane before MPI_Init gives the true one, its lock, and waking a rank that sleeps. */
#define _GNU_SOURCE
#include "lane.h"

#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>
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
		if (!gompi_yield(lane))
			break;
	}
	return 0;
}

void gompi_lane_reenter(struct gompi_lane *lane)
{
	if (!lane->shared || gompi_lane_lock(lane))
		return;
	while (__atomic_exchange_n(&lane->lock.state, 2, __ATOMIC_ACQUIRE) != 0)
		syscall(SYS_futex, &lane->lock.state, FUTEX_WAIT, 2, NULL, NULL, 0);
}

void gompi_lane_unlock(struct gompi_lane *lane)
{
	if (__atomic_exchange_n(&lane->lock.state, 0, __ATOMIC_RELEASE) == 2)
		syscall(SYS_futex, &lane->lock.state, FUTEX_WAKE, 1, NULL, NULL, 0);
}
