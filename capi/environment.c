/* The environment that the Go runtime sees.
 *
 * Variables meant for other Go programs do not change this library. The runtime finds the environment
 * behind the vector of arguments, and the auxiliary vector behind the environment, so it is given a vector
 * of its own that leaves them out. The strings are those of the program, which nobody changes. */
#include <elf.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

#include "start.h"

/* Reports whether a setting is one that the Go runtime reads. */
static int for_go(const char *setting)
{
	static const char *const names[] = {"GODEBUG=", "GOGC=", "GOMAXPROCS=", "GOMEMLIMIT=", "GOTRACEBACK="};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strncmp(setting, names[i], strlen(names[i])) == 0)
			return 1;
	return 0;
}

char **gompi_go_arguments(int argc, char **argv, char **envp)
{
	size_t settings = 0, pairs = 1, n = 0;
	char **end = argv + argc + 1; /* of the environment that the process was started with */

	while (*end != NULL)
		end++;
	const ElfW(auxv_t) *auxiliary = (const ElfW(auxv_t) *)(end + 1);
	while (auxiliary[pairs - 1].a_type != AT_NULL)
		pairs++;
	while (envp[settings] != NULL)
		settings++;

	char **all = malloc(((size_t)argc + 1 + settings + 1) * sizeof *all + pairs * sizeof *auxiliary);
	if (all == NULL)
		return NULL;
	while (n < (size_t)argc) {
		all[n] = argv[n];
		n++;
	}
	all[n++] = NULL;
	for (size_t i = 0; i < settings; i++)
		if (!for_go(envp[i]))
			all[n++] = envp[i];
	all[n++] = NULL;
	memcpy(all + n, auxiliary, pairs * sizeof *auxiliary);
	return all;
}
