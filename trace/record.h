/* What libgompi-trace.so writes of each call, and how. mpiexec --trace preloads the library: it has every
 * MPI_ function, notes the call and goes on to the PMPI_ function. docs/tracing.md is for users, and
 * launch/timeline reads the files. */
#ifndef GOMPI_TRACE_RECORD_H
#define GOMPI_TRACE_RECORD_H

#include <stddef.h>
#include <stdint.h>

#include "mpi.h"

#include "zz_calls.h"

#pragma GCC visibility push(hidden)

/* What a record is. The numbers are those of launch/timeline/record.go. */
enum trace_kind {
	TRACE_NOTHING,   /* the rest of the chunk is empty */
	TRACE_CALL,      /* no peer and no data */
	TRACE_SEND,      /* a message to peer begins */
	TRACE_RECV,      /* one from peer is asked for */
	TRACE_SEND_INIT, /* the same, for each start of the request */
	TRACE_RECV_INIT,
	TRACE_MATCHED,    /* a probe has taken the message; request is the handle of it */
	TRACE_TAKE,       /* it is received */
	TRACE_COLLECTIVE, /* of all ranks of the communicator, in the same order everywhere */
	TRACE_ACCESS,     /* one-sided, to peer */
	TRACE_DATA,       /* bytes to or from a file, or to neighbors */
	TRACE_POLL,       /* calls in vain: bytes is the time in them, extra their number */
	/* What follows belongs to the call of the same thread that began at the same time. */
	TRACE_ALSO_RECV, /* the receive of a send and receive */
	TRACE_DONE,      /* flags requests that it has completed */
	TRACE_STARTED,   /* flags requests that it has started */
	TRACE_STATUS,    /* what a completed receive has got */
	TRACE_GROUP,     /* a communicator or window: its ranks follow */
	TRACE_MEMBERS    /* flags ranks in the world */
};

enum { TRACE_FAILED = 1, TRACE_ENDED = 2, TRACE_PARTITIONED = 4 };

struct record {
	uint64_t begin; /* 0 in no record */
	uint16_t call;
	uint8_t kind, flags;
	int32_t peer;
	union {
		struct {
			uint64_t end, bytes;
			int32_t tag;
			uint32_t object, request, extra;
		};
		uint32_t words[8];
	};
};

_Static_assert(sizeof(struct record) == 48, "launch/timeline reads records of 48 bytes");

/* What a thread has: the part of its chunk that is still free. Its chunks are a ring. */
struct trace_thread {
	struct record *next, *end, *chunk;
	uint32_t object; /* that it has used last, which is known */
	uint32_t number, held;
	const void *from; /* where the call that it is in returns to in the program; NULL outside */
};

extern __thread struct trace_thread trace_thread __attribute__((tls_model("initial-exec")));

extern void *trace_real[TRACE_CALLS];
extern uint64_t trace_pair_due;
extern int trace_wild, trace_cycles;

/* The sizes of predefined types, whose handles are small numbers, plus 1. */
enum { TRACE_PREDEFINED = 1024 };
extern _Atomic int16_t trace_sizes[TRACE_PREDEFINED];

/* The function that carries out the call. */
#define REAL_X(name) ((__typeof__(MPIX_##name) *)trace_real[TRACE_X_##name])
#define REAL(name) ((__typeof__(MPI_##name) *)trace_real[TRACE_##name])

/* A record, or NULL where nothing is to be recorded; trace_real is filled in afterwards. */
struct record *trace_reserve(void);
/* A record that stays when the memory is full and the oldest ones are written over; NULL where there is no
 * room for it. The caller has the lock of groups. */
struct record *trace_keep(const struct record *r, int kind);
void trace_pair(uint64_t now);
uint64_t trace_clock(void);
uint64_t trace_type_size(MPI_Datatype type);
void trace_learn(struct record *r, MPI_Comm comm, MPI_Win win);

void trace_world(const struct record *r);
void trace_new_comm(struct record *r, MPI_Comm comm);
void trace_new_dup(struct record *r, MPI_Comm parent, MPI_Comm comm);
void trace_new_win(struct record *r, MPI_Win win);
void trace_forget(uintptr_t object);

#pragma GCC visibility pop

static inline uint32_t trace_short(const void *handle)
{
	return (uint32_t)(uintptr_t)handle;
}

