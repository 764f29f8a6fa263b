/* Small collective operations that move data (collective.h). */
#define _GNU_SOURCE
#include "collective.h"


/* Learns what all others are done with: shm.Area.learn. */
static void learn(struct fast_area *a, uint64_t seq)
{
	uint64_t lowest = seq;

	for (uint32_t r = 0; r < a->n; r++) {
		uint64_t done = __atomic_load_n((uint64_t *)(a->peers[r].base + GOMPI_AREA_DONE), __ATOMIC_ACQUIRE);
		if (r != a->me && done < lowest)
			lowest = done;
	}
	a->lowest = lowest;
	if (lowest + GOMPI_AREA_COUNT > seq)
		a->tail = a->marks[lowest % GOMPI_AREA_COUNT];
}

int gompi_area_room(struct fast_endpoint *endpoint, struct fast_area *a, uint64_t seq, int n)
{
	/* Who is as far ahead as can be looks seldom, and goes on when many operations have room: each look takes the others'
	 * counts out of their caches, and on a processor that they share every change of ranks costs more than an operation. */
	enum { BETWEEN = 16, ENOUGH = GOMPI_AREA_COUNT / 2, YIELDS = 4 };

	for (uint32_t polls = 0; ; polls++) {
		if (polls % BETWEEN == 0 || polls >= endpoint->spins) {
			learn(a, seq);
			if (a->lowest + GOMPI_AREA_COUNT >= seq + (polls < endpoint->spins + YIELDS ? ENOUGH : 0) && gompi_area_fits(a, n))
				return 1;
		}
		if (!fast_endpoint_backoff(endpoint, polls))
			return 0;
	}
}

int gompi_area_wait(struct fast_endpoint *endpoint, const struct fast_area *a, uint64_t seq, uint32_t first, uint32_t end)
{
	for (uint32_t polls = 0; fast_endpoint_backoff(endpoint, polls); polls++) {
		while (first < end && (first == a->me || gompi_area_shown(a, first, seq)))
			first++;
		if (first == end)
			return 1;
	}
	return 0;
}

void gompi_area_ring(const struct fast_area *a)
{
	for (uint32_t r = 0; r < a->n; r++)
		if (r != a->me && __atomic_load_n(a->peers[r].bell, __ATOMIC_ACQUIRE) != 0)
			fast_wake(a->peers[r].bell);
}

int gompi_fast_Barrier(MPI_Comm comm)
{
	struct fast_endpoint *endpoint = gompi_endpoint;
	struct fast_area *a = gompi_area_of(endpoint, comm);

	if (a == NULL)
		return 0;
	uint64_t seq = gompi_area_next(endpoint, a, 0);
	if (seq == 0)
		return 0;
	gompi_area_place(a, seq, 0);
	gompi_area_publish(a, seq);
	gompi_area_wake(a);
	if (!gompi_area_await(endpoint, a, seq, 0, a->n))
		return gompi_area_leave(a);
	return gompi_area_done_with_all(a, seq);
}

int gompi_fast_Bcast(void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm)
{
	struct fast_endpoint *endpoint = gompi_endpoint;
	struct fast_area *a = gompi_area_of(endpoint, comm);
	int n = gompi_size_of(buffer, count, datatype);

	if (a == NULL || n <= 0 || (uint32_t)n > a->bcasts || (uint32_t)root >= a->n)
		return 0;
	if ((uint32_t)root == a->me)
		return gompi_area_show_and_go(endpoint, a, buffer, n);
	uint64_t seq = gompi_area_next_to_read(a);
	if (!gompi_area_fetch(endpoint, a, seq, (uint32_t)root, buffer, n))
		return 0;
	return gompi_area_done(a, seq);
}

/* Copies what all others show to where it belongs, n bytes each. */
static inline int collect(struct fast_endpoint *endpoint, const struct fast_area *a, uint64_t seq, char *to, int n)
{
	for (uint32_t i = 1; i < a->n; i++) {
		uint32_t r = gompi_area_behind(a, i);
		if (!gompi_area_fetch(endpoint, a, seq, r, to + (size_t)r * (size_t)n, n))
			return 0;
	}
	return 1;
}

int gompi_fast_Gather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm)
{
	struct fast_endpoint *endpoint = gompi_endpoint;
	struct fast_area *a = gompi_area_of(endpoint, comm);

	if (a == NULL || (uint32_t)root >= a->n)
		return 0;
	if ((uint32_t)root != a->me) {
		int n = gompi_size_of(sendbuf, sendcount, sendtype);
		return n > 0 && (uint32_t)n <= a->gathers && gompi_area_show_and_go(endpoint, a, sendbuf, n);
	}
	int n = gompi_size_of(recvbuf, recvcount, recvtype);
	if (n <= 0 || (uint32_t)n > a->gathers)
		return 0;
	char *own = (char *)recvbuf + (size_t)a->me * (size_t)n;
	if (sendbuf != MPI_IN_PLACE) {
		if (gompi_size_of(sendbuf, sendcount, sendtype) != n || sendbuf == own)
			return 0;
		gompi_copy_small(own, sendbuf, n);
	}
	uint64_t seq = gompi_area_next_to_read(a);
	if (!collect(endpoint, a, seq, recvbuf, n))
		return 0;
	a->lowest = seq - 1;
	return gompi_area_done(a, seq);
}

