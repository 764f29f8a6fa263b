/* Small nonblocking reductions and scans (board.h). A contribution stands in the slot of its rank until all are there. */
#include "board.h"
#include "reduction.h"

/* Says what an exchange combines: of contributions of count elements, which stand in the slots, that many from element first
 * on; nothing if there are none. */
static inline void combining(struct fast_exchange *x, const void *own, int count, int first, int combined, MPI_Datatype datatype, MPI_Op op)
{
	x->send = (uintptr_t)own;
	x->count = (uint64_t)count;
	x->from = (uint64_t)first;
	x->combined = (uint64_t)combined;
	x->type = (uintptr_t)datatype;
	x->op = (uintptr_t)op;
}

int gompi_exchange_combine(const struct fast_exchange *x)
{
	const struct fast_board *b = x->board;
	MPI_Datatype type = (MPI_Datatype)x->type;
	struct gompi_reduction r = {gompi_kernel_of((MPI_Op)x->op, type), gompi_dense_size[x->type - 0x200], 0};
	const char *values[GOMPI_AREA_RANKS];
	int prefix = x->deal == FAST_DEAL_PREFIX_IN || x->deal == FAST_DEAL_PREFIX_EX;
	uint32_t end = prefix ? b->me : b->n;

	r.bytes = (int)(x->count * r.size);
	for (uint32_t i = 0; i < end; i++) {
		const struct gompi_post *slot = gompi_board_slot(b, i, x->k);
		if (GOMPI_ONCE(slot->bytes) != (uint64_t)r.bytes || r.bytes > GOMPI_POST_MOST)
			return 0;
		values[i] = slot->data + x->from * r.size;
	}
	if (!prefix) {
		if (x->combined > 0)
			gompi_combine_all(&r, values, end, (char *)x->buf, (int64_t)(x->combined * r.size));
		return 1;
	}
	if (x->deal == FAST_DEAL_PREFIX_IN)
		values[end++] = (const char *)x->send;
	gompi_combine_prefix(&r, values, end, (char *)x->buf);
	return 1;
}

/* What this rank contributes to an operation in which each rank both contributes and receives; NULL when that is for Go. */
static inline const void *contribution(const struct fast_board *b, const void *sendbuf, const void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op)
{
	const void *own = sendbuf == MPI_IN_PLACE ? recvbuf : sendbuf;
	struct gompi_reduction r;

	if (sendbuf == recvbuf || !gompi_reduction_of(&r, own, count, datatype, op) || (uint32_t)r.bytes > b->reduces)
		return NULL;
	return own;
}

int gompi_fast_Ireduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm, MPI_Request *request)
{
	struct fast_endpoint *endpoint = gompi_endpoint;
	struct fast_board *b = gompi_board_of(endpoint, comm);
	struct fast_exchange *x;
	struct gompi_reduction r;

	if (b == NULL || gompi_nowhere(request) || (uint32_t)root >= b->n)
		return 0;
	int here = (uint32_t)root == b->me;
	const void *own = here && sendbuf == MPI_IN_PLACE ? recvbuf : sendbuf;
	if (!gompi_reduction_of(&r, own, count, datatype, op) || (uint32_t)r.bytes > b->reduces || (here && (sendbuf == recvbuf || gompi_nowhere(recvbuf))))
		return 0;
	if ((x = gompi_exchange_begin(endpoint, b, 1)) == NULL)
		return 0;
	gompi_exchange_into(x, FAST_DEAL_REDUCTION, (uint32_t)root, here ? b->n - 1 : 0, recvbuf, 0);
	if (here)
		combining(x, own, count, 0, count, datatype, op);
	gompi_exchange_show(x, own, r.bytes, (uint32_t)root);
	return gompi_exchange_go(endpoint, x, request);
}

