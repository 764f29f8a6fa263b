/* Tickets as the stubs see them: what ticket.c and ticket_any.c share. */
#ifndef GOMPI_TICKET_H
#define GOMPI_TICKET_H

#include "lane.h"

/* A request's handle, as in handle.go. */
enum {
	REQUEST_FLAG = 1 << 29,
	INDEX_MASK = (1 << GOMPI_REQUEST_INDEX_BITS) - 1,
	GEN_MASK = (1 << GOMPI_REQUEST_GEN_BITS) - 1
};

#define NO_TICKET UINT32_MAX
#define MANY (NO_TICKET - 1)

static inline MPI_Request handle_of(const struct gompi_lane *lane, uint32_t index)
{
	uintptr_t gen = lane->tickets[index].gen & GEN_MASK;
	return (MPI_Request)(REQUEST_FLAG | gen << GOMPI_REQUEST_INDEX_BITS | index);
}

/* The ticket behind a handle; NULL when it is none, or Go's by now. */
static inline struct gompi_ticket *ticket_of(const struct gompi_lane *lane, MPI_Request request)
{
	uintptr_t h = (uintptr_t)request, index = h & INDEX_MASK;
	if (h >> 29 != 1 || index >= GOMPI_TICKETS)
		return NULL;
	struct gompi_ticket *t = &lane->tickets[index];
	if (((t->gen ^ h >> GOMPI_REQUEST_INDEX_BITS) & GEN_MASK) != 0)
		return NULL;
	return t->state - 1 < GOMPI_TICKET_LENT - 1 ? t : NULL;
}

/* Tells whether a ticket waits for something. */
static inline int pending(const struct gompi_ticket *t)
{
	return t->state == GOMPI_TICKET_POSTED || t->state == GOMPI_TICKET_EXCHANGE;
}

/* shm.Lane.BinOf. */
static inline struct gompi_bin *bin_of(struct gompi_lane *lane, uint32_t ctx, int32_t tag)
{
	if (tag == MPI_ANY_TAG)
		return &lane->bins[GOMPI_TICKET_BINS - 1];
	return &lane->bins[((uint32_t)tag + 31 * ctx) * (uint32_t)GOMPI_BIN_FACTOR >> GOMPI_BIN_SHIFT];
}

/* Tells whether a receive has to be posted in Go, which may have a message for it. */
static inline int for_go(struct gompi_lane *lane, const struct gompi_route *route, int tag)
{
	return lane->waiting != 0 && (lane->watched | bin_of(lane, route->ctx, tag)->unexpected) != 0;
}

/* Where a posted receive stands: before is the one ahead of it in its bin. */
struct place {
	struct gompi_bin *bin;
	uint32_t at, before;
};

/* The oldest receive of a bin that a message matches; at is NO_TICKET when there is none, MANY when it has been compared with
 * GOMPI_LONG_BIN of them: Go needs less time for that many. */
static inline struct place oldest_in(const struct gompi_lane *lane, struct gompi_bin *bin, const struct gompi_packet *m)
{
	struct place p = {bin, bin->first, NO_TICKET};

	for (int compared = 0; p.at != NO_TICKET; compared++) {
		const struct gompi_ticket *t = &lane->tickets[p.at];
		if (t->ctx == m->ctx && (t->src == m->src || t->src == MPI_ANY_SOURCE) && (t->tag == m->tag || t->tag == MPI_ANY_TAG))
			break;
		if (compared == GOMPI_LONG_BIN) {
			p.at = MANY;
			break;
		}
		p.before = p.at;
		p.at = t->next;
	}
	return p;
}

static inline struct place oldest(struct gompi_lane *lane, struct gompi_bin *bin, struct gompi_bin *any,
                                  const struct gompi_packet *m)
{
	struct place p = oldest_in(lane, bin, m);

	if (any->first != NO_TICKET && p.at != MANY) {
		struct place q = oldest_in(lane, any, m);
		if (q.at == MANY || (q.at != NO_TICKET && (p.at == NO_TICKET || lane->tickets[q.at].order < lane->tickets[p.at].order)))
			return q;
	}
	return p;
}

/* Where posted receive t stands. */
static inline struct place place_of(struct gompi_lane *lane, const struct gompi_ticket *t)
{
	struct gompi_bin *bin = bin_of(lane, t->ctx, t->tag);
	struct place p = {bin, bin->first, NO_TICKET};

	for (; &lane->tickets[p.at] != t; p.at = lane->tickets[p.at].next)
		p.before = p.at;
	return p;
}

/* Takes the first free ticket, which there is: shm.Lane.Draw. */
static inline struct gompi_ticket *draw(struct gompi_lane *lane)
{
	struct gompi_ticket *t = &lane->tickets[lane->free];
	lane->free += 1 + t->next;
	return t;
}

