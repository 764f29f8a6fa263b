/* Nonblocking operations on the lane (lane.h): a send is done at once, a receive is posted as a ticket, and both end
 * here, unless something comes up that only Go can deal with. Then the stub calls Go as if it had not looked, and Go
 * takes over what is posted, in its order (runtime/p2p/ticket.go). */
#include "lane.h"

/* How many receives may be posted on the lane: each arriving message is compared with all of them. Go finds them in a
 * constant time. */
enum { MOST_POSTED = 64 };

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

int gompi_fast_Isend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request *request)
{
	struct gompi_lane *lane = gompi_lane;
	struct gompi_route *route = gompi_lane_route(lane, comm);
	int size = gompi_lane_size(buf, count, datatype);

	if (route == NULL || size < 0 || size > GOMPI_LANE_MAX || (uint32_t)size > lane->eager || tag < 0 || tag > GOMPI_TAG_UB || request == NULL)
		return 0;
	uint32_t node = gompi_lane_node(lane, route, dest);
	if (node == lane->me || !gompi_lane_enter(lane))
		return 0;
	uint32_t index = lane->free;
	int sent = index != NO_TICKET && gompi_lane_put(lane, route, node, buf, size, tag, index);
	if (sent) {
		struct gompi_ticket *t = &lane->tickets[index];
		lane->free = t->next;
		t->state = GOMPI_TICKET_SENT;
		t->ctx = route->ctx;
		t->src = t->self = route->rank;
		t->tag = tag;
		t->peer = node;
		*request = handle_of(lane, index);
	}
	gompi_lane_leave(lane);
	return sent;
}

