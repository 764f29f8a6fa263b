/* Small messages without a call into Go, which would take longer than the message.
 *
 * The stubs work on the same rings as package shm, on the same structures (zz_lane.h), by the same protocol; its files
 * ring.go and bell.go say what pairs with what. They take over only what is plain: a dense message of up to a page between ranks
 * of one node, with nothing queued ahead of it; for a receive, nothing posted and nothing unexpected. Everything else,
 * and every error, is left to Go, which finds the lane as if the stub had not looked. A bad address alone is found out
 * here as in any C function: by SIGSEGV. */
#ifndef GOMPI_LANE_H
#define GOMPI_LANE_H

#include <string.h>

#include "mpi.h"

#include "life.h"
#include "zz_lane.h"

#pragma GCC visibility push(hidden)

/* The lane of this process; one that is not open before MPI_Init, after MPI_Finalize and with several threads. */
extern struct gompi_lane *gompi_lane;

/* Wakes the owner of a bell: shm.Bell.Wake. */
void gompi_wake(uint32_t *bell);

#pragma GCC visibility pop

static inline void gompi_pause(void)
{
#if defined(__x86_64__)
	__builtin_ia32_pause();
#elif defined(__aarch64__)
	__asm__ volatile("yield");
#endif
}

/* The largest message on the lane, in bytes. For longer ones a call into Go does not count. */
enum { GOMPI_LANE_MAX = 4096 };

/* The size in bytes of a small dense buffer, -1 for all others. */
static inline int gompi_lane_size(const void *buf, int count, MPI_Datatype datatype)
{
	uintptr_t type = (uintptr_t)datatype - 0x200;
	if (type > 0xff || (unsigned)count > GOMPI_LANE_MAX)
		return -1;
	unsigned size = gompi_dense_size[type] * (unsigned)count;
	if (size == 0 || size > GOMPI_LANE_MAX || (uintptr_t)buf <= 2)
		return -1;
	return (int)size;
}

/* memcpy; the usual small sizes without a call. */
static inline void gompi_copy_small(void *to, const void *from, int n)
{
	if (n == 8)
		memcpy(to, from, 8);
	else if (n == 4)
		memcpy(to, from, 4);
	else
		memcpy(to, from, (size_t)n);
}

/* Puts a payload into the bulk area, like Tx.room and Tx.Publish; 0 when there is no room that is known of. */
static inline int gompi_lane_bulk(struct gompi_tx *tx, struct gompi_slot *slot, const void *buf, uint32_t size)
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

static inline int gompi_fast_Send(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm)
{
	struct gompi_lane *lane = gompi_lane;
	int size = gompi_lane_size(buf, count, datatype);

	if (comm != MPI_COMM_WORLD || size < 0 || tag < 0 || tag > GOMPI_TAG_UB || !lane->open || lane->queued != 0 ||
	    (uint32_t)dest >= lane->n || (uint32_t)dest == lane->me)
		return 0;
	struct gompi_peer *peer = &lane->peers[dest];
	struct gompi_tx *tx = &peer->tx;
	if (tx->slots == NULL || tx->pos - tx->freed == GOMPI_RING_SLOTS)
		return 0;
	uint32_t at = tx->pos % GOMPI_RING_SLOTS;
	struct gompi_slot *slot = &tx->slots[at];
	if (size <= GOMPI_INLINE_SIZE) {
		slot->inlined = (uint16_t)size;
		gompi_copy_small(slot->data, buf, size);
	} else if (!gompi_lane_bulk(tx, slot, buf, (uint32_t)size)) {
		return 0;
	}
	slot->kind = GOMPI_EAGER_PACKET;
	slot->flags = 0;
	slot->ctx = lane->ctx;
	slot->src = (int32_t)lane->me;
	slot->tag = tag;
	tx->marks[at] = tx->head;
	__atomic_store_n(&slot->seq, ++tx->pos, __ATOMIC_RELEASE);
	if (__builtin_expect(__atomic_load_n(peer->bell, __ATOMIC_ACQUIRE) != 0, 0))
		gompi_wake(peer->bell);
	return 1;
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
static inline void gompi_lane_status(MPI_Status *status, int source, int tag, int size)
{
	status->MPI_SOURCE = source;
	status->MPI_TAG = tag;
	memset(status->MPI_internal, 0, sizeof status->MPI_internal);
	status->MPI_internal[0] = size;
}

/* The next packet, if a talker has one; nothing of it is taken. */
static inline struct gompi_slot *gompi_lane_peek(struct gompi_lane *lane, struct gompi_peer **from)
{
	for (uint32_t i = 0; i < lane->talkers; i++) {
		if (lane->turn >= lane->talkers)
			lane->turn = 0;
		struct gompi_peer *peer = &lane->peers[lane->order[lane->turn]];
		struct gompi_slot *slot = &peer->rx.slots[peer->rx.pos % GOMPI_RING_SLOTS];
		if (__atomic_load_n(&slot->seq, __ATOMIC_ACQUIRE) == peer->rx.pos + 1) {
			*from = peer;
			return slot;
		}
		lane->turn++;
	}
	return NULL;
}

static inline void gompi_lane_release(struct gompi_peer *peer, int bulk)
{
	struct gompi_rx *rx = &peer->rx;
	if (++rx->pos - rx->told < GOMPI_CONSUMED_BATCH && !bulk)
		return;
	rx->told = rx->pos;
	__atomic_store_n(rx->consumed, rx->pos, __ATOMIC_RELEASE);
	if (__atomic_load_n(rx->starved, __ATOMIC_ACQUIRE) != 0 && __atomic_load_n(peer->bell, __ATOMIC_ACQUIRE) != 0)
		gompi_wake(peer->bell);
}

static inline int gompi_fast_Recv(void *buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm, MPI_Status *status)
{
	struct gompi_lane *lane = gompi_lane;
	int room = gompi_lane_size(buf, count, datatype);

	if (comm != MPI_COMM_WORLD || room < 0 || !lane->open || lane->waiting != 0 || lane->queued != 0)
		return 0;
	if (((uint32_t)source >= lane->n || (uint32_t)source == lane->me) && source != MPI_ANY_SOURCE)
		return 0;
	if ((tag < 0 || tag > GOMPI_TAG_UB) && tag != MPI_ANY_TAG)
		return 0;
	for (uint32_t polls = 0; polls < lane->polls; polls++) {
		struct gompi_peer *peer;
		struct gompi_slot *slot = gompi_lane_peek(lane, &peer);
		if (slot == NULL) {
			if (gompi_lane_called(lane))
				return 0;
			gompi_pause();
			continue;
		}
		int bulk = slot->inlined == GOMPI_IN_BULK;
		uint64_t size = bulk ? slot->data[0] : slot->inlined;
		if (slot->kind != GOMPI_EAGER_PACKET || (slot->flags & GOMPI_SYNCHRONOUS) != 0 || slot->ctx != lane->ctx || size > (uint64_t)room ||
		    (slot->src != source && source != MPI_ANY_SOURCE) || (slot->tag != tag && tag != MPI_ANY_TAG))
			return 0;
		if (bulk)
			memcpy(buf, (void *)(peer->rx.bulk + slot->bulk), size);
		else
			gompi_copy_small(buf, slot->data, (int)size);
		if (status != MPI_STATUS_IGNORE)
			gompi_lane_status(status, slot->src, slot->tag, (int)size);
		gompi_lane_release(peer, bulk);
		return 1;
	}
	return 0;
}

#endif
