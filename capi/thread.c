/* Threads: what is done once for each thread that calls MPI, and how the process ends when the program's
 * last one has ended. */
#define _GNU_SOURCE
#include "thread.h"

#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "_cgo_export.h"
#include "endpoint.h"
#include "init_state.h"

/* The alternate signal stack of a thread that has none of its own, as large as its goroutine's
 * (asm.GrowStack). Go would set one of 32 KiB, on which a handler with SA_ONSTACK ran then, and not on the
 * thread's stack as without the library. */
#define SIGNAL_STACK ((size_t)2 << 20)

static struct gompi_thread nobody;
__thread struct gompi_thread *gompi_thread __attribute__((tls_model("initial-exec"))) = &nobody;

void gompi_set_main(void)
{
	gompi_thread->main = true;
}

bool fast_in_main(struct fast_endpoint *endpoint)
{
	(void)endpoint;
	return gompi_thread->main;
}

#define HIDDEN __attribute__((visibility("hidden")))

static pthread_key_t state, signal_stack, main_thread;
static int keys;    /* are there */
static int own;     /* threads of the library's */
static int started; /* of these, since the beginning */

/* One page more, at the lower end, stops a handler that wants more. */
static void set_signal_stack(void)
{
	const size_t guard = (size_t)sysconf(_SC_PAGESIZE);
	stack_t stack;

	if (!keys || sigaltstack(NULL, &stack) != 0 || !(stack.ss_flags & SS_DISABLE))
		return;
	char *all =
		mmap(NULL, guard + SIGNAL_STACK, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (all == MAP_FAILED)
		return;
	stack = (stack_t){.ss_sp = all + guard, .ss_size = SIGNAL_STACK};
	if (mprotect(all + guard, SIGNAL_STACK, PROT_READ | PROT_WRITE) != 0 ||
	    pthread_setspecific(signal_stack, all) != 0 || sigaltstack(&stack, NULL) != 0) {
		pthread_setspecific(signal_stack, NULL);
		munmap(all, guard + SIGNAL_STACK);
	}
}

static void free_signal_stack(void *all)
{
	const size_t guard = (size_t)sysconf(_SC_PAGESIZE);
	stack_t stack, none = {.ss_flags = SS_DISABLE};

	if (sigaltstack(NULL, &stack) == 0 && stack.ss_sp == (char *)all + guard)
		sigaltstack(&none, NULL);
	munmap(all, guard + SIGNAL_STACK);
}

/* Go's monitor (runtime.sysmon) sleeps for 20 microseconds at a time once it has taken a processor of Go's
 * from a thread that is in C. Where a rank goes to and fro between C and Go it finds one to take each time,
 * and keeps a rank from its real processor meanwhile. What it does may wait: there are processors of Go's
 * for all threads (mpi.tuneRuntime), no thread is preempted, and Go looks at its poller by itself where a
 * processor is idle. So the kernel may let it sleep for longer. */
enum { MONITOR = 2 /* it is the second thread that Go starts */, MONITOR_SLACK = 10000000 /* ns */ };

/* A thread of the library's. It counts itself as long as it runs: there are never more counted than there
 * are. */
struct thread {
	void *(*function)(void *);
	void *argument;
	int number; /* of those started, from 1 on */
};

static void *run(void *p)
{
	struct thread t = *(struct thread *)p;

	free(p);
	if (t.number == MONITOR)
		prctl(PR_SET_TIMERSLACK, MONITOR_SLACK);
	__atomic_add_fetch(&own, 1, __ATOMIC_RELAXED);
	void *result = t.function(t.argument);
	__atomic_sub_fetch(&own, 1, __ATOMIC_RELAXED);
	return result;
}

/* Every pthread_create of the library's, the Go runtime's among them, comes here (the linker's flag
 * --wrap). */
HIDDEN int __wrap_pthread_create(pthread_t *id, const pthread_attr_t *attributes, void *(*function)(void *),
                                 void *argument)
{
	struct thread *t = malloc(sizeof *t);

	if (t == NULL)
		return EAGAIN;
	*t = (struct thread){function, argument, __atomic_add_fetch(&started, 1, __ATOMIC_RELAXED)};
	int error = gompi_create_thread(id, attributes, run, t);
	if (error != 0)
		free(t);
	return error;
}

/* Reports whether a thread has ended: pthread_exit leaves a zombie of the main thread. */
static int has_ended(const char *id)
{
	char path[300], line[200] = "";
	const char *name_end;

	snprintf(path, sizeof path, "/proc/self/task/%s/stat", id);
	FILE *f = fopen(path, "re");
	if (f == NULL)
		return 1;
	name_end = fgets(line, sizeof line, f) != NULL ? strrchr(line, ')') : NULL;
	fclose(f);
	return name_end != NULL && (strncmp(name_end, ") Z", 3) == 0 || strncmp(name_end, ") X", 3) == 0);
}

/* Reports whether the library's are all of the threads that are left. */
static int alone(void)
{
	int others = 0;
	DIR *tasks = opendir("/proc/self/task");

	if (tasks == NULL)
		return 0;
	for (struct dirent *d; (d = readdir(tasks)) != NULL;)
		if (d->d_name[0] != '.' && !has_ended(d->d_name))
			others++;
	closedir(tasks);
	return others <= __atomic_load_n(&own, __ATOMIC_RELAXED);
}

/* The C library calls exit(0) when the last thread ends. The threads of the Go runtime never do, so that is
 * left to one that waits for the program's. */
static void *wait_for_last(void *unused)
{
	struct timespec pause = {0, 1000000};
	const long longest = 50000000;

	/* A thread may have made another one and ended while they were looked at: twice. */
	for (int found = 0; found < 2; found = alone() ? found + 1 : 0) {
		nanosleep(&pause, NULL);
		if (pause.tv_nsec < longest && found == 0)
			pause.tv_nsec *= 2;
	}
	exit(0);
	return unused;
}

/* The main thread has called pthread_exit. */
static void main_thread_ends(void *unused)
{
	pthread_attr_t attributes;
	pthread_t id;
	sigset_t all, mask;

	(void)unused;
	if (*gompi_init_state == GOMPI_FORKED)
		return; /* the library has no thread in this process */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &mask);
	pthread_attr_init(&attributes);
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	pthread_create(&id, &attributes, wait_for_last, NULL);
	pthread_attr_destroy(&attributes);
	pthread_sigmask(SIG_SETMASK, &mask, NULL);
}

