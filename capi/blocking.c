/* Blocking operations on the lane (lane.h) beyond MPI_Send and MPI_Recv, and probes. */
#include "ticket.h"

/* Looks for a message to probe, and gives those ahead of it to the receives that are posted for them. TAKEN when there is
 * one. It stays where it is: the next receive finds it, because the same ring has its turn again. */
static enum step see(struct gompi_lane *lane, const struct gompi_route *route, int source, int tag, MPI_Status *status)
{
	struct gompi_peer *peer;
	struct gompi_packet m;
	enum step s;

	do {
		if (lane->queued != 0 || for_go(lane, route, tag))
			return FOR_GO;
		const struct gompi_slot *slot = gompi_lane_peek(lane, &peer);
		if (slot == NULL)
			return gompi_lane_called(lane) ? FOR_GO : NOTHING;
		m = gompi_lane_read(peer, slot);
		s = offer(lane, peer, &m);
	} while (s == TAKEN);
	if (s == FOR_GO || !gompi_lane_fits(&m, route, source, tag))
		return FOR_GO;
	if (status != MPI_STATUS_IGNORE)
		gompi_lane_status(status, m.src, m.tag, m.size);
	return TAKEN;
}

int gompi_fast_Probe(int source, int tag, MPI_Comm comm, MPI_Status *status)
{
	struct gompi_lane *lane = gompi_lane;
	struct gompi_route *route = gompi_lane_route(lane, comm);
	enum step s;

	if (route == NULL || gompi_nowhere_else(status) || !gompi_lane_wants(lane, route, source, tag) || !gompi_lane_enter(lane))
		return 0;
	for (uint32_t polls = 0; (s = see(lane, route, source, tag, status)) == NOTHING; polls++)
		if (!gompi_lane_rest(lane, polls))
			return 0;
	gompi_lane_leave(lane);
	return s == TAKEN;
}

int gompi_fast_Iprobe(int source, int tag, MPI_Comm comm, int *flag, MPI_Status *status)
{
	struct gompi_lane *lane = gompi_lane;
	struct gompi_route *route = gompi_lane_route(lane, comm);

	if (route == NULL || gompi_nowhere(flag) || gompi_nowhere_else(status) || !gompi_lane_wants(lane, route, source, tag) || !gompi_lane_enter(lane))
		return 0;
	enum step s = see(lane, route, source, tag, status);
	int answered = s == TAKEN || (s == NOTHING && gompi_lane_not_yet(lane));
	if (answered)
		*flag = s == TAKEN;
	gompi_lane_leave(lane);
	return answered;
}

int gompi_lane_sendrecv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, int *dest, int sendtag, void *recvbuf, int recvcount,
                        MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm, MPI_Status *status)
{
	struct gompi_lane *lane = gompi_lane;
	struct gompi_route *route = gompi_lane_route(lane, comm);
	int size = gompi_lane_size(sendbuf, sendcount, sendtype), room = gompi_lane_size(recvbuf, recvcount, recvtype);

	if (route == NULL || gompi_nowhere_else(status) || !gompi_lane_sends(lane, size, sendtag))
		return 0;
	uint32_t node = gompi_lane_node(lane, route, *dest);
	if (room < 0 || node == lane->me || !gompi_lane_wants(lane, route, source, recvtag) || !gompi_lane_enter(lane))
		return 0;
	if (for_go(lane, route, recvtag) || !gompi_lane_put(lane, route, node, sendbuf, size, sendtag, GOMPI_TICKETS)) {
		gompi_lane_leave(lane);
		return 0;
	}
	if (gompi_lane_get(lane, route, recvbuf, room, source, recvtag, status))
		return 1;
	*dest = MPI_PROC_NULL;
	return 0;
}
