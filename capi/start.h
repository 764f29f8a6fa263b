/* How the library comes up. */
#ifndef GOMPI_START_H
#define GOMPI_START_H

#include <stdint.h>

#pragma GCC visibility push(hidden)

/* An entry of the Go runtime's table of signals (runtime.sigtable, runtime.sigTabT). */
struct gompi_go_signal {
	int32_t flags;
	const char *name;
	int64_t length; /* of the name */
};

typedef void gompi_go_constructor(int argc, char **argv);
typedef void (*gompi_constructor)(int argc, char **argv, char **envp, gompi_go_constructor *go,
                                  struct gompi_go_signal *table);

/* Starts the Go runtime; called by the constructor in capi/asm. */
void gompi_start(int argc, char **argv, char **envp, gompi_go_constructor *go, struct gompi_go_signal *table);

/* The arguments of the process as the Go runtime is to see them: argv, an environment, the auxiliary
 * vector. NULL where there is no memory. They are for the life of the process. */
char **gompi_go_arguments(int argc, char **argv, char **envp);

/* Called ahead of Go's constructor, which installs handlers for faults, and behind it. */
void gompi_signals_before_go(struct gompi_go_signal *table);
void gompi_signals_behind_go(void);

/* Has the process live on with SIGUSR1, by which launchers tell of a death, unless the program deals with
 * that itself. */
void gompi_outlive_deaths(void);

/* The file that the library was loaded from; "" when the loader does not say. */
const char *gompi_library_file(void);

#pragma GCC visibility pop

#endif
