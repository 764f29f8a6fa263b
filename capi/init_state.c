/* The stages of the process's life, and what to do when a call comes at the wrong one. */
#define _GNU_SOURCE
#include "init_state.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "../include/mpi.h"

#include "_cgo_export.h"
#include "callback.h"
#include "thread.h"

#ifndef MADV_WIPEONFORK
#define MADV_WIPEONFORK 18
#endif

static volatile int stage = GOMPI_BEFORE; /* where no page is to be had */
volatile int *gompi_init_state = &stage;

int gompi_world_stage = GOMPI_BEFORE;

/* For kernels without MADV_WIPEONFORK. It does not run for a bare clone, which the page covers. */
static void in_child(void)
{
	*gompi_init_state = GOMPI_FORKED;
}

/* glibc gives each thread that allocates an arena of its own, with 64 MiB of addresses, and so one to each
 * thread of the Go runtime. Where a limit (ulimit -v) leaves few addresses, these have no use for the
 * program, which lacks them elsewhere. */
static void spare_addresses(void)
{
#ifdef __GLIBC__
	const rlim_t few = (rlim_t)4 << 30;
	struct rlimit limit;

	if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur < few && getenv("MALLOC_ARENA_MAX") == NULL)
		mallopt(M_ARENA_MAX, 1);
#endif
}

__attribute__((constructor(101))) static void create_init_state(void)
{
	void *page = mmap(NULL, sizeof(int), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (page != MAP_FAILED) {
		madvise(page, sizeof(int), MADV_WIPEONFORK);
		gompi_init_state = page;
		*gompi_init_state = GOMPI_BEFORE;
	}
	pthread_atfork(NULL, NULL, in_child);
	spare_addresses();
}

void gompi_set_stage(int s)
{
	*gompi_init_state = s;
}

void gompi_set_world(int stage)
{
	__atomic_store_n(&gompi_world_stage, stage, __ATOMIC_RELEASE);
}

void gompi_say(const char *line)
{
	size_t left = strlen(line);
	while (left > 0) {
		ssize_t n = write(STDERR_FILENO, line, left);
		if (n <= 0)
			return;
		line += n;
		left -= (size_t)n;
	}
}

int gompi_refuse(const char *name)
{
	static int said;
	char line[256];

	if (*gompi_init_state != GOMPI_FORKED) {
		if (!gompi_thread->prepared)
			gompi_prepare();
		return gompi_done(gompi_untimely((uintptr_t)name, *gompi_init_state == GOMPI_FINISHED));
	}
	if (!said) {
		said = 1;
		snprintf(line, sizeof line,
		         "gompi: pid %d: %s: called in a child of fork(), where MPI cannot be used before exec "
		         "(MPI_ERR_OTHER)\n",
		         (int)getpid(), name);
		gompi_say(line);
	}
	return MPI_ERR_OTHER;
}

static volatile sig_atomic_t last_code;

static void give_up(int sig)
{
	(void)sig;
	_exit(last_code);
}

void gompi_last_words(const char *line, int code)
{
	sigset_t timer;

	last_code = code;
	gompi_say(line);
	/* Another thread may hold the lock of a file that it reads: do not wait for it longer than a second. */
	sigemptyset(&timer);
	sigaddset(&timer, SIGALRM);
	pthread_sigmask(SIG_UNBLOCK, &timer, NULL);
	signal(SIGALRM, give_up);
	alarm(1);
	fflush(NULL);
	alarm(0);
}

void gompi_exit(int code)
{
	_exit(code);
}
