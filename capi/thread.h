/* What is done once for each thread that calls MPI. */
#ifndef GOMPI_THREAD_H
#define GOMPI_THREAD_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/* Called ahead of a thread's first call into Go. */
void gompi_prepare(void);

/* For Go: where the call of the program returns to that the thread is in. */
uintptr_t gompi_called_from(void);

struct gompi_callbacks;
struct gompi_callers;

/* A delete function of an attribute key that has failed, called by the engine; its code is 0 where there is
 * none. */
struct gompi_refusal {
	uintptr_t function, handle, value;
	int keyval, code;
};

/* What the library keeps of a thread. */
struct gompi_thread {
	int prepared;               /* gompi_prepare has been called */
	bool main;                  /* it is the main thread (MPI 5.0, 11.6.1) */
	int code;                   /* with which an error handler is to be called (callback.h), */
	uintptr_t function, handle; /* which one, 0 for none, and on what */
	struct gompi_refusal refused;
	struct gompi_callbacks *callbacks; /* of the operation that the thread is in; NULL outside (callback.h) */
	const struct gompi_callers *callers; /* of the language that calls; NULL for C (callers.h) */
	const void *from;                    /* where the stub returns to that has called Go last */
};

/* Of the calling thread. Before gompi_prepare it is that of nobody, all zero. The pointer alone takes static
 * storage of threads, of which little is left to a library that is loaded at run time. */
extern __thread struct gompi_thread *gompi_thread __attribute__((tls_model("initial-exec")));

/* pthread_create for the library's own threads. Without those of its runtime it cannot go on, so where a
 * limit denies one for long, the process ends with a line that names the limit (limits.c). */
int gompi_create_thread(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *),
                        void *argument);

#pragma GCC visibility pop

#endif
