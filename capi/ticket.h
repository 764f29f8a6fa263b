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
	return t->state == GOMPI_TICKET_SENT || t->state == GOMPI_TICKET_POSTED || t->state == GOMPI_TICKET_RECEIVED ? t : NULL;
}

/* Takes ticket t out of the posted ones; before is the one ahead of it. */
static inline void unlink_posted(struct gompi_lane *lane, struct gompi_ticket *t, uint32_t before)
{
	if (before == NO_TICKET)
		lane->first = t->next;
	else
		lane->tickets[before].next = t->next;
	if (t->next == NO_TICKET)
		lane->last = before;
	lane->posted--;
}

enum step { NOTHING, TAKEN, FOR_GO };

/* Gives the next message to the oldest posted receive that it matches. */
static inline enum step step(struct gompi_lane *lane)
{
	struct gompi_peer *peer;

	if ((lane->waiting | lane->queued) != 0)
		return FOR_GO;
	struct gompi_slot *slot = gompi_lane_peek(lane, &peer);
	if (slot == NULL)
		return gompi_lane_called(lane) ? FOR_GO : NOTHING;
	uint64_t size = gompi_lane_message(slot);
	uint32_t before = NO_TICKET;
	for (uint32_t i = lane->first; i != NO_TICKET; before = i, i = lane->tickets[i].next) {
		struct gompi_ticket *t = &lane->tickets[i];
		if (t->ctx != slot->ctx || (t->src != slot->src && t->src != MPI_ANY_SOURCE) || (t->tag != slot->tag && t->tag != MPI_ANY_TAG))
			continue;
		if (size > t->size)
			return FOR_GO;
		t->state = GOMPI_TICKET_RECEIVED;
		t->src = slot->src;
		t->tag = slot->tag;
		t->size = size;
		unlink_posted(lane, t, before);
		gompi_lane_take(peer, slot, (void *)t->buf, size);
		return TAKEN;
	}
	return FOR_GO;
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
	t->state = GOMPI_TICKET_FREE;
	t->gen++;
	t->next = lane->free;
	lane->free = (uint32_t)(t - lane->tickets);
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
