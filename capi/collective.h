/* Small collective operations without a call into Go, which would take longer than the operation.
 *
 * The stubs work on the same areas as packages area and coll, on the same state (struct fast_area in zz_lane.h), by the
 * same protocol: package area says what pairs with what, shared.go and its neighbours in package coll what an operation
 * shows. So the ranks of one operation need not all come this way. A stub takes over what is plain: dense data of predefined
 * types within the limits that the area holds, on a communicator whose ranks have opened their areas. Everything else, and
 * every error, is left to Go. A stub whose rank has shown its data and does not see that of the others come soon leaves the
 * rest to Go as well (begun), which knows how to wait. */
#ifndef GOMPI_COLLECTIVE_H
#define GOMPI_COLLECTIVE_H

#include <stdint.h>
#include <string.h>

#include "mpi.h"

#include "endpoint.h"

#pragma GCC visibility push(hidden)

/* Each returns 1 when it has done all that the function does. */
int gompi_fast_Barrier(MPI_Comm comm);
int gompi_fast_Bcast(void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm);
int gompi_fast_Gather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm);
int gompi_fast_Scatter(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm);
int gompi_fast_Allgather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm);
int gompi_fast_Alltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm);
int gompi_fast_Gatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const int recvcounts[], const int displs[], MPI_Datatype recvtype, int root,
                       MPI_Comm comm);
int gompi_fast_Scatterv(const void *sendbuf, const int sendcounts[], const int displs[], MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, int root,
                        MPI_Comm comm);
int gompi_fast_Allgatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const int recvcounts[], const int displs[], MPI_Datatype recvtype,
                          MPI_Comm comm);
int gompi_fast_Alltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype, void *recvbuf, const int recvcounts[], const int rdispls[],
                         MPI_Datatype recvtype, MPI_Comm comm);
int gompi_fast_Alltoallw(const void *sendbuf, const int sendcounts[], const int sdispls[], const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[],
                         const int rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm);
int gompi_fast_Reduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm);
int gompi_fast_Allreduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm);
int gompi_fast_Scan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm);
int gompi_fast_Exscan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm);
int gompi_fast_Reduce_scatter(const void *sendbuf, void *recvbuf, const int recvcounts[], MPI_Datatype datatype, MPI_Op op, MPI_Comm comm);
int gompi_fast_Reduce_scatter_block(const void *sendbuf, void *recvbuf, int recvcount, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm);

/* Waits some polls for room for n bytes in operation seq; 0 when there is none. */
int gompi_area_room(struct fast_endpoint *endpoint, struct fast_area *a, uint64_t seq, int n);

/* Waits some polls until the ranks from first up to, not including, end show something in operation seq; 0 when one does
 * not. This rank itself is not looked at. */
int gompi_area_wait(struct fast_endpoint *endpoint, const struct fast_area *a, uint64_t seq, uint32_t first, uint32_t end);

/* Wakes the ranks that sleep. */
void gompi_area_ring(const struct fast_area *a);

#pragma GCC visibility pop

#define GOMPI_SLOT_IN_BULK ((uint64_t)GOMPI_SLOT_BULK_BIT << GOMPI_SLOT_SHIFT)

/* A slot of an area: shm/layout.go. */
struct gompi_shown {
	uint64_t number, length;
	union {
		char data[GOMPI_SLOT_INLINED];
		uint64_t where;
	};
};
_Static_assert(sizeof(struct gompi_shown) == GOMPI_AREA_SLOT_SIZE, "gompi_shown");
GOMPI_STANDS_AT(gompi_shown, number, GOMPI_SLOT_NUMBER);
GOMPI_STANDS_AT(gompi_shown, length, GOMPI_SLOT_LENGTH);
GOMPI_STANDS_AT(gompi_shown, data, GOMPI_SLOT_DATA);
GOMPI_STANDS_AT(gompi_shown, where, GOMPI_SLOT_WHERE);

/* The area of a communicator; NULL when the stubs may not use it. One in which Go has refused to end what a stub had begun
 * is left to Go until the program calls again. */
