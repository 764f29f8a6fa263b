/* Small messages without a call into Go, which would take longer than the message.
 *
 * The stubs work on the same rings as package shm, on the same structures (zz_lane.h), by the same protocol; its files
 * ring.go, bell.go and ticket.go say what pairs with what. They take over only what is plain: a dense message that goes
 * with its header between ranks of one node, with nothing queued ahead of it; for a receive, nothing that is posted in Go
 * or unexpected and that could be meant as well. Everything else, and every error, is left to Go, which finds the lane as if the stub had not
 * looked. */
#ifndef GOMPI_LANE_H
#define GOMPI_LANE_H

#include <limits.h>
#include <stddef.h>
#include <string.h>

#include "mpi.h"

#include "address.h"
#include "life.h"
#include "rest.h"
#include "zz_lane.h"

/* A field that is laid out by hand in C and in Go. */
#define GOMPI_STANDS_AT(type, field, at) _Static_assert(offsetof(struct type, field) == (at), #type "." #field)

#pragma GCC visibility push(hidden)

/* The lane of this process; one that is not open before MPI_Init and after MPI_Finalize. */
extern struct gompi_lane *gompi_lane;

/* Wakes the owner of a bell: shm.Bell.Wake. */
void gompi_wake(uint32_t *bell);

/* Take and give back the lock of a lane that several threads share: shm.Mutex. The first gives up soon. */
int gompi_lane_lock(struct gompi_lane *lane);
void gompi_lane_unlock(struct gompi_lane *lane);

/* Enters a lane again that has been left, however long that takes. */
void gompi_lane_reenter(struct gompi_lane *lane);

/* Waits a moment for the receiver of a ring that is full to empty something, and meanwhile receives what tickets are posted for:
 * the receiver may wait for room in turn. 0 when Go has to do it; a queued message costs more. */
int gompi_lane_room(struct gompi_lane *lane, struct gompi_tx *tx);

/* Receives a message while other receives may be posted, or be by other threads, and leaves the lane; 0 when Go has to do it. */
int gompi_lane_receive(struct gompi_lane *lane, struct gompi_route *route, void *buf, int room, int source, int tag, MPI_Status *status);

/* The ways of nonblocking operations (ticket.c). Each returns 1 when it has done all that the function does. */
int gompi_fast_Isend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request *request);
int gompi_fast_Irecv(void *buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm, MPI_Request *request);
int gompi_fast_Isendrecv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, int dest, int sendtag, void *recvbuf, int recvcount,
                         MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm, MPI_Request *request);
int gompi_fast_Isendrecv_replace(void *buf, int count, MPI_Datatype datatype, int dest, int sendtag, int source, int recvtag, MPI_Comm comm,
                                 MPI_Request *request);
int gompi_fast_Wait(MPI_Request *request, MPI_Status *status);
int gompi_fast_Test(MPI_Request *request, int *flag, MPI_Status *status);
int gompi_fast_Waitall(int count, MPI_Request requests[], MPI_Status statuses[]);
int gompi_fast_Testall(int count, MPI_Request requests[], int *flag, MPI_Status statuses[]);
int gompi_fast_Waitany(int count, MPI_Request requests[], int *index, MPI_Status *status);
int gompi_fast_Testany(int count, MPI_Request requests[], int *index, int *flag, MPI_Status *status);
int gompi_fast_Waitsome(int count, MPI_Request requests[], int *outcount, int indices[], MPI_Status statuses[]);
int gompi_fast_Testsome(int count, MPI_Request requests[], int *outcount, int indices[], MPI_Status statuses[]);

/* Those of further blocking operations (blocking.c). */
int gompi_fast_Probe(int source, int tag, MPI_Comm comm, MPI_Status *status);
int gompi_fast_Iprobe(int source, int tag, MPI_Comm comm, int *flag, MPI_Status *status);
int gompi_lane_sendrecv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, int *dest, int sendtag, void *recvbuf, int recvcount,
                        MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm, MPI_Status *status);

/* The stub's own dest becomes MPI_PROC_NULL when the message has gone and Go has to receive the other. */
#define gompi_fast_Sendrecv(sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype, source, recvtag, comm, status) \
	gompi_lane_sendrecv(sendbuf, sendcount, sendtype, &(dest), sendtag, recvbuf, recvcount, recvtype, source, recvtag, comm, status)

