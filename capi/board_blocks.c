/* Small nonblocking collective operations whose blocks may differ in size (board.h). What a rank receives is written down in
 * the exchange, because the program's lists may be gone when it ends; of many ranks that is left to Go. */
#include "blocks.h"
#include "board.h"

/* Tells whether the blocks of all ranks are for the stubs, and few enough. */
static inline int listable(const struct fast_board *b, const struct gompi_blocks *in)
{
	if (b->n > GOMPI_EXCHANGE_RANKS)
		return 0;
	for (uint32_t r = 0; r < b->n; r++)
		if (gompi_block_size(in, r) < 0)
			return 0;
	return 1;
}

/* Says that blocks go to where they are listed. */
static inline void into(struct fast_exchange *x, uint32_t deal, uint32_t root, const struct gompi_blocks *in)
{
	const struct fast_board *b = x->board;

	gompi_exchange_into(x, deal, root, b->n - 1, in->base, 0);
	x->listed = 1;
	for (uint32_t r = 0; r < b->n; r++)
		x->blocks[r] = (struct fast_block){gompi_block_at(in, r) - in->base, gompi_block_size(in, r)};
}

/* Tells whether the blocks for all other ranks fit into a slot, behind their table. */
static inline int showable(const struct fast_board *b, const struct gompi_blocks *out)
{
	int64_t end = b->n * GOMPI_TABLE_ENTRY;

	for (uint32_t r = 0; r < b->n; r++) {
		int64_t n = gompi_block_size(out, r);
		if (n < 0)
			return 0;
		if (r != b->me)
			end += n;
		if (end > GOMPI_POST_MOST)
			return 0;
	}
	return 1;
}

/* Shows the blocks for all other ranks: showTable in package coll. */
static inline void show_table(const struct fast_exchange *x, const struct gompi_blocks *out)
{
	const struct fast_board *b = x->board;
	char *data = gompi_exchange_place(x);
	struct gompi_entry *table = (struct gompi_entry *)data;
	uint64_t end = b->n * GOMPI_TABLE_ENTRY;

	for (uint32_t r = 0; r < b->n; r++) {
		if (r == b->me)
			continue;
		int n = (int)gompi_block_size(out, r);
		gompi_copy_small(data + end, gompi_block_at(out, r), n);
		table[r] = (struct gompi_entry){r, end, (uint64_t)n};
		end += (uint64_t)n;
	}
	gompi_exchange_publish(x, b->n, GOMPI_NO_ROOT);
}

int gompi_fast_Igatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const int recvcounts[], const int displs[], MPI_Datatype recvtype,
                        int root, MPI_Comm comm, MPI_Request *request)
{
	struct fast_endpoint *endpoint = gompi_endpoint;
	struct fast_board *b = gompi_board_of(endpoint, comm);
	struct fast_exchange *x;
	struct gompi_blocks in;

	if (b == NULL || gompi_nowhere(request) || (uint32_t)root >= b->n)
		return 0;
	int n = sendbuf != MPI_IN_PLACE ? gompi_size_of(sendbuf, sendcount, sendtype) : -1;
	if ((uint32_t)root != b->me) {
		if (n < 0 || n > GOMPI_POST_MOST || (x = gompi_exchange_begin(endpoint, b, 1)) == NULL)
			return 0;
		gompi_exchange_into(x, FAST_DEAL_TO_ROOT, (uint32_t)root, 0, NULL, n);
		gompi_exchange_show(x, sendbuf, n, (uint32_t)root);
		return gompi_exchange_go(endpoint, x, request);
	}
	if (!gompi_blocks_of(&in, recvbuf, recvcounts, displs, recvtype) || !listable(b, &in))
		return 0;
	char *own = gompi_block_at(&in, b->me);
	if (sendbuf != MPI_IN_PLACE && (n != gompi_block_size(&in, b->me) || sendbuf == own))
		return 0;
	if ((x = gompi_exchange_begin(endpoint, b, 0)) == NULL)
		return 0;
	into(x, FAST_DEAL_TO_ROOT, (uint32_t)root, &in);
	if (sendbuf != MPI_IN_PLACE)
		gompi_copy_small(own, sendbuf, n);
	return gompi_exchange_go(endpoint, x, request);
}

