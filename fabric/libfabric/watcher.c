/* The thread of a watcher, with all signals blocked. */
#define _GNU_SOURCE
#include "watcher.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { WATCHED, ENDED };

/* shm.Bell.Wake. */
static void wake(uint32_t *bell)
{
	if (__atomic_exchange_n(bell, 0, __ATOMIC_SEQ_CST) != 0)
		syscall(SYS_futex, bell, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

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
			wake(w->bell);
	}
}

int watcher_start(struct watcher *w, int descriptor, uint32_t *bell)
{
	struct epoll_event watched = {.events = EPOLLONESHOT, .data.u32 = WATCHED};
	struct epoll_event ended = {.events = EPOLLIN, .data.u32 = ENDED};
	sigset_t all, before;
	int result;

	w->bell = bell, w->descriptor = descriptor;
	w->armed = epoll_create1(EPOLL_CLOEXEC);
	w->ended = eventfd(0, EFD_CLOEXEC);
	if (w->armed < 0 || w->ended < 0 || epoll_ctl(w->armed, EPOLL_CTL_ADD, w->ended, &ended) != 0
	    || epoll_ctl(w->armed, EPOLL_CTL_ADD, descriptor, &watched) != 0)
		return -errno;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	result = pthread_create(&w->thread, NULL, watch, w);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
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