int gompi_fast_Irecv(void *buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm, MPI_Request *request)
{
	struct gompi_lane *lane = gompi_lane;
	struct gompi_route *route = gompi_lane_route(lane, comm);
	int room = gompi_lane_size(buf, count, datatype);

	if (route == NULL || room < 0 || request == NULL)
		return 0;
	if (source != MPI_ANY_SOURCE && gompi_lane_node(lane, route, source) == lane->me)
		return 0;
	if ((tag < 0 || tag > GOMPI_TAG_UB) && tag != MPI_ANY_TAG)
		return 0;
	if (!gompi_lane_enter(lane))
		return 0;
	uint32_t index = lane->free;
	int posted = index != NO_TICKET && lane->waiting == 0 && lane->posted < MOST_POSTED;
	if (posted) {
		struct gompi_ticket *t = &lane->tickets[index];
		lane->free = t->next;
		t->state = GOMPI_TICKET_POSTED;
		t->next = NO_TICKET;
		t->ctx = route->ctx;
		t->src = source;
		t->tag = tag;
		t->self = route->rank;
		t->buf = (uintptr_t)buf;
		t->size = (uint64_t)room;
		if (lane->posted++ == 0)
			lane->first = index;
		else
			lane->tickets[lane->last].next = index;
		lane->last = index;
		*request = handle_of(lane, index);
	}
	gompi_lane_leave(lane);
	return posted;
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

/* Receives messages until t is done; 0 when Go has to go on. The lane is left then. */
static int await(struct gompi_lane *lane, const struct gompi_ticket *t)
{
	for (uint32_t polls = 0; t->state == GOMPI_TICKET_POSTED;) {
		enum step s = step(lane);
		if (s == TAKEN) {
			polls = 0;
			continue;
		}
		if (s == FOR_GO || ++polls > lane->polls) {
			gompi_lane_leave(lane);
			return 0;
		}
		if (!gompi_lane_rest(lane, polls))
			return 0;
	}
	if (t->state == GOMPI_TICKET_SENT || t->state == GOMPI_TICKET_RECEIVED)
		return 1;
	gompi_lane_leave(lane); /* another thread has been to Go with it */
	return 0;
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

int gompi_fast_Wait(MPI_Request *request, MPI_Status *status)
{
	struct gompi_lane *lane = gompi_lane;

	if (request == NULL || !gompi_lane_enter(lane))
		return 0;
	struct gompi_ticket *t = ticket_of(lane, *request);
	if (t == NULL) {
		gompi_lane_leave(lane);
		return 0;
	}
	if (!await(lane, t))
		return 0;
	reap(lane, t, request, status);
	gompi_lane_leave(lane);
	return 1;
}

/* Tells whether a request that is not done may be said to be so without asking Go, who alone notices that a rank has died
 * and lets others run: it is asked now and then. */
static int not_yet(struct gompi_lane *lane, enum step s)
{
	enum { ASK_GO = 64 };

	return s == NOTHING && ++lane->idle % ASK_GO != 0;
}

int gompi_fast_Test(MPI_Request *request, int *flag, MPI_Status *status)
{
	struct gompi_lane *lane = gompi_lane;
	int answered = 0;

	if (request == NULL || flag == NULL || !gompi_lane_enter(lane))
		return 0;
	struct gompi_ticket *t = ticket_of(lane, *request);
	if (t != NULL) {
		enum step s = NOTHING;
		while (t->state == GOMPI_TICKET_POSTED && (s = step(lane)) == TAKEN)
			continue;
		if (t->state != GOMPI_TICKET_POSTED) {
			reap(lane, t, request, status);
			*flag = answered = 1;
		} else if (not_yet(lane, s)) {
			*flag = 0;
			answered = 1;
		}
	}
	gompi_lane_leave(lane);
	return answered;
}

/* Tells whether all requests are null or tickets. */
static int all_tickets(const struct gompi_lane *lane, int count, const MPI_Request requests[])
{
	for (int i = 0; i < count; i++)
		if (requests[i] != MPI_REQUEST_NULL && ticket_of(lane, requests[i]) == NULL)
			return 0;
	return 1;
}

static void reap_all(struct gompi_lane *lane, int count, MPI_Request requests[], MPI_Status statuses[])
{
	for (int i = 0; i < count; i++) {
		MPI_Status *status = statuses != MPI_STATUSES_IGNORE ? &statuses[i] : NULL;
		struct gompi_ticket *t = ticket_of(lane, requests[i]);
		if (t != NULL)
			reap(lane, t, &requests[i], status);
		else if (status != NULL)
			gompi_lane_status(status, MPI_ANY_SOURCE, MPI_ANY_TAG, 0);
	}
}

int gompi_fast_Waitall(int count, MPI_Request requests[], MPI_Status statuses[])
{
	struct gompi_lane *lane = gompi_lane;

	if (count < 0 || requests == NULL || !gompi_lane_enter(lane))
		return 0;
	if (!all_tickets(lane, count, requests)) {
		gompi_lane_leave(lane);
		return 0;
	}
	for (int i = 0; i < count; i++)
		if (requests[i] != MPI_REQUEST_NULL && !await(lane, &lane->tickets[(uintptr_t)requests[i] & INDEX_MASK]))
			return 0;
	reap_all(lane, count, requests, statuses);
	gompi_lane_leave(lane);
	return 1;
}

int gompi_fast_Testall(int count, MPI_Request requests[], int *flag, MPI_Status statuses[])
{
	struct gompi_lane *lane = gompi_lane;
	int answered = 0;

	if (count < 0 || requests == NULL || flag == NULL || !gompi_lane_enter(lane))
		return 0;
	if (all_tickets(lane, count, requests)) {
		enum step s = NOTHING;
		int done = 0;
		while (done < count) {
			struct gompi_ticket *t = ticket_of(lane, requests[done]);
			if (t == NULL || t->state != GOMPI_TICKET_POSTED)
				done++;
			else if ((s = step(lane)) != TAKEN)
				break;
		}
		if (done == count) {
			reap_all(lane, count, requests, statuses);
			*flag = answered = 1;
		} else if (not_yet(lane, s)) {
			*flag = 0;
			answered = 1;
		}
	}
	gompi_lane_leave(lane);
	return answered;
}
