/* The calls that wait for one or some of several nonblocking operations on the lane, or ask for them. As in ticket.c they
 * leave to Go what is no ticket, what only Go can receive, and a long wait. */
#include "ticket.h"

enum { NONE = -1, NOT_HERE = -2 };

/* The first request that is done; NONE when there is none yet, NOT_HERE when Go has to look: one is no ticket, or none is to
 * be waited for. */
static int first_done(const struct gompi_lane *lane, int count, const MPI_Request requests[])
{
	int active = 0;

	if (!all_tickets(lane, count, requests))
		return NOT_HERE;
	for (int i = 0; i < count; i++) {
		const struct gompi_ticket *t = ticket_of(lane, requests[i]);
		if (t != NULL && !pending(t))
			return i;
		active |= t != NULL;
	}
	return active ? NONE : NOT_HERE;
}

/* The same after receiving messages until one is done. If the answer is not one that is, the lane is left. */
static int await_any(struct gompi_lane *lane, int count, const MPI_Request requests[])
{
	int done = first_done(lane, count, requests);

	for (uint32_t polls = 0; done == NONE;) {
		enum step s = step(lane);
		if (s == TAKEN)
			polls = 0;
		else if (s == FOR_GO)
			break;
		else if (!gompi_lane_rest(lane, polls++))
			return NOT_HERE;
		if (s == TAKEN || lane->shared)
			done = first_done(lane, count, requests);
	}
	if (done < 0)
		gompi_lane_leave(lane);
	return done;
}

/* The same after receiving what has come. *s says how that ended. */
static int ask_any(struct gompi_lane *lane, int count, const MPI_Request requests[], enum step *s)
{
	int done = first_done(lane, count, requests);

	*s = NOTHING;
	while (done == NONE && (*s = step(lane)) == TAKEN)
		done = first_done(lane, count, requests);
	return done;
}

/* Ends all that is done, from the first on. */
static void reap_some(struct gompi_lane *lane, int count, MPI_Request requests[], int first, int *outcount, int indices[], MPI_Status statuses[])
{
	int n = 0;

	for (int i = first; i < count; i++) {
		struct gompi_ticket *t = ticket_of(lane, requests[i]);
		if (t == NULL || pending(t))
			continue;
		reap(lane, t, &requests[i], statuses != MPI_STATUSES_IGNORE ? &statuses[n] : NULL);
		indices[n++] = i;
	}
	*outcount = n;
}

int gompi_fast_Waitany(int count, MPI_Request requests[], int *index, MPI_Status *status)
{
	struct gompi_lane *lane = gompi_lane;

	if (count <= 0 || gompi_nowhere(requests) || gompi_nowhere(index) || gompi_nowhere_else(status) || !gompi_lane_enter(lane))
		return 0;
	int done = await_any(lane, count, requests);
	if (done < 0)
		return 0;
	reap(lane, ticket_of(lane, requests[done]), &requests[done], status);
	*index = done;
	gompi_lane_leave(lane);
	return 1;
}

int gompi_fast_Waitsome(int count, MPI_Request requests[], int *outcount, int indices[], MPI_Status statuses[])
{
	struct gompi_lane *lane = gompi_lane;

	if (count <= 0 || gompi_nowhere(requests) || gompi_nowhere(outcount) || gompi_nowhere(indices) || gompi_nowhere_else(statuses) || !gompi_lane_enter(lane))
		return 0;
	int done = await_any(lane, count, requests);
	if (done < 0)
		return 0;
	reap_some(lane, count, requests, done, outcount, indices, statuses);
	gompi_lane_leave(lane);
	return 1;
}

int gompi_fast_Testany(int count, MPI_Request requests[], int *index, int *flag, MPI_Status *status)
{
	struct gompi_lane *lane = gompi_lane;
	enum step s;

	if (count <= 0 || gompi_nowhere(requests) || gompi_nowhere(index) || gompi_nowhere(flag) || gompi_nowhere_else(status) || !gompi_lane_enter(lane))
		return 0;
	int done = ask_any(lane, count, requests, &s);
	int answered = done >= 0 || (done == NONE && s == NOTHING && gompi_lane_not_yet(lane));
	if (answered) {
		*flag = done >= 0;
		*index = MPI_UNDEFINED;
		if (done >= 0) {
			reap(lane, ticket_of(lane, requests[done]), &requests[done], status);
			*index = done;
		}
	}
	gompi_lane_leave(lane);
	return answered;
}

int gompi_fast_Testsome(int count, MPI_Request requests[], int *outcount, int indices[], MPI_Status statuses[])
{
	struct gompi_lane *lane = gompi_lane;
	enum step s;

	if (count <= 0 || gompi_nowhere(requests) || gompi_nowhere(outcount) || gompi_nowhere(indices) || gompi_nowhere_else(statuses) || !gompi_lane_enter(lane))
		return 0;
	int done = ask_any(lane, count, requests, &s);
	int answered = done >= 0 || (done == NONE && s == NOTHING && gompi_lane_not_yet(lane));
	if (answered) {
		*outcount = 0;
		if (done >= 0)
			reap_some(lane, count, requests, done, outcount, indices, statuses);
	}
	gompi_lane_leave(lane);
	return answered;
}
