/* How the Go runtime is started, and where the library stands.
 *
 * Go's constructor makes a thread, and later threads of the runtime get that thread's signal mask. So all
 * signals are blocked around the constructor: no thread of the library's takes a signal of the program's. */
#define _GNU_SOURCE
#include "start.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <unistd.h>

/* The library keeps its descriptors from 1024 on (shm.MoveUp), for which the kernel grows the process's
 * table. It does so at once as long as there is one thread; later it would wait for all processors, for
 * 10 ms. Go raises the soft limit to the hard one for good. */
static void grow_descriptors(void)
{
	int any = eventfd(0, EFD_CLOEXEC), high;
	struct rlimit limit, raised;

	if (any < 0)
		return;
	if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
		raised = limit;
		raised.rlim_cur = limit.rlim_max;
		setrlimit(RLIMIT_NOFILE, &raised);
		high = fcntl(any, F_DUPFD_CLOEXEC, 1024);
		if (high >= 0)
			close(high);
		setrlimit(RLIMIT_NOFILE, &limit);
	}
	close(any);
}

void gompi_start(int argc, char **argv, char **envp, gompi_go_constructor *go, struct gompi_go_signal *table)
{
	char **arguments = gompi_go_arguments(argc, argv, envp);
	sigset_t all, mask;

	grow_descriptors();
	gompi_signals_before_go(table);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &mask);
	go(argc, arguments != NULL ? arguments : argv);
	pthread_sigmask(SIG_SETMASK, &mask, NULL);
	gompi_signals_behind_go();
}

const char *gompi_library_file(void)
{
	Dl_info own;
	if (!dladdr((const void *)gompi_library_file, &own) || !own.dli_fname)
		return "";
	return own.dli_fname;
}
