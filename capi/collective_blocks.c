/* Small collective operations whose blocks may differ in size (collective.h). A rank that has something else for each other
 * rank shows a table before the blocks, for each rank where its block ends: shared_blocks.go in package coll. Each rank
 * decides by what it has itself whether that is short enough to be shown; who finds that another rank has more leaves the
 * operation to Go. */
#include "blocks.h"
#include "collective.h"

/* How many bytes are shown for all ranks but this one, with the table; -1 when that is for Go. */
static inline int shown_size(const struct fast_area *a, const struct gompi_blocks *b)
{
	int64_t total = a->n * GOMPI_AREA_END;

	for (uint32_t r = 0; r < a->n; r++) {
		int64_t n = gompi_block_size(b, r);
		if (n < 0)
			return -1;
		if (r != a->me)
			total += n;
		if (total > a->spreads)
			return -1;
	}
	return (int)total;
}

/* Tells whether no block is longer than that, and all are for the stubs. */
static inline int all_within(const struct fast_area *a, const struct gompi_blocks *b, int64_t most)
{
	for (uint32_t r = 0; r < a->n; r++) {
		int64_t n = gompi_block_size(b, r);
		if (n < 0 || n > most)
			return 0;
	}
	return 1;
}

/* Shows the blocks for the others, total bytes with the table. */
static inline void show_table(struct fast_area *a, uint64_t seq, const struct gompi_blocks *b, int total)
{
	char *to = gompi_area_place(a, seq, total);
	size_t head = (size_t)a->n * GOMPI_AREA_END;
	uint32_t end = 0;

	for (uint32_t r = 0; r < a->n; r++) {
		if (r != a->me) {
			int n = (int)gompi_block_size(b, r);
			gompi_copy_small(to + head + end, gompi_block_at(b, r), n);
			end += (uint32_t)n;
		}
		memcpy(to + (size_t)r * GOMPI_AREA_END, &end, GOMPI_AREA_END);
	}
	gompi_area_publish(a, seq);
}

/* Copies the block for this rank, n bytes, from behind the table that a rank shows; 0 when it shows something else, or
 * nothing soon. */
static inline int fetch_entry(struct fast_endpoint *endpoint, const struct fast_area *a, uint64_t seq, uint32_t rank, char *to, int64_t n)
{
	if (!gompi_area_await(endpoint, a, seq, rank, rank + 1))
		return 0;
	const struct gompi_shown *slot = gompi_area_slot(a, rank, seq);
	uint64_t length = GOMPI_ONCE(slot->length), head = (uint64_t)a->n * GOMPI_AREA_END;
	const char *data = slot->data;
	if (length > GOMPI_SLOT_INLINED) {
		if (length >> GOMPI_SLOT_SHIFT != GOMPI_SLOT_IN_BULK >> GOMPI_SLOT_SHIFT)
			return 0;
		length ^= GOMPI_SLOT_IN_BULK;
		data = gompi_area_bulk(a, rank, slot, length);
	}
	if (data == NULL || length < head)
		return 0;
	const char *entry = data + (size_t)a->me * GOMPI_AREA_END;
	uint32_t begin = 0, end;
	if (a->me > 0)
		memcpy(&begin, entry - GOMPI_AREA_END, GOMPI_AREA_END);
	memcpy(&end, entry, GOMPI_AREA_END);
	if ((int64_t)end - begin != n || end > length - head)
		return 0;
	gompi_copy_small(to, data + head + begin, (int)n);
	return 1;
}

int gompi_fast_Gatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const int recvcounts[], const int displs[], MPI_Datatype recvtype, int root,
                       MPI_Comm comm)
{
	struct fast_endpoint *endpoint = gompi_endpoint;
	struct fast_area *a = gompi_area_of(endpoint, comm);
	struct gompi_blocks in;

	if (a == NULL || (uint32_t)root >= a->n)
		return 0;
	if ((uint32_t)root != a->me) {
		int n = sendbuf != MPI_IN_PLACE ? gompi_size_of(sendbuf, sendcount, sendtype) : -1;
		return n >= 0 && (uint32_t)n <= a->gathers && gompi_area_show_and_go(endpoint, a, sendbuf, n);
	}
	if (!gompi_blocks_of(&in, recvbuf, recvcounts, displs, recvtype) || !all_within(a, &in, a->gathers))
		return 0;
	if (sendbuf != MPI_IN_PLACE) {
		int n = gompi_size_of(sendbuf, sendcount, sendtype);
		if (n != gompi_block_size(&in, a->me) || sendbuf == gompi_block_at(&in, a->me))
			return 0;
		gompi_copy_small(gompi_block_at(&in, a->me), sendbuf, n);
	}
	uint64_t seq = gompi_area_next_to_read(a);
	for (uint32_t i = 1; i < a->n; i++) {
		uint32_t r = gompi_area_behind(a, i);
		if (!gompi_area_fetch(endpoint, a, seq, r, gompi_block_at(&in, r), (int)gompi_block_size(&in, r)))
			return 0;
	}
	a->lowest = seq - 1;
	return gompi_area_done(a, seq);
}

