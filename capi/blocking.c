/* Blocking operations on the lane (lane.h) beyond MPI_Send and MPI_Recv, and probes. */
#include "lane.h"

/* The packet is looked at and stays: the next receive finds it, because the same ring has its turn again. */
static int seen(struct gompi_route *route, const struct gompi_slot *slot, int source, int tag, MPI_Status *status)
{
	uint64_t size = gompi_lane_message(slot);

	if (size == ULLONG_MAX || !gompi_lane_fits(slot, route, source, tag))
		return 0;
	if (status != MPI_STATUS_IGNORE)
		gompi_lane_status(status, slot->src, slot->tag, size);
	return 1;
}

int gompi_fast_Probe(int source, int tag, MPI_Comm comm, MPI_Status *status)
{
	struct gompi_lane *lane = gompi_lane;
	struct gompi_route *route = gompi_lane_route(lane, comm);
	struct gompi_peer *peer;

	if (route == NULL || !gompi_lane_wants(lane, route, source, tag) || !gompi_lane_enter(lane))
		return 0;
	struct gompi_slot *slot = gompi_lane_next(lane, &peer);
	if (slot == NULL)
		return 0;
	int found = seen(route, slot, source, tag, status);
	gompi_lane_leave(lane);
	return found;
}

int gompi_fast_Iprobe(int source, int tag, MPI_Comm comm, int *flag, MPI_Status *status)
{
	struct gompi_lane *lane = gompi_lane;
	struct gompi_route *route = gompi_lane_route(lane, comm);
	int answered = 0;

	if (route == NULL || flag == NULL || !gompi_lane_wants(lane, route, source, tag) || !gompi_lane_enter(lane))
		return 0;
	if ((lane->waiting | lane->queued | lane->posted) == 0) {
		struct gompi_peer *peer;
		struct gompi_slot *slot = gompi_lane_peek(lane, &peer);
		if (slot != NULL) {
			answered = seen(route, slot, source, tag, status);
			*flag = 1; /* otherwise Go says */
		} else if (!gompi_lane_called(lane) && gompi_lane_not_yet(lane)) {
			*flag = 0;
			answered = 1;
		}
	}
	gompi_lane_leave(lane);
	return answered;
}

int gompi_lane_sendrecv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, int *dest, int sendtag, void *recvbuf, int recvcount,
                        MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm, MPI_Status *status)
{
	struct gompi_lane *lane = gompi_lane;
	struct gompi_route *route = gompi_lane_route(lane, comm);
	int size = gompi_lane_size(sendbuf, sendcount, sendtype), room = gompi_lane_size(recvbuf, recvcount, recvtype);

	if (route == NULL || size < 0 || size > GOMPI_LANE_MAX || (uint32_t)size > lane->eager || sendtag < 0 || sendtag > GOMPI_TAG_UB)
		return 0;
	uint32_t node = gompi_lane_node(lane, route, *dest);
	if (room < 0 || node == lane->me || !gompi_lane_wants(lane, route, source, recvtag) || !gompi_lane_enter(lane))
		return 0;
	if ((lane->waiting | lane->posted) != 0 || !gompi_lane_put(lane, route, node, sendbuf, size, sendtag, GOMPI_TICKETS)) {
		gompi_lane_leave(lane);
		return 0;
	}
	if (gompi_lane_get(lane, route, recvbuf, room, source, recvtag, status))
		return 1;
	*dest = MPI_PROC_NULL;
	return 0;
}