/* Posts a receive as the first free ticket, which there is. */
static inline struct gompi_ticket *post(struct gompi_lane *lane, const struct gompi_route *route, void *buf, int room, int source, int tag)
{
	uint32_t index = lane->free;
	struct gompi_ticket *t = draw(lane);
	struct gompi_bin *bin = bin_of(lane, route->ctx, tag);

	t->state = GOMPI_TICKET_POSTED;
	t->next = NO_TICKET;
	t->ctx = route->ctx;
	t->src = source;
	t->tag = tag;
	t->self = route->rank;
	t->buf = (uintptr_t)buf;
	t->size = (uint64_t)room;
	t->pair = 0;
	t->order = lane->postings++;
	if (bin->first == NO_TICKET)
		bin->first = index;
	else
		lane->tickets[bin->last].next = index;
	bin->last = index;
	lane->posted++;
	return t;
}

/* Takes a posted receive out of its bin. */
static inline void unlink_posted(struct gompi_lane *lane, struct place p)
{
	uint32_t next = lane->tickets[p.at].next;

	if (p.before == NO_TICKET)
		p.bin->first = next;
	else
		lane->tickets[p.before].next = next;
	if (next == NO_TICKET)
		p.bin->last = p.before;
	lane->posted--;
}

static inline void give_back(struct gompi_lane *lane, struct gompi_ticket *t)
{
	t->state = GOMPI_TICKET_FREE;
	t->gen++;
	uint32_t index = (uint32_t)(t - lane->tickets);
	t->next = lane->free - index - 1;
	lane->free = index;
}

enum step { NOTHING, TAKEN, FOR_GO };

/* Gives a message to the oldest posted receive that it matches; NOTHING when there is none. One that is posted in Go comes
 * first: shm.Bin. */
static inline enum step offer(struct gompi_lane *lane, struct gompi_peer *peer, const struct gompi_packet *m)
{
	struct gompi_bin *bin = bin_of(lane, m->ctx, m->tag), *any = bin_of(lane, m->ctx, MPI_ANY_TAG);

	if (m->size == ULLONG_MAX || (bin->waiting | any->waiting) != 0)
		return FOR_GO;
	struct place p = oldest(lane, bin, any, m);
	if (p.at == NO_TICKET || p.at == MANY)
		return p.at == MANY ? FOR_GO : NOTHING;
	struct gompi_ticket *t = &lane->tickets[p.at];
	if (m->size > t->size)
		return FOR_GO;
	t->state = GOMPI_TICKET_RECEIVED;
	t->src = m->src;
	t->tag = m->tag;
	t->size = m->size;
	unlink_posted(lane, p);
	gompi_lane_take(peer, m, (void *)t->buf);
	return TAKEN;
}

#pragma GCC visibility push(hidden)

/* Goes on with all exchanges that wait: TAKEN when one is over (board.c). */
enum step gompi_exchanges(struct gompi_lane *lane);

#pragma GCC visibility pop

/* Deals with what the others have shown on boards, and with the next packet for which there is a receive. A message without one stays
 * in its ring as long as it is alone there: it is for a receive that is posted later, by a neighbour that is a step ahead, as a rule. */
static inline enum step step(struct gompi_lane *lane)
{
	struct gompi_peer *peer;

	if (lane->exchanging != 0) {
		enum step s = gompi_exchanges(lane);
		if (s != NOTHING)
			return s;
	}
	if ((lane->watched | lane->queued) != 0)
		return FOR_GO;
	for (uint32_t i = 0; i < lane->talkers; i++, lane->turn++) {
		struct gompi_slot *slot = gompi_lane_head(lane, &peer);
		if (slot == NULL)
			continue;
		struct gompi_packet m = gompi_lane_read(peer, slot);
		enum step s = offer(lane, peer, &m);
		if (s != NOTHING)
			return s;
		if (gompi_lane_more(peer))
			return FOR_GO;
	}
	return gompi_lane_called(lane) ? FOR_GO : NOTHING;
}

/* Hands out the status of a ticket that is done, gives it back and takes the handle away. */
static inline void reap(struct gompi_lane *lane, struct gompi_ticket *t, MPI_Request *request, MPI_Status *status)
{
	if (status != NULL) {
		if (t->state == GOMPI_TICKET_RECEIVED)
			gompi_lane_status(status, t->src, t->tag, t->size);
		else
			gompi_lane_status(status, MPI_ANY_SOURCE, MPI_ANY_TAG, 0);
	}
	give_back(lane, t);
	*request = MPI_REQUEST_NULL;
}

/* Tells whether all requests are null or tickets. */
static inline int all_tickets(const struct gompi_lane *lane, int count, const MPI_Request requests[])
{
	for (int i = 0; i < count; i++)
		if (requests[i] != MPI_REQUEST_NULL && ticket_of(lane, requests[i]) == NULL)
			return 0;
	return 1;
}

#endif
