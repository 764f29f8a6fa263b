/* The file of records is memory that the launcher has made and keeps, so that what is in it stays when a
 * process is killed, and nothing is left behind when the launcher is. All ranks write to it, by chunks. A
 * chunk belongs to one thread, so that a record costs no atomic operation. */
#define _GNU_SOURCE
#include "record.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

enum { FRONT = 1 << 20, CHUNK = 256 << 10, PROCESSES = FRONT / 128 - 1 };

/* What the front of the file has of each process, behind the counts of all. launch/timeline/record.go knows
 * the offsets. */
struct header {
	char magic[8];
	uint32_t calls, world;
	int32_t rank, size;
	uint64_t ticks[2], nanoseconds[2]; /* two moments, on both clocks */
	uint64_t lost;                     /* records that found no room */
	int32_t pid, cycles;
	char rest[56];
};

_Static_assert(sizeof(struct header) == 128, "launch/timeline reads headers of 128 bytes");

/* The beginning of the file. */
struct counts {
	uint32_t processes, chunks;
	char rest[120];
};

enum stage { UNKNOWN, ON, OFF };

__thread struct trace_thread trace_thread __attribute__((tls_model("initial-exec")));
void *trace_real[TRACE_CALLS];
uint64_t trace_pair_due;
int trace_wild, trace_cycles;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic int stage;
static int fd = -1;
static uint32_t process, threads, chunks, most;
static struct counts *counts;
static struct header *head;

static const char *const names[TRACE_CALLS] = {TRACE_NAMES};

uint64_t trace_clock(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Moments on both clocks, as far apart as the run allows: they tell how long a tick lasts. */
void trace_pair(uint64_t now)
{
	enum { APART = 1 << 27 };

	head->ticks[1] = trace_now();
	head->nanoseconds[1] = trace_clock();
	trace_pair_due = now + APART;
}

/* Whether the counter of cycles runs evenly and alike on all processors. */
static int steady(void)
{
#if defined(__x86_64__)
	unsigned a, b, c, d = 0;

	return __get_cpuid(0x80000007, &a, &b, &c, &d) && (d & 1 << 8) != 0;
#elif defined(__aarch64__)
	return 1;
#else
	return 0;
#endif
}

static int absent(void) { return MPI_ERR_UNSUPPORTED_OPERATION; }

static void in_child(void)
{
	stage = OFF;
	head = NULL;
	trace_thread.next = trace_thread.end = NULL;
}

/* Finds the functions behind the calls, wherever the program has its MPI library from. */
static int find_functions(void)
{
	void *library = dlopen("libmpi_abi.so.1", RTLD_LAZY | RTLD_NOLOAD);
	char name[64];

	for (int i = 0; i < TRACE_CALLS; i++) {
		/* the names of extensions begin with X_ */
		snprintf(name, sizeof name, "%s%s%s", library == NULL ? "MPI" : "PMPI",
			names[i][0] == 'X' && names[i][1] == '_' ? "" : "_", names[i]);
		trace_real[i] = dlsym(library == NULL ? RTLD_NEXT : library, name);
		if (trace_real[i] == NULL)
			trace_real[i] = (void *)absent;
	}
	return library != NULL;
}

static int number(const char *name, int otherwise)
{
	const char *text = getenv(name);

	return text == NULL || *text == 0 ? otherwise : atoi(text);
}

static int open_file(void)
{
	const char *path = getenv("GOMPI_TRACE_FILE");

	if (path == NULL || *path != '/' || (fd = open(path, O_RDWR | O_CLOEXEC)) < 0)
		return 0;
	counts = mmap(NULL, FRONT, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (counts == MAP_FAILED)
		return 0;
	process = __atomic_fetch_add(&counts->processes, 1, __ATOMIC_RELAXED);
	if (process >= PROCESSES)
		return 0;
	head = (struct header *)(counts + 1) + process;
	most = (uint32_t)number("GOMPI_TRACE_LIMIT", 0) * ((1 << 20) / CHUNK);
	head->calls = TRACE_CALLS;
	head->rank = number("PMI_RANK", 0);
	head->size = number("PMI_SIZE", 1);
	head->world = (uint32_t)number("GOMPI_WORLD", 0);
	head->pid = (int32_t)getpid();
	head->cycles = trace_cycles = steady();
	head->ticks[0] = trace_now();
	head->nanoseconds[0] = trace_clock();
	trace_pair(head->ticks[0]);
	memcpy(head->magic, "GOMPITR1", 8);
	return pthread_atfork(NULL, NULL, in_child) == 0;
}

/* Gives the thread a further chunk. The old one stays mapped: a call may still be under way in it. */
static int add_chunk(struct trace_thread *t)
{
	struct record *chunk;
	off_t at;

	if (chunks == most)
		return 0;
	chunks++;
	at = FRONT + (off_t)__atomic_fetch_add(&counts->chunks, 1, __ATOMIC_RELAXED) * CHUNK;
	chunk = mmap(NULL, CHUNK, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, fd, at);
	if (chunk == MAP_FAILED)
		return 0;
	if (t->number == 0)
		t->number = ++threads;
	chunk->peer = (int32_t)process; /* in the place of the first record: whose chunk it is */
	chunk->extra = t->number;
	t->next = chunk + 1;
	t->end = chunk + CHUNK / sizeof *chunk;
	return 1;
}

struct record *trace_reserve(void)
{
	struct trace_thread *t = &trace_thread;
	struct record *r = NULL;

	if (stage == OFF) {
		if (head != NULL)
			__atomic_fetch_add(&head->lost, 1, __ATOMIC_RELAXED);
		return NULL;
	}
	pthread_mutex_lock(&lock);
	if (stage == UNKNOWN)
		stage = find_functions() && open_file() ? ON : OFF;
	if (stage == ON) {
		if (add_chunk(t))
			r = t->next++;
		else {
			head->lost++;
			stage = OFF;
		}
	}
	pthread_mutex_unlock(&lock);
	return r;
}

__attribute__((destructor)) static void at_exit(void)
{
	if (stage != UNKNOWN && head != NULL && head->pid == (int32_t)getpid())
		trace_pair(0);
}