static inline struct fast_area *gompi_area_of(const struct fast_endpoint *endpoint, MPI_Comm comm)
{
	struct fast_area *a = endpoint->areas[(uintptr_t)comm % GOMPI_AREA_PLACES];

	return a != NULL && a->handle == (uintptr_t)comm && a->begun == 0 && endpoint->open ? a : NULL;
}

static inline struct gompi_shown *gompi_area_slot(const struct fast_area *a, uint32_t rank, uint64_t seq)
{
	return (struct gompi_shown *)(a->peers[rank].base + GOMPI_AREA_SLOTS) + seq % GOMPI_AREA_COUNT;
}

/* Tells whether a rank shows something in operation seq. */
static inline int gompi_area_shown(const struct fast_area *a, uint32_t rank, uint64_t seq)
{
	return __atomic_load_n(&gompi_area_slot(a, rank, seq)->number, __ATOMIC_ACQUIRE) == seq;
}

/* Where the n bytes stand that a rank shows in its bulk; NULL when it says that they are elsewhere: shm.Area.Data. */
static inline const char *gompi_area_bulk(const struct fast_area *a, uint32_t rank, const struct gompi_shown *slot,
                                          uint64_t n)
{
	uint64_t where = GOMPI_ONCE(slot->where);

	if (n > GOMPI_AREA_BULK_SIZE || where > GOMPI_AREA_BULK_SIZE - n)
		return NULL;
	return (const char *)a->peers[rank].base + GOMPI_AREA_BULK + where;
}

/* Where the data stands that a rank shows; NULL when it is not n bytes in its area. */
static inline const char *gompi_area_data(const struct fast_area *a, uint32_t rank, uint64_t seq, uint64_t n)
{
	const struct gompi_shown *slot = gompi_area_slot(a, rank, seq);
	uint64_t length = GOMPI_ONCE(slot->length);

	if (length == n && n <= GOMPI_SLOT_INLINED)
		return slot->data;
	return length == (n | GOMPI_SLOT_IN_BULK) ? gompi_area_bulk(a, rank, slot, n) : NULL;
}

/* How much of the bulk n bytes use up: shm.Area.take. */
static inline uint32_t gompi_area_take(const struct fast_area *a, int n)
{
	uint32_t lines = ((uint32_t)n + GOMPI_CACHE_LINE - 1) & ~(uint32_t)(GOMPI_CACHE_LINE - 1), at = a->head % GOMPI_AREA_BULK_SIZE;

	return at + lines > GOMPI_AREA_BULK_SIZE ? lines + GOMPI_AREA_BULK_SIZE - at : lines;
}

static inline int gompi_area_fits(const struct fast_area *a, int n)
{
	return n <= GOMPI_SLOT_INLINED || a->head - a->tail + gompi_area_take(a, n) <= GOMPI_AREA_BULK_SIZE;
}

/* The number of the next operation, in which this rank can show n bytes; 0 when there is no room for them. */
static inline uint64_t gompi_area_next(struct fast_endpoint *endpoint, struct fast_area *a, int n)
{
	uint64_t seq = a->seq + 1;

	a->marks[seq % GOMPI_AREA_COUNT] = a->head;
	if (__builtin_expect(a->lowest + GOMPI_AREA_COUNT < seq || !gompi_area_fits(a, n), 0) && !gompi_area_room(endpoint, a, seq, n))
		return 0;
	return seq;
}

/* Where n bytes stand that this rank shows in operation seq: shm.Area.Place. */
static inline char *gompi_area_place(struct fast_area *a, uint64_t seq, int n)
{
	struct gompi_shown *slot = gompi_area_slot(a, a->me, seq);

	if (n <= GOMPI_SLOT_INLINED) {
		slot->length = (uint64_t)n;
		return slot->data;
	}
	uint32_t at = a->head % GOMPI_AREA_BULK_SIZE;
	if (at + (uint32_t)n > GOMPI_AREA_BULK_SIZE)
		at = 0;
	a->head += gompi_area_take(a, n);
	a->marks[seq % GOMPI_AREA_COUNT] = a->head;
	slot->length = (uint64_t)n | GOMPI_SLOT_IN_BULK;
	slot->where = at;
	return (char *)a->peers[a->me].base + GOMPI_AREA_BULK + at;
}

