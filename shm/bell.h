/* Ringing a bell from C: what Bell.Wake does in Go. */
#ifndef GOMPI_SHM_BELL_H
#define GOMPI_SHM_BELL_H

#include <limits.h>
#include <linux/futex.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* RankRung - RankSleeping. */
enum { BELL_RUNG = 8 };

/* Now, in ns. */
static inline uint64_t shm_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* Bell.Wake of the bell of which the word is word. */
static inline void bell_wake(uint32_t *word)
{
	uint64_t *rung = (uint64_t *)((char *)word + BELL_RUNG);

	if (__atomic_exchange_n(word, 0, __ATOMIC_SEQ_CST) == 0)
		return;
	__atomic_store_n(rung, shm_now(), __ATOMIC_RELAXED);
	syscall(SYS_futex, word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

#endif
