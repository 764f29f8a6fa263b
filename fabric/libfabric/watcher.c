#define _GNU_SOURCE
#include "../../shm/bell.h"
#include "thread.h"
#include "watcher.h"

#include <errno.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum { WATCHED, ENDED };

static void *watch(void *argument)
{
	struct watcher *w = argument;
	struct epoll_event event;

	for (;;) {
		int n = epoll_wait(w->armed, &event, 1, -1);

		if (n < 0 && errno != EINTR)
			return NULL;
		if (n > 0 && event.data.u32 == ENDED)
			return NULL;
		if (n > 0)
			bell_wake(w->bell);
	}
}

int watcher_start(struct watcher *w, int descriptor, uint32_t *bell)
{
	struct epoll_event watched = {.events = EPOLLONESHOT, .data.u32 = WATCHED};
	struct epoll_event ended = {.events = EPOLLIN, .data.u32 = ENDED};
	int result;

	w->bell = bell, w->descriptor = descriptor;
	w->armed = epoll_create1(EPOLL_CLOEXEC);
	w->ended = eventfd(0, EFD_CLOEXEC);
	if (w->armed < 0 || w->ended < 0 || epoll_ctl(w->armed, EPOLL_CTL_ADD, w->ended, &ended) != 0 ||
	    epoll_ctl(w->armed, EPOLL_CTL_ADD, descriptor, &watched) != 0)
		return -errno;
	result = thread_start(&w->thread, watch, w);
	w->runs = result == 0;
	return -result;
}

void watcher_arm(struct watcher *w)
{
	struct epoll_event once = {.events = EPOLLIN | EPOLLONESHOT, .data.u32 = WATCHED};

	epoll_ctl(w->armed, EPOLL_CTL_MOD, w->descriptor, &once);
}

void watcher_stop(struct watcher *w)
{
	if (w->runs) {
		eventfd_write(w->ended, 1);
		pthread_join(w->thread, NULL);
	}
	if (w->armed >= 0)
		close(w->armed);
	if (w->ended >= 0)
		close(w->ended);
}