/* A message that goes on the lane has left its buffer before another comes into it. */
#define gompi_fast_Sendrecv_replace(buf, count, datatype, dest, sendtag, source, recvtag, comm, status) \
	gompi_lane_sendrecv(buf, count, datatype, &(dest), sendtag, buf, count, datatype, source, recvtag, comm, status)

#pragma GCC visibility pop

/* The largest message that is sent on the lane, in bytes. For longer ones a call into Go does not count. */
enum { GOMPI_LANE_MAX = 16384 };
_Static_assert(GOMPI_LANE_MAX <= GOMPI_BULK_SIZE / 4, "shm.MaxBulk");

/* Begins to use the lane; 0 when that is not possible now. gompi_lane_leave ends it. */
static inline int gompi_lane_enter(struct gompi_lane *lane)
{
	enum { ASK_GO = 64 };

	if (lane->open != 1 && (lane->open == 0 || ++lane->idle % ASK_GO == 0)) /* shm.LaneBridged */
		return 0;
	return !lane->shared || gompi_lane_lock(lane);
}

static inline void gompi_lane_leave(struct gompi_lane *lane)
{
	if (lane->shared)
		gompi_lane_unlock(lane);
}

/* The space of messages behind a communicator; NULL when the stubs do not know it. */
static inline struct gompi_route *gompi_lane_route(struct gompi_lane *lane, MPI_Comm comm)
{
	struct gompi_route *route = &lane->routes[(uintptr_t)comm % GOMPI_ROUTES];
	return route->handle == (uintptr_t)comm ? route : NULL;
}

/* The node rank behind a rank of a route; this rank's own when there is none. */
static inline uint32_t gompi_lane_node(struct gompi_lane *lane, struct gompi_route *route, int rank)
{
	return (uint32_t)rank < route->size ? (uint32_t)(route->base + route->stride * rank) : lane->me;
}

/* The size in bytes of a dense buffer, -1 for all others. */
static inline int gompi_lane_size(const void *buf, int count, MPI_Datatype datatype)
{
	uintptr_t type = (uintptr_t)datatype - 0x200;
	if (type > 0xff || count < 0)
		return -1;
	unsigned each = gompi_dense_size[type];
	if (each == 0 || (uint64_t)each * (unsigned)count > INT_MAX || (count > 0 && gompi_nowhere(buf)))
		return -1;
	return (int)(each * (unsigned)count);
}

/* memcpy; the usual small sizes without a call. */
static inline void gompi_copy_small(void *to, const void *from, int n)
{
	if (n == 8)
		memcpy(to, from, 8);
	else if (n == 4)
		memcpy(to, from, 4);
	else if (n > 0)
		memcpy(to, from, (size_t)n);
}

/* Learns what the receiver has emptied, like Tx.refresh. Returns 0 if that is nothing new, or if it wants no data. */
static inline int gompi_tx_refresh(struct gompi_tx *tx)
{
	uint32_t freed = __atomic_load_n(tx->consumed, __ATOMIC_ACQUIRE);

	tx->held = __atomic_load_n(tx->hold, __ATOMIC_ACQUIRE) != 0;
	if (freed == tx->freed || tx->pos - freed > GOMPI_RING_SLOTS) /* what no receiver writes is for Go */
		return 0;
	tx->freed = freed;
	tx->tail = tx->marks[(freed - 1) % GOMPI_RING_SLOTS];
	if (freed == tx->pos)
		tx->head = tx->tail = 0;
	return !tx->held;
}

/* Puts a payload into the bulk area, like Tx.room and Tx.Publish; 0 when there is no room that is known of. */
static inline int gompi_tx_bulk(struct gompi_tx *tx, struct gompi_slot *slot, const void *buf, uint32_t size)
{
	uint32_t take = (size + GOMPI_CACHE_LINE - 1) & ~(uint32_t)(GOMPI_CACHE_LINE - 1);
	uint32_t at = tx->head % GOMPI_BULK_SIZE;

	if (at + take > GOMPI_BULK_SIZE) { /* the end of the area is too short: skip it */
		take += GOMPI_BULK_SIZE - at;
		at = 0;
	}
	if (tx->head + take - tx->tail > GOMPI_BULK_SIZE)
		return 0;
	slot->inlined = GOMPI_IN_BULK;
	slot->bulk = at;
	slot->data[0] = size;
	memcpy((void *)(tx->bulk + at), buf, size);
	tx->head += take;
	return 1;
}

