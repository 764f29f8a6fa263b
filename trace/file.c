/* The file of records is memory that the launcher has made and keeps, so that what is in it stays when a
 * process is killed, and nothing is left behind when the launcher is. All ranks write to it, by chunks. A
 * chunk belongs to one thread, so that a record costs no atomic operation.
 *
 * A process has as many chunks as its limit allows. After that a thread clears its oldest chunk and goes on
 * there, or in one of a thread that has ended: what is kept is the latest. Each thread has two chunks at
 * least, because the call that it is in stands in the newest one. What later records refer to is kept in
 * chunks that are not cleared: the groups of communicators, and the beginnings of persistent requests. */
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
	uint64_t lost;                     /* calls that were written over, or found no room */
	int32_t pid, cycles;
	char rest[56];
};

_Static_assert(sizeof(struct header) == 128, "launch/timeline reads headers of 128 bytes");

/* The beginning of the file. */
struct counts {
	uint32_t processes, chunks;
	char rest[120];
};

/* How many chunks each thread may have in any case, and what part of all is for records that are kept. */
enum { LEAST = 2, KEPT_PART = 8 };

enum stage { UNKNOWN, ON, OFF };

__thread struct trace_thread trace_thread __attribute__((tls_model("initial-exec")));
void *trace_real[TRACE_CALLS];
uint64_t trace_pair_due;
int trace_wild, trace_cycles;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic int stage;
static int fd = -1;
static uint32_t process, threads, chunks, most;
static struct record *ended, *ended_last; /* chunks of threads that have ended, the oldest first */
static struct trace_thread kept;          /* it has number 0 */
static pthread_key_t at_thread_end;
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

static int absent(void)
{
	return MPI_ERR_UNSUPPORTED_OPERATION;
}

static void in_child(void)
{
	stage = OFF;
	head = NULL;
	trace_thread.next = trace_thread.end = kept.next = kept.end = NULL;
}

static const void *place(void)
{
	return trace_thread.from;
}

/* Finds the functions behind the calls, wherever the program has its MPI library from. Reports are to name
 * the program's calls, and not those from here. */
static int find_functions(void)
{
	void *library = dlopen("libmpi_abi.so.1", RTLD_LAZY | RTLD_NOLOAD);
	void (*name_places)(const void *(*)(void)) = library == NULL ? NULL : dlsym(library, "gompi_call_places");
	char name[64];

	if (name_places != NULL)
		name_places(place);

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

/* The chunk behind one in the ring of its thread, or in the list of those whose threads have ended. Its
 * first record is a head, of which the reader ignores this. */
static struct record *follower(const struct record *chunk)
{
	return (struct record *)(uintptr_t)chunk->begin;
}

static void set_follower(struct record *chunk, struct record *next)
{
	chunk->begin = (uintptr_t)next;
}

/* Leaves the chunks of a thread that ends to the others. */
static void give_back(void *thread)
{
	struct trace_thread *t = thread;

	pthread_mutex_lock(&lock);
	if (t->chunk != NULL) {
		struct record *oldest = follower(t->chunk);

		set_follower(t->chunk, NULL);
		if (ended_last == NULL)
			ended = oldest;
		else
			set_follower(ended_last, oldest);
		ended_last = t->chunk;
	}
	t->next = t->end = t->chunk = NULL;
	t->held = 0;
	pthread_mutex_unlock(&lock);
}

/* Where programs do not close descriptors blindly, as far as the limit allows (shm.MoveUp). */
static int moved_up(int low)
{
	int high = fcntl(low, F_DUPFD_CLOEXEC, 1024);

	if (high < 0)
		return low;
	close(low);
	return high;
}

static int open_file(void)
{
	const char *path = getenv("GOMPI_TRACE_FILE");

	if (path == NULL || *path != '/' || (fd = open(path, O_RDWR | O_CLOEXEC)) < 0)
		return 0;
	fd = moved_up(fd);
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
	return pthread_atfork(NULL, NULL, in_child) == 0 && pthread_key_create(&at_thread_end, give_back) == 0;
}

/* A chunk that nobody has had. */
static struct record *new_chunk(void)
{
	off_t at = FRONT + (off_t)__atomic_fetch_add(&counts->chunks, 1, __ATOMIC_RELAXED) * CHUNK;
	struct record *chunk = mmap(NULL, CHUNK, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, fd, at);

	chunks++;
	return chunk == MAP_FAILED ? NULL : chunk;
}

/* Goes on in a chunk, which follows the one that the thread has. */
static void enter_chunk(struct trace_thread *t, struct record *chunk)
{
	chunk->peer = (int32_t)process; /* in the place of the first record: whose chunk it is */
	chunk->extra = t->number;
	t->chunk = chunk;
	t->next = chunk + 1;
	t->end = chunk + CHUNK / sizeof *chunk;
}

static void extend(struct trace_thread *t, struct record *chunk)
{
	if (t->chunk == NULL)
		set_follower(chunk, chunk);
	else {
		set_follower(chunk, follower(t->chunk));
		set_follower(t->chunk, chunk);
	}
	t->held++;
	enter_chunk(t, chunk);
}

/* The next record among those that are kept. */
static struct record *keep(void)
{
	if (kept.next == kept.end) {
		struct record *chunk = NULL;

		if (kept.held < most / KEPT_PART + 1)
			chunk = new_chunk();
		if (chunk == NULL)
			return NULL;
		extend(&kept, chunk);
	}
	return kept.next++;
}

struct record *trace_keep(const struct record *r, int kind)
{
	struct record *k;

	pthread_mutex_lock(&lock);
	if ((k = stage == ON ? keep() : NULL) != NULL) {
		k->begin = r->begin;
		k->call = r->call;
		k->kind = (uint8_t)kind;
		k->peer = -1;
	}
	pthread_mutex_unlock(&lock);
	return k;
}

/* Empties a chunk, but for what later records refer to. */
static void clear(struct record *chunk)
{
	struct record *k;

	for (struct record *r = chunk + 1; r < chunk + CHUNK / sizeof *r && r->kind != TRACE_NOTHING; r++) {
		head->lost += r->kind < TRACE_ALSO_RECV;
		if ((r->kind == TRACE_SEND_INIT || r->kind == TRACE_RECV_INIT) && (k = keep()) != NULL)
			*k = *r;
	}
	memset(chunk + 1, 0, CHUNK - sizeof *chunk);
}

/* Gives the thread room for records. Its old chunk stays mapped: a call may still be under way in it. */
static int add_chunk(struct trace_thread *t)
{
	struct record *chunk = NULL;

	if (t->number == 0) {
		t->number = ++threads;
		pthread_setspecific(at_thread_end, t);
	}
	if (chunks >= most && ended != NULL) {
		chunk = ended;
		if ((ended = follower(chunk)) == NULL)
			ended_last = NULL;
		clear(chunk);
	} else if (chunks < most || t->held < LEAST)
		chunk = new_chunk();
	if (chunk != NULL)
		extend(t, chunk);
	else if (t->held >= LEAST) {
		chunk = follower(t->chunk);
		clear(chunk);
		enter_chunk(t, chunk);
	}
	return chunk != NULL;
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