int gompi_fast_Allgather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm)
{
	struct fast_endpoint *endpoint = gompi_endpoint;
	struct fast_area *a = gompi_area_of(endpoint, comm);
	int n = gompi_size_of(recvbuf, recvcount, recvtype);

	if (a == NULL || n <= 0 || (uint32_t)n > a->gathers)
		return 0;
	char *own = (char *)recvbuf + (size_t)a->me * (size_t)n;
	if (sendbuf != MPI_IN_PLACE && (gompi_size_of(sendbuf, sendcount, sendtype) != n || sendbuf == own))
		return 0;
	uint64_t seq = gompi_area_begin(endpoint, a, sendbuf != MPI_IN_PLACE ? sendbuf : own, n);
	if (seq == 0)
		return 0;
	if (sendbuf != MPI_IN_PLACE)
		gompi_copy_small(own, sendbuf, n);
	if (!collect(endpoint, a, seq, recvbuf, n))
		return gompi_area_leave(a);
	return gompi_area_done_with_all(a, seq);
}

/* Where the block for a rank stands in data in which blocks of n bytes for all but rank from follow each other. */
static inline size_t place_of(uint32_t rank, uint32_t from, int n)
{
	return (size_t)(rank - (rank > from)) * (size_t)n;
}

/* Copies the block for this rank, n bytes like all others, out of what a rank shows. */
static inline int fetch_block(struct fast_endpoint *endpoint, const struct fast_area *a, uint64_t seq, uint32_t rank, void *to, int n)
{
	if (!gompi_area_await(endpoint, a, seq, rank, rank + 1))
		return 0;
	const char *data = gompi_area_data(a, rank, seq, (uint64_t)n * (a->n - 1));
	if (data == NULL)
		return 0;
	gompi_copy_small(to, data + place_of(a->me, rank, n), n);
	return 1;
}

/* Shows the blocks for the others, n bytes each. */
static inline void show_blocks(struct fast_area *a, uint64_t seq, const char *blocks, int n)
{
	char *to = gompi_area_place(a, seq, n * (int)(a->n - 1));
	size_t before = (size_t)a->me * (size_t)n, size = (size_t)n;

	if (a->n == 2) {
		gompi_copy_small(to, blocks + (size_t)(1 - a->me) * size, n);
	} else {
		memcpy(to, blocks, before);
		memcpy(to + before, blocks + before + size, (a->n - 1 - a->me) * size);
	}
	gompi_area_publish(a, seq);
}

int gompi_fast_Scatter(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm)
{
	struct fast_endpoint *endpoint = gompi_endpoint;
	struct fast_area *a = gompi_area_of(endpoint, comm);

	if (a == NULL || (uint32_t)root >= a->n)
		return 0;
	if ((uint32_t)root != a->me) {
		int n = gompi_size_of(recvbuf, recvcount, recvtype);
		uint64_t seq = gompi_area_next_to_read(a);
		if (n <= 0 || (uint64_t)n * a->n > a->spreads || !fetch_block(endpoint, a, seq, (uint32_t)root, recvbuf, n))
			return 0;
		return gompi_area_done(a, seq);
	}
	int n = gompi_size_of(sendbuf, sendcount, sendtype);
	if (n <= 0 || (uint64_t)n * a->n > a->spreads)
		return 0;
	const char *own = (const char *)sendbuf + (size_t)a->me * (size_t)n;
	if (recvbuf != MPI_IN_PLACE && (gompi_size_of(recvbuf, recvcount, recvtype) != n || recvbuf == own))
		return 0;
	uint64_t seq = gompi_area_next(endpoint, a, n * (int)(a->n - 1));
	if (seq == 0)
		return 0;
	show_blocks(a, seq, sendbuf, n);
	if (recvbuf != MPI_IN_PLACE)
		gompi_copy_small(recvbuf, own, n);
	return gompi_area_done(a, seq);
}

int gompi_fast_Alltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm)
{
	struct fast_endpoint *endpoint = gompi_endpoint;
	struct fast_area *a = gompi_area_of(endpoint, comm);
	int n = gompi_size_of(recvbuf, recvcount, recvtype);

	if (a == NULL || n <= 0 || (uint64_t)n * a->n > a->spreads || gompi_size_of(sendbuf, sendcount, sendtype) != n || sendbuf == recvbuf)
		return 0;
	uint64_t seq = gompi_area_next(endpoint, a, n * (int)(a->n - 1));
	if (seq == 0)
		return 0;
	show_blocks(a, seq, sendbuf, n);
	gompi_area_wake(a);
	size_t own = (size_t)a->me * (size_t)n;
	gompi_copy_small((char *)recvbuf + own, (const char *)sendbuf + own, n);
	for (uint32_t i = 1; i < a->n; i++) {
		uint32_t r = gompi_area_behind(a, i);
		if (!fetch_block(endpoint, a, seq, r, (char *)recvbuf + (size_t)r * (size_t)n, n))
			return gompi_area_leave(a);
	}
	return gompi_area_done_with_all(a, seq);
}
