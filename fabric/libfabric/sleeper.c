#define _GNU_SOURCE
#include "../../shm/bell.h"
#include "sleeper.h"
#include "thread.h"

#include <errno.h>
#include <poll.h>
#include <sys/eventfd.h>

/* What the thread does: nothing until a sleep begins, wait for the bell, end. */
enum { RESTS, LISTENS, ENDS };

static void *listen_for_bell(void *argument)
{
	struct sleeper *s = argument;

	for (;;) {
		uint32_t listens = LISTENS;

		switch (__atomic_load_n(&s->state, __ATOMIC_ACQUIRE)) {
		case ENDS:
			return NULL;
		case RESTS:
			syscall(SYS_futex, &s->state, FUTEX_WAIT_PRIVATE, RESTS, NULL, NULL, 0);
			continue;
		}
		/* It stays here over many sleeps. Where another one has begun before it waits, the word differs
		 * and the sleeper looks once too often. */
		syscall(SYS_futex, s->bell, FUTEX_WAIT, __atomic_load_n(&s->mark, __ATOMIC_RELAXED), NULL, NULL, 0);
		__atomic_compare_exchange_n(&s->state, &listens, RESTS, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
		eventfd_write(s->rung, 1);
	}
}

int sleeper_start(struct sleeper *s, int descriptor, uint32_t *bell)
{
	int result;

	s->bell = bell, s->descriptor = descriptor;
	s->rung = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (s->rung < 0)
		return -errno;
	result = thread_start(&s->thread, listen_for_bell, s);
	s->runs = result == 0;
	return -result;
}

int sleeper_sleep(struct sleeper *s, uint32_t mark, uint64_t limit)
{
	const struct timespec most = {(time_t)(limit / 1000000000), (long)(limit % 1000000000)};
	struct pollfd ends[] = {{.fd = s->descriptor, .events = POLLIN}, {.fd = s->rung, .events = POLLIN}};
	eventfd_t times;

	if (__atomic_exchange_n(&s->taken, 1, __ATOMIC_ACQUIRE) != 0)
		return 0;
	if (__atomic_load_n(&s->state, __ATOMIC_SEQ_CST) == RESTS) {
		__atomic_store_n(&s->mark, mark, __ATOMIC_RELAXED);
		__atomic_store_n(&s->state, LISTENS, __ATOMIC_RELEASE);
		syscall(SYS_futex, &s->state, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
	}
	if (__atomic_load_n(s->bell, __ATOMIC_SEQ_CST) == mark && ppoll(ends, 2, &most, NULL) > 0 &&
	    ends[1].revents)
		eventfd_read(s->rung, &times);
	__atomic_store_n(&s->taken, 0, __ATOMIC_RELEASE);
	return 1;
}

void sleeper_stop(struct sleeper *s)
{
	if (s->runs) {
		__atomic_store_n(&s->state, ENDS, __ATOMIC_SEQ_CST);
		__atomic_store_n(s->bell, 0, __ATOMIC_SEQ_CST); /* where the thread is about to wait at it */
		syscall(SYS_futex, &s->state, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
		syscall(SYS_futex, s->bell, FUTEX_WAKE, 1, NULL, NULL, 0);
		pthread_join(s->thread, NULL);
	}
	if (s->rung >= 0)
		close(s->rung);
}
