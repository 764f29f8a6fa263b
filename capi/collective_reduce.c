/* Small reductions and scans (collective.h). Contributions are combined in the order that package coll gives them. */
#include "collective.h"
#include "reduction.h"

/* What this rank contributes to an operation in which each rank both contributes and receives; NULL when that is for Go. */
static inline const void *contribution(struct gompi_reduction *r, const struct fast_area *a, const void *sendbuf, const void *recvbuf, int count,
                                       MPI_Datatype datatype, MPI_Op op)
{
	const void *own = sendbuf == MPI_IN_PLACE ? recvbuf : sendbuf;

	if (a == NULL || sendbuf == recvbuf || !gompi_reduction_of(r, own, count, datatype, op) || (uint32_t)r->bytes > a->reduces)
		return NULL;
	return own;
}

/* Finds what all ranks show, each of which has to be n bytes, from byte skip on; own, if there is one, stands for what this
 * rank shows. 0 when one of them shows something else. */
static inline int contributions(const struct fast_area *a, uint64_t seq, uint32_t end, int n, const void *own, int64_t skip, const char *values[])
{
	for (uint32_t r = 0; r < end; r++) {
		const char *data = r == a->me && own != NULL ? own : gompi_area_data(a, r, seq, (uint64_t)n);
		if (data == NULL)
			return 0;
		values[r] = data + skip;
	}
	return 1;
}

int gompi_fast_Reduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm)
{
	struct fast_endpoint *endpoint = gompi_endpoint;
	struct fast_area *a = gompi_area_of(endpoint, comm);
	struct gompi_reduction r;
	const char *values[GOMPI_AREA_RANKS];

	if (a == NULL || (uint32_t)root >= a->n)
		return 0;
	int here = (uint32_t)root == a->me;
	const void *own = here && sendbuf == MPI_IN_PLACE ? recvbuf : sendbuf;
	if (!gompi_reduction_of(&r, own, count, datatype, op) || (uint32_t)r.bytes > a->reduces)
		return 0;
	if (!here) {
		uint64_t seq = gompi_area_next(endpoint, a, r.bytes);
		if (seq == 0)
			return 0;
		gompi_area_show(a, seq, own, r.bytes);
		return gompi_area_done(a, seq);
	}
	if (sendbuf == recvbuf || gompi_nowhere(recvbuf))
		return 0;
	uint64_t seq = a->seq + 1;
	a->marks[seq % GOMPI_AREA_COUNT] = a->head;
	if (!gompi_area_await(endpoint, a, seq, 0, a->n) || !contributions(a, seq, a->n, r.bytes, own, 0, values))
		return 0;
	gompi_combine_all(&r, values, a->n, recvbuf, r.bytes);
	a->lowest = seq - 1;
	return gompi_area_done(a, seq);
}

int gompi_fast_Allreduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm)
{
	struct fast_endpoint *endpoint = gompi_endpoint;
	struct fast_area *a = gompi_area_of(endpoint, comm);
	struct gompi_reduction r;
	const char *values[GOMPI_AREA_RANKS];
	const void *own = contribution(&r, a, sendbuf, recvbuf, count, datatype, op);

	if (own == NULL || gompi_nowhere(recvbuf))
		return 0;
	uint64_t seq = gompi_area_begin(endpoint, a, own, r.bytes);
	if (seq == 0)
		return 0;
	if (!gompi_area_await(endpoint, a, seq, 0, a->n) || !contributions(a, seq, a->n, r.bytes, own, 0, values))
		return gompi_area_leave(a);
	gompi_combine_all(&r, values, a->n, recvbuf, r.bytes);
	return gompi_area_done_with_all(a, seq);
}

/* A scan of what the ranks before this one contribute, and of its own contribution if it is inclusive. Nobody waits for
 * ranks above it, so the lower ones may be some operations ahead. */
enum { AHEAD = 3 };

static inline int scan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, uint32_t inclusive)
{
	struct fast_endpoint *endpoint = gompi_endpoint;
	struct fast_area *a = gompi_area_of(endpoint, comm);
	struct gompi_reduction r;
	const char *values[GOMPI_AREA_RANKS];
	const void *own = contribution(&r, a, sendbuf, recvbuf, count, datatype, op);

	if (own == NULL || gompi_nowhere(recvbuf))
		return 0;
	int shows = a->me + 1 < a->n; /* to somebody */
	uint64_t seq = gompi_area_next(endpoint, a, shows ? r.bytes : 0);
	if (seq == 0)
		return 0;
	if (shows) {
		gompi_area_show(a, seq, own, r.bytes);
		gompi_area_wake(a);
	}
	uint32_t end = a->me + inclusive;
	/* The lower ranks are ahead as a rule, each in memory of its own. */
	for (uint32_t i = 0; i < a->me; i++)
		__builtin_prefetch(gompi_area_slot(a, i, seq + AHEAD));
	if (end > 0) {
		if (!gompi_area_await(endpoint, a, seq, 0, a->me) || !contributions(a, seq, end, r.bytes, own, 0, values))
			return shows ? gompi_area_leave(a) : 0;
		gompi_combine_prefix(&r, values, end, recvbuf);
	}
	return gompi_area_done(a, seq);
}

int gompi_fast_Scan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm)
{
	return scan(sendbuf, recvbuf, count, datatype, op, comm, 1);
}

int gompi_fast_Exscan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm)
{
	return scan(sendbuf, recvbuf, count, datatype, op, comm, 0);
}

/* A reduction of total elements of which this rank gets some, from element first on. */
static int reduce_scatter(const void *sendbuf, void *recvbuf, int total, int first, int mine, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm)
{
	struct fast_endpoint *endpoint = gompi_endpoint;
	struct fast_area *a = gompi_area_of(endpoint, comm);
	struct gompi_reduction r;
	const char *values[GOMPI_AREA_RANKS];
	const void *all = contribution(&r, a, sendbuf, recvbuf, total, datatype, op);

	if (all == NULL || (mine > 0 && gompi_nowhere(recvbuf)))
		return 0;
	uint64_t seq = gompi_area_begin(endpoint, a, all, r.bytes);
	if (seq == 0)
		return 0;
	/* The outcome goes to where the contribution may stand, so that of this rank is taken from its slot. */
	if (!gompi_area_await(endpoint, a, seq, 0, a->n) || !contributions(a, seq, a->n, r.bytes, NULL, (int64_t)first * r.size, values))
		return gompi_area_leave(a);
	if (mine > 0)
		gompi_combine_all(&r, values, a->n, recvbuf, (int64_t)mine * r.size);
	return gompi_area_done_with_all(a, seq);
}

int gompi_fast_Reduce_scatter_block(const void *sendbuf, void *recvbuf, int recvcount, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm)
{
	const struct fast_area *a = gompi_area_of(gompi_endpoint, comm);

	if (a == NULL || recvcount <= 0 || recvcount > INT_MAX / GOMPI_AREA_RANKS)
		return 0;
	return reduce_scatter(sendbuf, recvbuf, recvcount * (int)a->n, recvcount * (int)a->me, recvcount, datatype, op, comm);
}

int gompi_fast_Reduce_scatter(const void *sendbuf, void *recvbuf, const int recvcounts[], MPI_Datatype datatype, MPI_Op op, MPI_Comm comm)
{
	const struct fast_area *a = gompi_area_of(gompi_endpoint, comm);
	int first, total = a != NULL ? gompi_dealt(recvcounts, a->n, a->me, &first) : -1;

	if (total < 0)
		return 0;
	return reduce_scatter(sendbuf, recvbuf, total, first, recvcounts[a->me], datatype, op, comm);
}