int gompi_fast_Iallreduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Request *request)
{
	struct fast_endpoint *endpoint = gompi_endpoint;
	struct fast_board *b = gompi_board_of(endpoint, comm);
	struct fast_exchange *x;
	const void *own = b != NULL ? contribution(b, sendbuf, recvbuf, count, datatype, op) : NULL;

	if (own == NULL || gompi_nowhere(request) || gompi_nowhere(recvbuf) || (x = gompi_exchange_begin(endpoint, b, 1)) == NULL)
		return 0;
	gompi_exchange_into(x, FAST_DEAL_REDUCTION, GOMPI_NO_ROOT, b->n - 1, recvbuf, 0);
	combining(x, own, count, 0, count, datatype, op);
	gompi_exchange_show(x, own, gompi_size_of(own, count, datatype), GOMPI_NO_ROOT);
	return gompi_exchange_go(endpoint, x, request);
}

static inline int scan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Request *request, uint32_t deal)
{
	struct fast_endpoint *endpoint = gompi_endpoint;
	struct fast_board *b = gompi_board_of(endpoint, comm);
	struct fast_exchange *x;
	const void *own = b != NULL ? contribution(b, sendbuf, recvbuf, count, datatype, op) : NULL;

	if (own == NULL || gompi_nowhere(request) || gompi_nowhere(recvbuf))
		return 0;
	int shows = b->me + 1 < b->n; /* to somebody */
	if ((x = gompi_exchange_begin(endpoint, b, shows)) == NULL)
		return 0;
	gompi_exchange_into(x, deal, GOMPI_NO_ROOT, b->me, recvbuf, 0);
	if (b->me > 0 || deal == FAST_DEAL_PREFIX_IN)
		combining(x, own, count, 0, count, datatype, op);
	if (shows)
		gompi_exchange_show(x, own, gompi_size_of(own, count, datatype), GOMPI_NO_ROOT);
	return gompi_exchange_go(endpoint, x, request);
}

int gompi_fast_Iscan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Request *request)
{
	return scan(sendbuf, recvbuf, count, datatype, op, comm, request, FAST_DEAL_PREFIX_IN);
}

int gompi_fast_Iexscan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Request *request)
{
	return scan(sendbuf, recvbuf, count, datatype, op, comm, request, FAST_DEAL_PREFIX_EX);
}

/* A reduction of total elements of which this rank gets some, from element first on. */
static int reduce_scatter(const void *sendbuf, void *recvbuf, int total, int first, int mine, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                          MPI_Request *request)
{
	struct fast_endpoint *endpoint = gompi_endpoint;
	struct fast_board *b = gompi_board_of(endpoint, comm);
	struct fast_exchange *x;
	const void *all = contribution(b, sendbuf, recvbuf, total, datatype, op);

	if (all == NULL || gompi_nowhere(request) || (mine > 0 && gompi_nowhere(recvbuf)) || (x = gompi_exchange_begin(endpoint, b, 1)) == NULL)
		return 0;
	gompi_exchange_into(x, FAST_DEAL_SHARES, GOMPI_NO_ROOT, b->n - 1, recvbuf, 0);
	combining(x, all, total, first, mine, datatype, op);
	gompi_exchange_show(x, all, gompi_size_of(all, total, datatype), GOMPI_NO_ROOT);
	return gompi_exchange_go(endpoint, x, request);
}

int gompi_fast_Ireduce_scatter_block(const void *sendbuf, void *recvbuf, int recvcount, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                                     MPI_Request *request)
{
	const struct fast_board *b = gompi_board_of(gompi_endpoint, comm);

	if (b == NULL || recvcount <= 0 || recvcount > INT_MAX / GOMPI_AREA_RANKS)
		return 0;
	return reduce_scatter(sendbuf, recvbuf, recvcount * (int)b->n, recvcount * (int)b->me, recvcount, datatype, op, comm, request);
}

int gompi_fast_Ireduce_scatter(const void *sendbuf, void *recvbuf, const int recvcounts[], MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                               MPI_Request *request)
{
	const struct fast_board *b = gompi_board_of(gompi_endpoint, comm);
	int first, total = b != NULL ? gompi_dealt(recvcounts, b->n, b->me, &first) : -1;

	if (total < 0)
		return 0;
	return reduce_scatter(sendbuf, recvbuf, total, first, recvcounts[b->me], datatype, op, comm, request);
}