/* Sends a message to a node rank. number is that of the ticket, which a packet names whose send may be cancelled, or
 * GOMPI_TICKETS. Returns 0 when Go has to do it. */
static inline int gompi_lane_put(struct gompi_lane *lane, struct gompi_route *route, uint32_t node, const void *buf, int size, int tag, uint32_t number)
{
	struct gompi_peer *peer = &lane->peers[node];
	struct gompi_tx *tx = &peer->tx;

	if (lane->queued != 0 || tx->slots == NULL || tx->held)
		return 0;
	if (tx->pos - tx->freed == GOMPI_RING_SLOTS && !gompi_lane_room(lane, tx))
		return 0;
	uint32_t at = tx->pos % GOMPI_RING_SLOTS;
	struct gompi_slot *slot = &tx->slots[at];
	slot->flags = number != GOMPI_TICKETS ? GOMPI_NAMED : 0;
	if (size <= GOMPI_INLINE_SIZE) {
		slot->inlined = (uint16_t)size;
		slot->bulk = number;
		gompi_copy_small(slot->data, buf, size);
	} else {
		while (!gompi_tx_bulk(tx, slot, buf, (uint32_t)size))
			if (!gompi_lane_room(lane, tx))
				return 0;
		slot->data[1] = number;
	}
	slot->kind = GOMPI_EAGER_PACKET;
	slot->ctx = route->ctx;
	slot->src = route->rank;
	slot->tag = tag;
	tx->marks[at] = tx->head;
	__atomic_store_n(&slot->seq, ++tx->pos, __ATOMIC_RELEASE);
	lane->sent++;
	lane->sentBytes += (uint32_t)size;
	if (__builtin_expect(__atomic_load_n(peer->bell, __ATOMIC_ACQUIRE) != 0, 0))
		gompi_wake(peer->bell);
	return 1;
}

/* Tells whether the stubs send a message of that size with that tag; larger ones go otherwise, and errors are for Go. */
static inline int gompi_lane_sends(const struct gompi_lane *lane, int size, int tag)
{
	return size >= 0 && size <= GOMPI_LANE_MAX && (uint32_t)size <= lane->eager && tag >= 0 && tag <= GOMPI_TAG_UB;
}

static inline int gompi_fast_Send(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm)
{
	struct gompi_lane *lane = gompi_lane;
	struct gompi_route *route = gompi_lane_route(lane, comm);
	int size = gompi_lane_size(buf, count, datatype);

	if (route == NULL || !gompi_lane_sends(lane, size, tag))
		return 0;
	uint32_t node = gompi_lane_node(lane, route, dest);
	if (node == lane->me || !gompi_lane_enter(lane))
		return 0;
	int sent = gompi_lane_put(lane, route, node, buf, size, tag, GOMPI_TICKETS);
	gompi_lane_leave(lane);
	return sent;
}

/* Tells whether a rank has begun to send that is no talker yet. */
static inline int gompi_lane_called(struct gompi_lane *lane)
{
	for (uint32_t w = 0; w < lane->callWords; w++)
		if (__atomic_load_n(&lane->calls[w], __ATOMIC_RELAXED) != 0)
			return 1;
	return 0;
}

/* A status but for its error field, which calls with one status leave alone: putStatus in cells.go. */
static inline void gompi_lane_status(MPI_Status *status, int source, int tag, uint64_t size)
{
	status->MPI_SOURCE = source;
	status->MPI_TAG = tag;
	memset(status->MPI_internal, 0, sizeof status->MPI_internal);
	status->MPI_internal[0] = (int)size;
}

