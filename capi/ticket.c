/* Nonblocking operations on the lane (lane.h): a send is done at once, a receive is posted as a ticket, and both end
 * here, unless something comes up that only Go can deal with. Then the stub calls Go as if it had not looked, and Go
 * takes over what it needs of what is posted (runtime/p2p/ticket.go). */
#include "ticket.h"

/* How many receives may be posted on the lane: the other tickets are left to sends. */
enum { MOST_POSTED = GOMPI_TICKETS * 3 / 4 };

int gompi_lane_room(struct gompi_lane *lane, struct gompi_tx *tx)
{
	/* A few yields are enough for a receiver that waits for a processor, and no more may come of a call that is not to wait. Threads
	 * get no yields here, for this one does not let go of the lane. */
	enum { YIELDS = 8 };
	uint32_t most = lane->spins + (lane->shared ? 0 : YIELDS);

	for (uint32_t polls = 0; !gompi_tx_refresh(tx); polls++) {
		enum step s = NOTHING;
		while (lane->posted != 0 && (s = step(lane)) == TAKEN)
			polls = 0;
		if (tx->held || s == FOR_GO || polls >= most || !gompi_rest(lane, polls))
			return 0;
	}
	return 1;
}

int gompi_fast_Isend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request *request)
{
	struct gompi_lane *lane = gompi_lane;
	struct gompi_route *route = gompi_lane_route(lane, comm);
	int size = gompi_lane_size(buf, count, datatype);

	if (route == NULL || !gompi_lane_sends(lane, size, tag) || gompi_nowhere(request))
		return 0;
	uint32_t node = gompi_lane_node(lane, route, dest);
	if (node == lane->me || !gompi_lane_enter(lane))
		return 0;
	uint32_t index = lane->free;
	int sent = index != GOMPI_TICKETS && gompi_lane_put(lane, route, node, buf, size, tag, index);
	if (sent) {
		struct gompi_ticket *t = draw(lane);
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

	if (route == NULL || room < 0 || gompi_nowhere(request))
		return 0;
	if (source != MPI_ANY_SOURCE && gompi_lane_node(lane, route, source) == lane->me)
		return 0;
	if ((tag < 0 || tag > GOMPI_TAG_UB) && tag != MPI_ANY_TAG)
		return 0;
	if (!gompi_lane_enter(lane))
		return 0;
	int posted = lane->free != GOMPI_TICKETS && lane->posted < MOST_POSTED && !for_go(lane, route, tag);
	if (posted)
		*request = handle_of(lane, (uint32_t)(post(lane, route, buf, room, source, tag) - lane->tickets));
	gompi_lane_leave(lane);
	return posted;
}

/* The message goes at once, so the request is that of the receive. Whether it can be posted is known before, and stays so
 * while the message waits for room: nobody else draws tickets or calls Go meanwhile, for one thread has the lane. */
int gompi_fast_Isendrecv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, int dest, int sendtag, void *recvbuf, int recvcount,
                         MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm, MPI_Request *request)
{
	struct gompi_lane *lane = gompi_lane;
	struct gompi_route *route = gompi_lane_route(lane, comm);
	int size = gompi_lane_size(sendbuf, sendcount, sendtype), room = gompi_lane_size(recvbuf, recvcount, recvtype);

	if (route == NULL || !gompi_lane_sends(lane, size, sendtag))
		return 0;
	uint32_t node = gompi_lane_node(lane, route, dest);
	if (room < 0 || gompi_nowhere(request) || node == lane->me || !gompi_lane_wants(lane, route, source, recvtag) || !gompi_lane_enter(lane))
		return 0;
	int begun = lane->free != GOMPI_TICKETS && lane->posted < MOST_POSTED && !for_go(lane, route, recvtag) &&
	            gompi_lane_put(lane, route, node, sendbuf, size, sendtag, GOMPI_TICKETS);
	if (begun) {
		struct gompi_ticket *t = post(lane, route, recvbuf, room, source, recvtag);
		t->pair = 1;
		*request = handle_of(lane, (uint32_t)(t - lane->tickets));
	}
	gompi_lane_leave(lane);
	return begun;
}