/* Wakes the ranks that sleep, as a rule none. */
static inline void gompi_area_wake(const struct fast_area *a)
{
	uint32_t asleep = 0;

	for (uint32_t r = 0; r < a->n; r++)
		asleep |= __atomic_load_n(a->peers[r].bell, __ATOMIC_RELAXED);
	if (__builtin_expect(asleep != 0, 0))
		gompi_area_ring(a);
}

/* Shows what was put into place. The operation has begun then. */
static inline void gompi_area_publish(struct fast_area *a, uint64_t seq)
{
	__atomic_store_n(&gompi_area_slot(a, a->me, seq)->number, seq, __ATOMIC_RELEASE);
	a->seq = seq;
}

/* Shows n bytes. The ranks that sleep are to be woken. */
static inline void gompi_area_show(struct fast_area *a, uint64_t seq, const void *data, int n)
{
	gompi_copy_small(gompi_area_place(a, seq, n), data, n);
	gompi_area_publish(a, seq);
}

/* Begins the next operation by showing n bytes, for which the others wait. Its number; 0 when it is for Go. */
static inline uint64_t gompi_area_begin(struct fast_endpoint *endpoint, struct fast_area *a, const void *data, int n)
{
	uint64_t seq = gompi_area_next(endpoint, a, n);

	if (seq != 0) {
		gompi_area_show(a, seq, data, n);
		gompi_area_wake(a);
	}
	return seq;
}

/* Waits until the ranks from first up to, not including, end show something. */
static inline int gompi_area_await(struct fast_endpoint *endpoint, const struct fast_area *a, uint64_t seq, uint32_t first, uint32_t end)
{
	for (; first < end; first++)
		if (first != a->me && !gompi_area_shown(a, first, seq))
			return gompi_area_wait(endpoint, a, seq, first, end);
	return 1;
}

/* Leaves the rest of an operation in which this rank has shown its data to Go. */
static inline int gompi_area_leave(struct fast_area *a)
{
	a->begun = 1;
	return 0;
}

static inline void gompi_area_count(struct fast_area *a, uint64_t seq)
{
	a->seq = seq;
	a->stubbed++;
	__atomic_store_n((uint64_t *)(a->peers[a->me].base + GOMPI_AREA_DONE), seq, __ATOMIC_RELEASE);
}

/* Ends an operation. Others may wait for that. */
static inline int gompi_area_done(struct fast_area *a, uint64_t seq)
{
	gompi_area_count(a, seq);
	gompi_area_wake(a);
	return 1;
}

/* Ends an operation in which this rank has seen the data of all. Whoever waits for this rank to be done with it has to wait
 * until the next one is begun at most, in which it is woken. */
static inline int gompi_area_done_with_all(struct fast_area *a, uint64_t seq)
{
	a->lowest = seq - 1;
	gompi_area_count(a, seq);
	return 1;
}

/* The number of the next operation for a rank that shows nothing in it. */
static inline uint64_t gompi_area_next_to_read(struct fast_area *a)
{
	uint64_t seq = a->seq + 1;

	a->marks[seq % GOMPI_AREA_COUNT] = a->head;
	return seq;
}

/* Shows n bytes, for which there has to be room, to ranks for which this one does not wait. */
static inline int gompi_area_show_and_go(struct fast_endpoint *endpoint, struct fast_area *a, const void *data, int n)
{
	uint64_t seq = gompi_area_next(endpoint, a, n);

	if (seq == 0)
		return 0;
	gompi_area_show(a, seq, data, n);
	return gompi_area_done(a, seq);
}

/* Copies the n bytes that a rank shows; 0 when it shows something else, or nothing soon. */
static inline int gompi_area_fetch(struct fast_endpoint *endpoint, const struct fast_area *a, uint64_t seq, uint32_t rank, void *to, int n)
{
	if (!gompi_area_await(endpoint, a, seq, rank, rank + 1))
		return 0;
	const char *data = gompi_area_data(a, rank, seq, (uint64_t)n);
	if (data == NULL)
		return 0;
	gompi_copy_small(to, data, n);
	return 1;
}

/* The rank that comes i places behind this one, which are looked at in turn. */
static inline uint32_t gompi_area_behind(const struct fast_area *a, uint32_t i)
{
	uint32_t r = a->me + i;

	return r < a->n ? r : r - a->n;
}

#endif
