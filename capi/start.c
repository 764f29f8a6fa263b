/* How the Go runtime is started, and where the library stands.
 *
 * Go's constructor makes a thread, and later threads of the runtime get that thread's signal mask. So all
 * signals are blocked around the constructor: no thread of the library's takes a signal of the program's. */
#define _GNU_SOURCE
#include "start.h"

#include <dlfcn.h>
#include <signal.h>
#include <stddef.h>

void gompi_start(int argc, char **argv, char **envp, gompi_go_constructor *go,
		 struct gompi_go_signal *table)
{
	char **arguments = gompi_go_arguments(argc, argv, envp);
	sigset_t all, mask;

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
