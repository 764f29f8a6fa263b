/* Binds symbols of the C library to their oldest versions, so that what is built on a new system starts on an
 * old one. It is included ahead of every source of a portable tree (scripts/portable-tree); a name that a
 * source does not use costs nothing.
 *
 * glibc 2.34 has moved the functions of threads and of dlopen into libc.so.6, and given them new versions.
 * The old ones are the same functions. Before, they are in libpthread.so.0 and libdl.so.2, so the tree names
 * those libraries too. */
#if !defined GOMPI_OLDEST_GLIBC && !defined __ASSEMBLER__
#define GOMPI_OLDEST_GLIBC

#if defined __x86_64__
#define GOMPI_GLIBC "GLIBC_2.2.5"
#elif defined __aarch64__
#define GOMPI_GLIBC "GLIBC_2.17"
#else
#error "the oldest version of the C library's symbols on this architecture is not known"
#endif

#define GOMPI_BIND(name, symbol) __asm__(".symver " #name ", " #symbol "@" GOMPI_GLIBC)
#define GOMPI_OLDEST(name) GOMPI_BIND(name, name)

GOMPI_OLDEST(dladdr);
GOMPI_OLDEST(dlclose);
GOMPI_OLDEST(dlerror);
GOMPI_OLDEST(dlopen);
GOMPI_OLDEST(dlsym);
GOMPI_OLDEST(dlvsym);
GOMPI_OLDEST(pthread_attr_getstack);
GOMPI_OLDEST(pthread_attr_getstacksize);
GOMPI_OLDEST(pthread_getattr_np);
GOMPI_OLDEST(pthread_getspecific);
GOMPI_OLDEST(pthread_join);
GOMPI_OLDEST(pthread_key_create);
GOMPI_OLDEST(pthread_once);
GOMPI_OLDEST(pthread_setspecific);
GOMPI_OLDEST(pthread_sigmask);

/* Whatever is linked has --wrap=pthread_create, which knows the name without a version alone. */
GOMPI_BIND(__real_pthread_create, pthread_create);

/* Headers since glibc 2.38 give these names to the functions of old. They differ in binary literals, which
 * nothing here reads. */
GOMPI_BIND(__isoc23_strtol, strtol);
GOMPI_BIND(__isoc23_strtoll, strtoll);
GOMPI_BIND(__isoc23_strtoul, strtoul);
GOMPI_BIND(__isoc23_strtoull, strtoull);

#endif