/* The next packet of the talker whose turn it is, if it has one; nothing of it is taken. */
static inline struct gompi_slot *gompi_lane_head(struct gompi_lane *lane, struct gompi_peer **from)
{
	if (lane->turn >= lane->talkers)
		lane->turn = 0;
	struct gompi_peer *peer = *from = &lane->peers[lane->order[lane->turn]];
	struct gompi_slot *slot = &peer->rx.slots[peer->rx.pos % GOMPI_RING_SLOTS];
	return __atomic_load_n(&slot->seq, __ATOMIC_ACQUIRE) == peer->rx.pos + 1 ? slot : NULL;
}

/* The next packet, if a talker has one. */
static inline struct gompi_slot *gompi_lane_peek(struct gompi_lane *lane, struct gompi_peer **from)
{
	for (uint32_t i = 0; i < lane->talkers; i++, lane->turn++) {
		struct gompi_slot *slot = gompi_lane_head(lane, from);
		if (slot != NULL)
			return slot;
	}
	return NULL;
}

/* Gives a slot back, like Rx.Release. A little of the bulk area may be told of later, with the slots. */
static inline void gompi_lane_release(struct gompi_peer *peer, int large)
{
	struct gompi_rx *rx = &peer->rx;
	if (++rx->pos - rx->told < GOMPI_CONSUMED_BATCH && !large)
		return;
	rx->told = rx->pos;
	__atomic_store_n(rx->consumed, rx->pos, __ATOMIC_RELEASE);
	if (__atomic_load_n(rx->starved, __ATOMIC_ACQUIRE) != 0 && __atomic_load_n(peer->bell, __ATOMIC_ACQUIRE) != 0)
		gompi_wake(peer->bell);
}

/* What the stubs need of a packet. Its sender can change what stands in shared memory at any time, so every field
 * is read once. A malformed packet is none that the stubs deal with: Go says what is wrong. */
struct gompi_packet {
	uint64_t size;    /* ULLONG_MAX when it is no message that the stubs deal with */
	const void *data; /* size bytes in the ring */
	uint32_t ctx;
	int32_t src, tag;
};

#define GOMPI_ONCE(word) __atomic_load_n(&(word), __ATOMIC_RELAXED)

/* Kind, flags and inlined of a slot, which are read as one word. */
typedef uint32_t __attribute__((may_alias)) gompi_head;
GOMPI_STANDS_AT(gompi_slot, kind, 4);
GOMPI_STANDS_AT(gompi_slot, flags, 5);
GOMPI_STANDS_AT(gompi_slot, inlined, 6);
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "gompi_head");

/* The size of the payload in the bulk area and where it stands, ULLONG_MAX when it is not within that area. */
static inline uint64_t gompi_lane_bulk(const struct gompi_peer *peer, const struct gompi_slot *slot, uint64_t inlined,
                                       const void **data)
{
	uint64_t size = GOMPI_ONCE(slot->data[0]);
	uint32_t at = GOMPI_ONCE(slot->bulk);

	if (inlined != GOMPI_IN_BULK || size <= GOMPI_INLINE_SIZE || size > GOMPI_BULK_SIZE || at > GOMPI_BULK_SIZE - size)
		return ULLONG_MAX;
	*data = (const void *)(peer->rx.bulk + at);
	return size;
}

static inline struct gompi_packet gompi_lane_read(const struct gompi_peer *peer, const struct gompi_slot *slot)
{
	uint32_t head = __atomic_load_n((const gompi_head *)&slot->kind, __ATOMIC_RELAXED);
	struct gompi_packet p = {
		head >> 16, slot->data, GOMPI_ONCE(slot->ctx), GOMPI_ONCE(slot->src), GOMPI_ONCE(slot->tag),
	};

	if (__builtin_expect((head & (0xffff ^ GOMPI_NAMED << 8)) != GOMPI_EAGER_PACKET, 0))
		p.size = ULLONG_MAX;
	else if (p.size > GOMPI_INLINE_SIZE)
		p.size = gompi_lane_bulk(peer, slot, p.size, &p.data);
	return p;
}

/* Takes a message out of a packet. */
static inline void gompi_lane_take(struct gompi_peer *peer, const struct gompi_packet *p, void *buf)
{
	if (p->size > GOMPI_INLINE_SIZE)
		memcpy(buf, p->data, p->size);
	else
		gompi_copy_small(buf, p->data, (int)p->size);
	gompi_lane_release(peer, p->size > GOMPI_BULK_SIZE / 8 / GOMPI_CONSUMED_BATCH);
}