int gompi_fast_Iscatterv(const void *sendbuf, const int sendcounts[], const int displs[], MPI_Datatype sendtype, void *recvbuf, int recvcount,
                         MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request *request)
{
	struct fast_endpoint *endpoint = gompi_endpoint;
	struct fast_board *b = gompi_board_of(endpoint, comm);
	struct fast_exchange *x;
	struct gompi_blocks out;

	if (b == NULL || gompi_nowhere(request) || (uint32_t)root >= b->n)
		return 0;
	int n = recvbuf != MPI_IN_PLACE ? gompi_size_of(recvbuf, recvcount, recvtype) : -1;
	if ((uint32_t)root != b->me) {
		if (n < 0 || (x = gompi_exchange_begin(endpoint, b, 0)) == NULL)
			return 0;
		gompi_exchange_into(x, FAST_DEAL_DEALT_V, (uint32_t)root, 1, recvbuf, n);
		return gompi_exchange_go(endpoint, x, request);
	}
	if (!gompi_blocks_of(&out, sendbuf, sendcounts, displs, sendtype) || !showable(b, &out))
		return 0;
	const char *own = gompi_block_at(&out, b->me);
	if (recvbuf != MPI_IN_PLACE && (n != gompi_block_size(&out, b->me) || recvbuf == own))
		return 0;
	if ((x = gompi_exchange_begin(endpoint, b, 1)) == NULL)
		return 0;
	gompi_exchange_into(x, FAST_DEAL_DEALT_V, (uint32_t)root, 0, NULL, 0);
	show_table(x, &out);
	if (recvbuf != MPI_IN_PLACE)
		gompi_copy_small(recvbuf, own, n);
	return gompi_exchange_go(endpoint, x, request);
}

int gompi_fast_Iallgatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const int recvcounts[], const int displs[],
                           MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request)
{
	struct fast_endpoint *endpoint = gompi_endpoint;
	struct fast_board *b = gompi_board_of(endpoint, comm);
	struct fast_exchange *x;
	struct gompi_blocks in;

	if (b == NULL || gompi_nowhere(request) || !gompi_blocks_of(&in, recvbuf, recvcounts, displs, recvtype) || !listable(b, &in))
		return 0;
	char *own = gompi_block_at(&in, b->me);
	int64_t n = gompi_block_size(&in, b->me);
	int apart = sendbuf != MPI_IN_PLACE;
	if (n > GOMPI_POST_MOST || (apart && (gompi_size_of(sendbuf, sendcount, sendtype) != n || sendbuf == own)))
		return 0;
	if ((x = gompi_exchange_begin(endpoint, b, 1)) == NULL)
		return 0;
	into(x, FAST_DEAL_EVERYONE, GOMPI_NO_ROOT, &in);
	gompi_exchange_show(x, apart ? sendbuf : own, (int)n, GOMPI_NO_ROOT);
	if (apart)
		gompi_copy_small(own, sendbuf, (int)n);
	return gompi_exchange_go(endpoint, x, request);
}

/* An all-to-all of blocks that may differ in size. */
static inline int alltoall(struct fast_board *b, const struct gompi_blocks *out, const struct gompi_blocks *in, MPI_Request *request)
{
	struct fast_endpoint *endpoint = gompi_endpoint;
	struct fast_exchange *x;

	if (!listable(b, in) || !showable(b, out) || gompi_block_size(out, b->me) != gompi_block_size(in, b->me) || out->base == in->base)
		return 0;
	if (gompi_block_size(in, b->me) > INT_MAX || (x = gompi_exchange_begin(endpoint, b, 1)) == NULL)
		return 0;
	into(x, FAST_DEAL_CROSSED_V, GOMPI_NO_ROOT, in);
	show_table(x, out);
	gompi_copy_small(gompi_block_at(in, b->me), gompi_block_at(out, b->me), (int)gompi_block_size(in, b->me));
	return gompi_exchange_go(endpoint, x, request);
}

int gompi_fast_Ialltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype, void *recvbuf, const int recvcounts[],
                          const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request)
{
	struct fast_board *b = gompi_board_of(gompi_endpoint, comm);
	struct gompi_blocks out, in;

	return b != NULL && request != NULL && sendbuf != MPI_IN_PLACE && gompi_blocks_of(&out, sendbuf, sendcounts, sdispls, sendtype) &&
	       gompi_blocks_of(&in, recvbuf, recvcounts, rdispls, recvtype) && alltoall(b, &out, &in, request);
}

int gompi_fast_Ialltoallw(const void *sendbuf, const int sendcounts[], const int sdispls[], const MPI_Datatype sendtypes[], void *recvbuf,
                          const int recvcounts[], const int rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm, MPI_Request *request)
{
	struct fast_board *b = gompi_board_of(gompi_endpoint, comm);
	struct gompi_blocks out, in;

	return b != NULL && request != NULL && sendbuf != MPI_IN_PLACE && gompi_typed_blocks_of(&out, sendbuf, sendcounts, sdispls, sendtypes) &&
	       gompi_typed_blocks_of(&in, recvbuf, recvcounts, rdispls, recvtypes) && alltoall(b, &out, &in, request);
}