static inline uint64_t trace_now(void)
{
#if defined(__x86_64__)
	if (__builtin_expect(trace_cycles, 1))
		return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
	uint64_t now;

	if (__builtin_expect(trace_cycles, 1)) {
		__asm__ volatile("mrs %0, cntvct_el0" : "=r"(now));
		return now;
	}
#endif
	return trace_clock();
}

/* Waits until what the program has loaded is there: the counter may be read ahead of that, by the time of a
 * cache miss, and a call would end before that began which it has waited for. */
static inline void trace_settle(void)
{
#if defined(__x86_64__)
	__builtin_ia32_lfence();
#elif defined(__aarch64__)
	__asm__ volatile("isb" ::: "memory");
#endif
}

static inline struct record *trace_next(void)
{
	if (__builtin_expect(trace_thread.next == trace_thread.end, 0))
		return trace_reserve();
	return trace_thread.next++;
}

/* The call is in the file before it is carried out, so that a rank that is killed within it shows where. */
__attribute__((always_inline)) static inline struct record *trace_enter(int call, int kind)
{
	struct record *r = trace_next();

	trace_thread.from = __builtin_return_address(0); /* of the function that this is inlined into */
	if (r == NULL)
		return NULL;
	r->call = (uint16_t)call;
	r->kind = (uint8_t)kind;
	r->peer = -1;
	r->begin = trace_now();
	return r;
}

static inline void trace_leave(struct record *r, int rc)
{
	trace_thread.from = NULL;
	if (r == NULL)
		return;
	if (r->kind != TRACE_SEND && r->kind != TRACE_ACCESS) /* those wait for nobody, as a rule */
		trace_settle();
	r->end = trace_now();
	r->flags |= (uint8_t)(TRACE_ENDED | (rc == MPI_SUCCESS ? 0 : TRACE_FAILED));
	if (__builtin_expect(r->end > trace_pair_due, 0))
		trace_pair(r->end);
}

/* A further record of what r began with. */
static inline struct record *trace_more(const struct record *r, int kind)
{
	struct record *more = trace_next();

	if (more == NULL)
		return NULL;
	more->begin = r->begin;
	more->call = r->call;
	more->kind = (uint8_t)kind;
	more->peer = -1;
	return more;
}

static inline uint64_t trace_bytes(uint64_t count, MPI_Datatype type)
{
	uintptr_t handle = (uintptr_t)type;

	if (__builtin_expect(handle < TRACE_PREDEFINED && trace_sizes[handle] != 0, 1))
		return count * (uint64_t)(trace_sizes[handle] - 1);
	return count * trace_type_size(type);
}

/* Ahead of the call. */
static inline void trace_message(struct record *r, int peer, int tag, MPI_Comm comm, uint64_t bytes)
{
	r->peer = peer;
	r->tag = tag;
	r->object = trace_short(comm);
	r->bytes = bytes;
}

/* Behind it: the group of the communicator or window is written down once. A handle that was wrong is the
 * business of the call, which has failed. */
static inline void trace_know(struct record *r, int rc, MPI_Comm comm, MPI_Win win)
{
	if (__builtin_expect(r != NULL && rc == MPI_SUCCESS && r->object != trace_thread.object, 0))
		trace_learn(r, comm, win);
}

static inline void trace_source(struct record *r, int rc, const MPI_Status *status)
{
	if (r != NULL && rc == MPI_SUCCESS) {
		r->peer = status->MPI_SOURCE;
		r->tag = status->MPI_TAG;
	}
}

static inline void trace_request(struct record *r, int rc, const void *handle)
{
	if (r != NULL && rc == MPI_SUCCESS)
		r->request = trace_short(handle);
}

/* Calls in vain that follow each other closely are one record. */
static inline void trace_poll(struct record *r, int rc, int found)
{
	enum { CLOSE = 1 << 18 };
	struct trace_thread *t = &trace_thread;
	struct record *last;

	if (r == NULL || rc != MPI_SUCCESS || found)
		return;
	last = r - 1;
	r->kind = TRACE_POLL;
	if (t->next == r + 1 && last->kind == TRACE_POLL && last->call == r->call &&
	    r->begin - last->end < CLOSE) {
		last->bytes += r->end - r->begin;
		last->extra++;
		last->end = r->end;
		t->next = r;
		__builtin_memset(r, 0, sizeof *r);
		return;
	}
	r->bytes = r->end - r->begin;
	r->extra = 1;
}

#endif
