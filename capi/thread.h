/* What is done once for each thread that calls MPI. */
#ifndef GOMPI_THREAD_H
#define GOMPI_THREAD_H

#pragma GCC visibility push(hidden)

/* Called ahead of a thread's first call into Go. */
void gompi_prepare(void);

/* Whether this thread has called it. */
extern __thread int gompi_prepared __attribute__((tls_model("initial-exec")));

#pragma GCC visibility pop

#endif
