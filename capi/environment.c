/* Environment variables meant for other Go programs do not change this library.
 *
 * The Go runtime reads them once, when the library is loaded. One constructor runs ahead of Go's and makes the names
 * unknown, in place; a second one runs behind it, waits until the runtime has read its environment, and makes them
 * known again. Without such a variable nothing is done and nobody waits. */
#include <stdint.h>
#include <string.h>

#define MAX_HIDDEN 8

static const char *const names[] = {"GODEBUG=", "GOGC=", "GOMAXPROCS=", "GOMEMLIMIT=", "GOTRACEBACK="};
static char *hidden[MAX_HIDDEN];
static int count;

/* Of the Go runtime: returns when the runtime is up. */
extern uintptr_t _cgo_wait_runtime_init_done(void);

__attribute__((constructor(101))) static void hide(int argc, char **argv, char **envp)
{
	(void)argc;
	(void)argv;
	for (char **e = envp; e && *e && count < MAX_HIDDEN; e++)
		for (size_t i = 0; i < sizeof names / sizeof *names; i++)
			if (strncmp(*e, names[i], strlen(names[i])) == 0) {
				hidden[count++] = *e;
				**e = 'g';
				break;
			}
}

__attribute__((constructor)) static void show(void)
{
	if (count > 0)
		_cgo_wait_runtime_init_done();
	while (count > 0)
		*hidden[--count] = 'G';
}
