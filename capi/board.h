/* Small nonblocking collective operations without a call into Go, which would take longer than the operation.
 *
 * The stubs work on the same boards as packages area and coll, on the same state (struct fast_board in zz_lane.h), by the
 * same protocol: package area says what pairs with what, post.go in package coll what an operation shows. A stub shows what
 * its rank has, takes what the others show already, and is done, or leaves an exchange behind (shm.Exchange), which the calls
 * for tickets go on with (ticket.h) and which Go takes over as soon as a call waits in Go. A stub takes on what is plain, as
 * in collective.h, and what it can show at once. */
#ifndef GOMPI_BOARD_H
#define GOMPI_BOARD_H

#include "collective.h"
#include "endpoint.h"

#pragma GCC visibility push(hidden)

/* Each returns 1 when the operation has begun. */
int gompi_fast_Ibarrier(MPI_Comm comm, MPI_Request *request);
int gompi_fast_Ibcast(void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm, MPI_Request *request);
int gompi_fast_Igather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm,
                       MPI_Request *request);
int gompi_fast_Iscatter(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm,
                        MPI_Request *request);
int gompi_fast_Iallgather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm,
                          MPI_Request *request);
int gompi_fast_Ialltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm,
                         MPI_Request *request);
int gompi_fast_Igatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const int recvcounts[], const int displs[], MPI_Datatype recvtype,
                        int root, MPI_Comm comm, MPI_Request *request);
int gompi_fast_Iscatterv(const void *sendbuf, const int sendcounts[], const int displs[], MPI_Datatype sendtype, void *recvbuf, int recvcount,
                         MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request *request);
int gompi_fast_Iallgatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const int recvcounts[], const int displs[],
                           MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request);
int gompi_fast_Ialltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype, void *recvbuf, const int recvcounts[],
                          const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request);
int gompi_fast_Ialltoallw(const void *sendbuf, const int sendcounts[], const int sdispls[], const MPI_Datatype sendtypes[], void *recvbuf,
                          const int recvcounts[], const int rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm, MPI_Request *request);
int gompi_fast_Ireduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm, MPI_Request *request);
int gompi_fast_Iallreduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Request *request);
int gompi_fast_Iscan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Request *request);
int gompi_fast_Iexscan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Request *request);
int gompi_fast_Ireduce_scatter(const void *sendbuf, void *recvbuf, const int recvcounts[], MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                               MPI_Request *request);
int gompi_fast_Ireduce_scatter_block(const void *sendbuf, void *recvbuf, int recvcount, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                                     MPI_Request *request);

/* Enters the endpoint for the next operation on a board and finds an exchange for it; NULL when that is for Go, and the endpoint is
 * left. shows says that this rank has something to show. Nothing has happened before gompi_exchange_go. */
struct fast_exchange *gompi_exchange_begin(struct fast_endpoint *endpoint, struct fast_board *b, int shows);

/* Begins the operation: what this rank has to show is shown, and what the exchange waits for is in it. */
int gompi_exchange_go(struct fast_endpoint *endpoint, struct fast_exchange *x, MPI_Request *request);

/* Combines what an exchange has waited for; 0 when that is for Go (board_reduce.c). */
int gompi_exchange_combine(const struct fast_exchange *x);

#pragma GCC visibility pop

/* A slot of a board: shm/layout.go. */
struct gompi_post {
	uint64_t number, bytes, mark, unused;
	char data[];
};
_Static_assert(sizeof(struct gompi_post) == GOMPI_POST_DATA, "gompi_post");
GOMPI_STANDS_AT(gompi_post, number, GOMPI_POST_NUMBER);
GOMPI_STANDS_AT(gompi_post, bytes, GOMPI_POST_BYTES);
GOMPI_STANDS_AT(gompi_post, mark, GOMPI_POST_MARK);
GOMPI_STANDS_AT(gompi_post, data, GOMPI_POST_DATA);

/* An entry of a table of blocks: shm/board.go. */
struct gompi_entry {
	uint64_t whom, at, bytes;
};
_Static_assert(sizeof(struct gompi_entry) == GOMPI_TABLE_ENTRY, "gompi_entry");
GOMPI_STANDS_AT(gompi_entry, whom, GOMPI_TABLE_FOR);
GOMPI_STANDS_AT(gompi_entry, at, GOMPI_TABLE_AT);
GOMPI_STANDS_AT(gompi_entry, bytes, GOMPI_TABLE_BYTES);

/* Operations of a row that have ended out of order are bits of a word: gompi_row.ended. */
_Static_assert(GOMPI_BOARD_COUNT <= 32, "gompi_row.ended");

#define GOMPI_BY_MESSAGE UINT64_MAX
#define GOMPI_NO_ROOT UINT32_MAX

/* The board of a communicator; NULL when the stubs may not use it. */
static inline struct fast_board *gompi_board_of(const struct fast_endpoint *endpoint, MPI_Comm comm)
{
	struct fast_board *b = endpoint->boards[(uintptr_t)comm % GOMPI_AREA_PLACES];

	return b != NULL && b->handle == (uintptr_t)comm ? b : NULL;
}

static inline struct gompi_post *gompi_board_slot(const struct fast_board *b, uint32_t rank, uint64_t k)
{
	return (struct gompi_post *)(b->peers[rank].base + GOMPI_BOARD_SLOTS + k % GOMPI_BOARD_COUNT * GOMPI_BOARD_SLOT_SIZE);
}

/* Where this rank's data of an operation stands. */
static inline char *gompi_exchange_place(const struct fast_exchange *x)
{
	return gompi_board_slot(x->board, x->board->me, x->k)->data;
}

/* Shows n bytes that were put into place to one rank, or to all if that is GOMPI_NO_ROOT. */
static inline void gompi_exchange_publish(const struct fast_exchange *x, uint64_t n, uint32_t to)
{
	const struct fast_board *b = x->board;
	struct gompi_post *slot = gompi_board_slot(b, b->me, x->k);

	slot->bytes = n;
	slot->mark = 0;
	__atomic_store_n(&slot->number, x->k, __ATOMIC_RELEASE);
	for (uint32_t r = to == GOMPI_NO_ROOT ? 0 : to; r < (to == GOMPI_NO_ROOT ? b->n : to + 1); r++)
		if (__builtin_expect(__atomic_load_n(b->peers[r].bell, __ATOMIC_RELAXED) != 0, 0) && r != b->me)
			fast_wake(b->peers[r].bell);
}

static inline void gompi_exchange_show(const struct fast_exchange *x, const void *data, int n, uint32_t to)
{
	gompi_copy_small(gompi_exchange_place(x), data, n);
	gompi_exchange_publish(x, (uint64_t)n, to);
}

/* Says that blocks of so many bytes for all ranks go to a buffer, out of what so many others show. */
static inline void gompi_exchange_into(struct fast_exchange *x, uint32_t deal, uint32_t root, uint32_t sources, const void *buf, int each)
{
	x->deal = deal;
	x->root = root;
	x->sources = sources;
	x->buf = (uintptr_t)buf;
	x->each = (uint32_t)each;
	x->listed = 0;
	x->op = 0;
}

#endif
