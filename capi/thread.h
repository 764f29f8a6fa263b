/* What is done once for each thread that calls MPI. */
#ifndef GOMPI_THREAD_H
#define GOMPI_THREAD_H

#include <pthread.h>

#pragma GCC visibility push(hidden)

/* Called ahead of a thread's first call into Go. */
void gompi_prepare(void);

/* Whether this thread has called it. */
extern __thread int gompi_prepared __attribute__((tls_model("initial-exec")));

/* pthread_create for the library's own threads. Without those of its runtime it cannot go on, so where a limit denies one
 * for long, the process ends with a line that names the limit (limits.c). */
int gompi_create_thread(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument);

#pragma GCC visibility pop

#endif
