/* Threads of this package: all signals are blocked in them. */
#ifndef GOMPI_FABRIC_THREAD_H
#define GOMPI_FABRIC_THREAD_H

#include <pthread.h>
#include <signal.h>

/* As pthread_create. */
static inline int thread_start(pthread_t *thread, void *(*run)(void *), void *argument)
{
	sigset_t all, before;
	int result;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	result = pthread_create(thread, NULL, run, argument);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return result;
}

#endif