/* A message that goes on the lane has left its buffer before another comes into it. */
int gompi_fast_Isendrecv_replace(void *buf, int count, MPI_Datatype datatype, int dest, int sendtag, int source, int recvtag, MPI_Comm comm,
                                 MPI_Request *request)
{
	return gompi_fast_Isendrecv(buf, count, datatype, dest, sendtag, buf, count, datatype, source, recvtag, comm, request);
}

/* Receives messages until t is done; 0 when Go has to go on. The lane is left then. */
static int await(struct gompi_lane *lane, const struct gompi_ticket *t)
{
	for (uint32_t polls = 0; pending(t);) {
		enum step s = step(lane);
		if (s == TAKEN) {
			polls = 0;
			continue;
		}
		if (s == FOR_GO) {
			gompi_lane_leave(lane);
			return 0;
		}
		if (!gompi_lane_rest(lane, polls++))
			return 0;
	}
	if (t->state == GOMPI_TICKET_SENT || t->state == GOMPI_TICKET_RECEIVED)
		return 1;
	gompi_lane_leave(lane); /* another thread has been to Go with it */
	return 0;
}

/* Ends a receive of a blocking call; 0 when Go has to do it. The lane is left. */
static int end_call(struct gompi_lane *lane, struct gompi_ticket *t, MPI_Status *status)
{
	int received = t->state == GOMPI_TICKET_RECEIVED;

	if (received && status != MPI_STATUS_IGNORE)
		gompi_lane_status(status, t->src, t->tag, t->size);
	if (t->state == GOMPI_TICKET_POSTED)
		unlink_posted(lane, place_of(lane, t));
	t->call = 0;
	give_back(lane, t);
	gompi_lane_leave(lane);
	return received;
}

int gompi_lane_receive(struct gompi_lane *lane, struct gompi_route *route, void *buf, int room, int source, int tag, MPI_Status *status)
{
	if (lane->free == GOMPI_TICKETS || for_go(lane, route, tag)) {
		gompi_lane_leave(lane);
		return 0;
	}
	struct gompi_ticket *t = post(lane, route, buf, room, source, tag);
	t->call = 1;
	if (!await(lane, t))
		gompi_lane_reenter(lane);
	return end_call(lane, t, status);
}

int gompi_fast_Wait(MPI_Request *request, MPI_Status *status)
{
	struct gompi_lane *lane = gompi_lane;

	if (gompi_nowhere(request) || gompi_nowhere_else(status) || !gompi_lane_enter(lane))
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

int gompi_fast_Test(MPI_Request *request, int *flag, MPI_Status *status)
{
	struct gompi_lane *lane = gompi_lane;
	int answered = 0;

	if (gompi_nowhere(request) || gompi_nowhere(flag) || gompi_nowhere_else(status) || !gompi_lane_enter(lane))
		return 0;
	struct gompi_ticket *t = ticket_of(lane, *request);
	if (t != NULL) {
		enum step s = NOTHING;
		while (pending(t) && (s = step(lane)) == TAKEN)
			continue;
		if (!pending(t)) {
			reap(lane, t, request, status);
			*flag = answered = 1;
		} else if (s == NOTHING && gompi_lane_not_yet(lane)) {
			*flag = 0;
			answered = 1;
		}
	}
	gompi_lane_leave(lane);
	return answered;
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

	if (count < 0 || gompi_nowhere(requests) || gompi_nowhere_else(statuses) || !gompi_lane_enter(lane))
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

	if (count < 0 || gompi_nowhere(requests) || gompi_nowhere(flag) || gompi_nowhere_else(statuses) || !gompi_lane_enter(lane))
		return 0;
	if (all_tickets(lane, count, requests)) {
		enum step s = NOTHING;
		int done = 0;
		while (done < count) {
			struct gompi_ticket *t = ticket_of(lane, requests[done]);
			if (t == NULL || !pending(t))
				done++;
			else if ((s = step(lane)) != TAKEN)
				break;
		}
		if (done == count) {
			reap_all(lane, count, requests, statuses);
			*flag = answered = 1;
		} else if (s == NOTHING && gompi_lane_not_yet(lane)) {
			*flag = 0;
			answered = 1;
		}
	}
	gompi_lane_leave(lane);
	return answered;
}
