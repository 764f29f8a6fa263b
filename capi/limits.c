/* Limits of the process that the library cannot live with. The Go runtime would end the process with a trace;
 * here one line names the limit. What the runtime needs was measured with Go 1.26; the figures are a little
 * below that, so that nothing is refused that would have worked. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "init_state.h"
#include "thread.h"

/* What the runtime reserves (PROT_NONE) and what it may write to while it starts, without the stack of its
 * first thread, in bytes. */
static const size_t RESERVED = (size_t)766 << 20, WRITABLE = (size_t)44 << 20;

static rlim_t limit_of(int resource)
{
	struct rlimit limit;

	return getrlimit(resource, &limit) == 0 ? limit.rlim_cur : RLIM_INFINITY;
}

static void end(const char *line)
{
	gompi_say(line);
	_exit(1);
}

static void refuse(const char *what, const char *flag, int resource, size_t needed)
{
	char line[256];

	snprintf(line, sizeof line,
	         "gompi: pid %d: the limit of %s (ulimit -%s) is %llu KiB, too little for the library to start, "
	         "which takes %zu KiB more than the program has\n",
	         (int)getpid(), what, flag, (unsigned long long)limit_of(resource) >> 10, needed >> 10);
	end(line);
}

/* Where the runtime can have these addresses, it takes so many at once that none are left for its heap. */
static const size_t AWKWARD_FROM = (size_t)1132000 << 10, AWKWARD_TO = (size_t)1240000 << 10;

static int obtainable(size_t bytes, int protection)
{
	void *at = mmap(NULL, bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	return at != MAP_FAILED && munmap(at, bytes) == 0;
}

static size_t stack_size(void)
{
	pthread_attr_t attributes;
	size_t size = 0;

	/* Of attributes without a size this is the default. */
	if (pthread_attr_init(&attributes) == 0) {
		pthread_attr_getstacksize(&attributes, &size);
		pthread_attr_destroy(&attributes);
	}
	return size;
}

/* Ahead of Go's own constructor. */
__attribute__((constructor(101))) static void look_at_limits(void)
{
	size_t writable = WRITABLE + stack_size();

	if (limit_of(RLIMIT_AS) != RLIM_INFINITY && !obtainable(RESERVED, PROT_NONE))
		refuse("addresses", "v", RLIMIT_AS, RESERVED);
	if (limit_of(RLIMIT_AS) != RLIM_INFINITY && obtainable(AWKWARD_FROM, PROT_NONE) &&
	    !obtainable(AWKWARD_TO, PROT_NONE))
		refuse("addresses", "v", RLIMIT_AS, AWKWARD_TO);
	if (limit_of(RLIMIT_DATA) != RLIM_INFINITY && !obtainable(writable, PROT_READ | PROT_WRITE))
		refuse("data", "d", RLIMIT_DATA, writable);
}

/* The first line of a file as it stands there, without the end of line; empty when there is none. */
static void first_line(const char *path, char *line, int size)
{
	FILE *f = fopen(path, "re");

	line[0] = '\0';
	if (f == NULL)
		return;
	if (fgets(line, size, f) == NULL)
		line[0] = '\0';
	line[strcspn(line, "\n")] = '\0';
	fclose(f);
}

static void refuse_thread(int error)
{
	char line[512], group[32];
	int n = snprintf(line, sizeof line, "gompi: pid %d: no thread can be started (%s):", (int)getpid(),
	                 strerror(error));
	static const struct {
		int resource, shift;
		const char *flag, *unit;
	} limits[] = {{RLIMIT_NPROC, 0, "u", ""}, {RLIMIT_AS, 10, "v", " KiB"}, {RLIMIT_DATA, 10, "d", " KiB"}};

	for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
		if (limit_of(limits[i].resource) != RLIM_INFINITY)
			n +=
				snprintf(line + n, sizeof line - (size_t)n, " ulimit -%s is %llu%s,", limits[i].flag,
			             (unsigned long long)limit_of(limits[i].resource) >> limits[i].shift, limits[i].unit);
	first_line("/sys/fs/cgroup/pids.max", group, sizeof group);
	if (group[0] == '\0')
		first_line("/sys/fs/cgroup/pids/pids.max", group, sizeof group);
	snprintf(line + n, sizeof line - (size_t)n, " pids.max of the cgroup is %s\n",
	         group[0] != '\0' ? group : "unknown");
	end(line);
}

extern __typeof__(pthread_create) __real_pthread_create __attribute__((weak));

int gompi_create_thread(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *),
                        void *argument)
{
	enum { TRIES = 20 };
	const struct timespec pause = {.tv_nsec = 10000000};
	int error = 0;

	for (int i = 0; i < TRIES; i++) {
		error = __real_pthread_create(thread, attributes, start, argument);
		if (error != EAGAIN)
			return error;
		nanosleep(&pause, NULL);
	}
	refuse_thread(error);
	return error;
}
