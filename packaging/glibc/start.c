/* The start of an executable of a portable tree. What a linker of glibc 2.34 or later puts into an executable
 * calls a __libc_start_main of that version, so it is led here (--wrap=__libc_start_main). The calls of
 * pthread_create, which the library counts, come here in an executable. */
#include <pthread.h>

#include "oldest.h"

GOMPI_BIND(start_main, __libc_start_main);

typedef int program(int, char **, char **);
typedef void hook(void);

extern int start_main(program *, int, char **, hook *, hook *, hook *, void *);

int __wrap___libc_start_main(program *start, int argc, char **argv, hook *init, hook *fini, hook *end,
                             void *stack)
{
	return start_main(start, argc, argv, init, fini, end, stack);
}

extern __typeof__(pthread_create) __real_pthread_create;

int __wrap_pthread_create(pthread_t *id, const pthread_attr_t *attributes, void *(*function)(void *),
                          void *argument)
{
	return __real_pthread_create(id, attributes, function, argument);
}