/* Tells whether a call that asks may say "not yet" without asking Go, who alone notices that a rank has died and lets others
 * run: it is asked now and then. */
static inline int gompi_lane_not_yet(struct gompi_lane *lane)
{
	enum { ASK_GO = 64 };

	return ++lane->idle % ASK_GO != 0;
}

/* Tells whether a packet is a message for a receive or probe. */
static inline int gompi_lane_fits(const struct gompi_packet *p, const struct gompi_route *route, int source, int tag)
{
	return p->ctx == route->ctx && (p->src == source || source == MPI_ANY_SOURCE) && (p->tag == tag || tag == MPI_ANY_TAG);
}

/* Tells whether the stubs can look for a message from source with tag. */
static inline int gompi_lane_wants(struct gompi_lane *lane, struct gompi_route *route, int source, int tag)
{
	return (source == MPI_ANY_SOURCE || gompi_lane_node(lane, route, source) != lane->me) &&
	       ((tag >= 0 && tag <= GOMPI_TAG_UB) || tag == MPI_ANY_TAG);
}

/* Tells whether there is a packet behind the next one of a ring. */
static inline int gompi_lane_more(const struct gompi_peer *peer)
{
	const struct gompi_slot *slot = &peer->rx.slots[(peer->rx.pos + 1) % GOMPI_RING_SLOTS];
	return __atomic_load_n(&slot->seq, __ATOMIC_ACQUIRE) == peer->rx.pos + 2;
}

/* Looks for a message of at most room bytes for a receive, while no other is posted; 0 when it has not come. *go
 * says then that only Go can go on. A message for a later receive stays in its ring as long as it is alone there. */
static inline int gompi_lane_find(struct gompi_lane *lane, const struct gompi_route *route, int room, int source, int tag,
                                  struct gompi_peer **from, struct gompi_packet *p, int *go)
{
	for (uint32_t i = 0; i < lane->talkers; i++, lane->turn++) {
		struct gompi_slot *slot = gompi_lane_head(lane, from);
		if (slot == NULL)
			continue;
		*p = gompi_lane_read(*from, slot);
		int fits = p->size != ULLONG_MAX && gompi_lane_fits(p, route, source, tag);
		if (fits && p->size <= (uint64_t)room)
			return 1;
		if (fits || p->size == ULLONG_MAX || gompi_lane_more(*from)) {
			*go = 1;
			return 0;
		}
	}
	*go = gompi_lane_called(lane);
	return 0;
}

/* Receives a message and leaves the lane; 0 when Go has to do it. With nothing posted the next message is most likely the one. */
static inline int gompi_lane_get(struct gompi_lane *lane, struct gompi_route *route, void *buf, int room, int source, int tag, MPI_Status *status)
{
	struct gompi_peer *peer;
	struct gompi_packet p;
	int found = 0, go = 0;

	if ((lane->posted | lane->shared | lane->waiting | lane->exchanging) != 0)
		return gompi_lane_receive(lane, route, buf, room, source, tag, status);
	for (uint32_t polls = 0; lane->queued == 0; polls++) {
		found = gompi_lane_find(lane, route, room, source, tag, &peer, &p, &go);
		if (found || go || !gompi_lane_rest(lane, polls))
			break;
	}
	if (!found)
		return 0;
	gompi_lane_take(peer, &p, buf);
	if (status != MPI_STATUS_IGNORE)
		gompi_lane_status(status, p.src, p.tag, p.size);
	return 1;
}

static inline int gompi_fast_Recv(void *buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm, MPI_Status *status)
{
	struct gompi_lane *lane = gompi_lane;
	struct gompi_route *route = gompi_lane_route(lane, comm);
	int room = gompi_lane_size(buf, count, datatype);

	return route != NULL && room >= 0 && !gompi_nowhere_else(status) && gompi_lane_wants(lane, route, source, tag) && gompi_lane_enter(lane) &&
	       gompi_lane_get(lane, route, buf, room, source, tag, status);
}

#endif
