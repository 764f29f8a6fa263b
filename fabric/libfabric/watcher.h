/* The watcher is a thread that rings a process's bell when a descriptor is readable, once each time that it
 * was armed. It waits in the kernel otherwise, and for nothing but descriptors. */
#ifndef GOMPI_FABRIC_WATCHER_H
#define GOMPI_FABRIC_WATCHER_H

#include <pthread.h>
#include <stdint.h>

struct watcher {
	uint32_t *bell;
	pthread_t thread;
	int armed;      /* epoll: what is watched, and ended */
	int ended;      /* eventfd: the thread shall end */
	int descriptor; /* what is watched */
	int runs;
};

#define NO_WATCHER \
	{ \
		.armed = -1, .ended = -1 \
	}

/* 0, or a negative number of an error. watcher_stop may follow in either case. */
int watcher_start(struct watcher *, int descriptor, uint32_t *bell);
void watcher_arm(struct watcher *);
void watcher_stop(struct watcher *);

#endif