int gompi_fast_Allgatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const int recvcounts[], const int displs[], MPI_Datatype recvtype,
                          MPI_Comm comm)
{
	struct fast_endpoint *endpoint = gompi_endpoint;
	struct fast_area *a = gompi_area_of(endpoint, comm);
	struct gompi_blocks in;

	if (a == NULL || !gompi_blocks_of(&in, recvbuf, recvcounts, displs, recvtype) || !all_within(a, &in, a->gathers))
		return 0;
	char *own = gompi_block_at(&in, a->me);
	int n = (int)gompi_block_size(&in, a->me);
	if (sendbuf != MPI_IN_PLACE && (gompi_size_of(sendbuf, sendcount, sendtype) != n || sendbuf == own))
		return 0;
	uint64_t seq = gompi_area_begin(endpoint, a, sendbuf != MPI_IN_PLACE ? sendbuf : own, n);
	if (seq == 0)
		return 0;
	if (sendbuf != MPI_IN_PLACE)
		gompi_copy_small(own, sendbuf, n);
	for (uint32_t i = 1; i < a->n; i++) {
		uint32_t r = gompi_area_behind(a, i);
		if (!gompi_area_fetch(endpoint, a, seq, r, gompi_block_at(&in, r), (int)gompi_block_size(&in, r)))
			return gompi_area_leave(a);
	}
	return gompi_area_done_with_all(a, seq);
}

int gompi_fast_Scatterv(const void *sendbuf, const int sendcounts[], const int displs[], MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, int root,
                        MPI_Comm comm)
{
	struct fast_endpoint *endpoint = gompi_endpoint;
	struct fast_area *a = gompi_area_of(endpoint, comm);
	struct gompi_blocks out;

	if (a == NULL || (uint32_t)root >= a->n)
		return 0;
	int n = recvbuf != MPI_IN_PLACE ? gompi_size_of(recvbuf, recvcount, recvtype) : -1;
	if ((uint32_t)root != a->me) {
		uint64_t seq = gompi_area_next_to_read(a);
		if (n < 0 || !fetch_entry(endpoint, a, seq, (uint32_t)root, recvbuf, n))
			return 0;
		return gompi_area_done(a, seq);
	}
	int total = gompi_blocks_of(&out, sendbuf, sendcounts, displs, sendtype) ? shown_size(a, &out) : -1;
	if (total < 0)
		return 0;
	const char *own = gompi_block_at(&out, a->me);
	if (recvbuf != MPI_IN_PLACE && (n != gompi_block_size(&out, a->me) || recvbuf == own))
		return 0;
	uint64_t seq = gompi_area_next(endpoint, a, total);
	if (seq == 0)
		return 0;
	show_table(a, seq, &out, total);
	if (recvbuf != MPI_IN_PLACE)
		gompi_copy_small(recvbuf, own, n);
	return gompi_area_done(a, seq);
}

/* An all-to-all of blocks that may differ in size. */
static inline int alltoall(struct fast_area *a, const struct gompi_blocks *out, const struct gompi_blocks *in)
{
	struct fast_endpoint *endpoint = gompi_endpoint;
	int total = shown_size(a, out);

	if (total < 0 || !all_within(a, in, INT_MAX) || gompi_block_size(out, a->me) != gompi_block_size(in, a->me) || out->base == in->base)
		return 0;
	uint64_t seq = gompi_area_next(endpoint, a, total);
	if (seq == 0)
		return 0;
	show_table(a, seq, out, total);
	gompi_area_wake(a);
	gompi_copy_small(gompi_block_at(in, a->me), gompi_block_at(out, a->me), (int)gompi_block_size(in, a->me));
	for (uint32_t i = 1; i < a->n; i++) {
		uint32_t r = gompi_area_behind(a, i);
		if (!fetch_entry(endpoint, a, seq, r, gompi_block_at(in, r), gompi_block_size(in, r)))
			return gompi_area_leave(a);
	}
	return gompi_area_done_with_all(a, seq);
}

int gompi_fast_Alltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype, void *recvbuf, const int recvcounts[], const int rdispls[],
                         MPI_Datatype recvtype, MPI_Comm comm)
{
	struct fast_area *a = gompi_area_of(gompi_endpoint, comm);
	struct gompi_blocks out, in;

	return a != NULL && sendbuf != MPI_IN_PLACE && gompi_blocks_of(&out, sendbuf, sendcounts, sdispls, sendtype) && gompi_blocks_of(&in, recvbuf, recvcounts, rdispls, recvtype) &&
	       alltoall(a, &out, &in);
}

int gompi_fast_Alltoallw(const void *sendbuf, const int sendcounts[], const int sdispls[], const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[],
                         const int rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm)
{
	struct fast_area *a = gompi_area_of(gompi_endpoint, comm);
	struct gompi_blocks out, in;

	return a != NULL && sendbuf != MPI_IN_PLACE && gompi_typed_blocks_of(&out, sendbuf, sendcounts, sdispls, sendtypes) &&
	       gompi_typed_blocks_of(&in, recvbuf, recvcounts, rdispls, recvtypes) && alltoall(a, &out, &in);
}
