/* A sleeper sleeps until a descriptor is readable, or a bell is rung. It is for processes whose sleeps the
 * network ends, as a rule: where a watcher rings the bell for it, one thread wakes another. A thread listens
 * for the bell, which is a futex, and makes a descriptor of the sleeper's readable. */
#ifndef GOMPI_FABRIC_SLEEPER_H
#define GOMPI_FABRIC_SLEEPER_H

#include <pthread.h>
#include <stdint.h>

struct sleeper {
	uint32_t *bell;
	pthread_t thread;
	uint32_t state; /* of the thread */
	uint32_t mark;  /* the word of the bell that it waits at */
	uint32_t taken; /* a thread is in sleeper_sleep */
	int descriptor;
	int rung; /* eventfd */
	int runs;
};

#define NO_SLEEPER \
	{ \
		.rung = -1 \
	}

/* 0, or a negative number of an error. sleeper_stop may follow in either case. */
int sleeper_start(struct sleeper *, int descriptor, uint32_t *bell);
/* Sleeps at most for that many ns; not at all if the word of the bell is no longer mark. 0 without having
 * slept if another thread sleeps here, which has to sleep on the bell then. */
int sleeper_sleep(struct sleeper *, uint32_t mark, uint64_t limit);
/* Nobody sleeps. */
void sleeper_stop(struct sleeper *);

#endif