static void watch_main_thread(void)
{
	/* glibc has gettid since 2.30 alone. */
	if (keys && getpid() == (pid_t)syscall(SYS_gettid))
		pthread_setspecific(main_thread, &keys);
}

static void forget(void *thread)
{
	gompi_thread = &nobody;
	free(thread);
}

/* Makes room for what is kept of the calling thread. */
static void remember(void)
{
	struct gompi_thread *thread = calloc(1, sizeof *thread);

	if (thread == NULL || !keys || pthread_setspecific(state, thread) != 0) {
		gompi_say("gompi: there is no memory for the state of a thread\n");
		abort();
	}
	thread->prepared = 1;
	gompi_thread = thread;
}

/* Ahead of Go's constructor. */
__attribute__((constructor(101))) static void make_keys(void)
{
	keys = pthread_key_create(&state, forget) == 0 &&
	       pthread_key_create(&signal_stack, free_signal_stack) == 0 &&
	       pthread_key_create(&main_thread, main_thread_ends) == 0;
	watch_main_thread();
}

/* Signals are blocked, so that no handler runs before the goroutine's stack has grown, and what Go does to
 * the mask does not last. */
void gompi_prepare(void)
{
	sigset_t all, mask;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &mask);
	remember();
	set_signal_stack();
	gompi_prepare_thread();
	pthread_sigmask(SIG_SETMASK, &mask, NULL);
	watch_main_thread();
}

static const void *(*in_front)(void);

__attribute__((visibility("default"))) void gompi_call_places(const void *(*place)(void))
{
	in_front = place;
}

uintptr_t gompi_called_from(void)
{
	const void *place = in_front == NULL ? NULL : in_front();

	return (uintptr_t)(place == NULL ? gompi_thread->from : place);
}
