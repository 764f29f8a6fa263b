/* What nonblocking collective operations of the stubs have in common (board.h), and those whose blocks are all of one size. */
#include "board.h"

/* Tells whether this rank may use its slot of operation k: Admits and Free of area.Row. */
static int admitted(struct fast_board *b, uint64_t k, int shows)
{
	struct fast_row *row = &b->row;
	uint64_t lowest = UINT64_MAX;

	if (k > row->through + GOMPI_BOARD_COUNT)
		return 0;
	if (!shows || row->lowest + GOMPI_BOARD_COUNT >= k)
		return 1;
	for (uint32_t r = 0; r < b->n; r++) {
		uint64_t done = __atomic_load_n((uint64_t *)(b->peers[r].base + GOMPI_BOARD_DONE), __ATOMIC_ACQUIRE);
		if (r != b->me && done < lowest)
			lowest = done;
	}
	if (lowest > row->lowest)
		row->lowest = lowest;
	return row->lowest + GOMPI_BOARD_COUNT >= k;
}

struct fast_exchange *gompi_exchange_begin(struct fast_endpoint *endpoint, struct fast_board *b, int shows)
{
	if (!fast_endpoint_enter(endpoint))
		return NULL;
	uint64_t k = b->row.before + b->row.turns + 1;
	if (endpoint->free == FAST_MAX_REQUESTS || (!admitted(b, k, shows) && (fast_exchanges(endpoint) != FAST_ADVANCED || !admitted(b, k, shows)))) {
		fast_endpoint_leave(endpoint);
		return NULL;
	}
	struct fast_exchange *x = &endpoint->exchanges[endpoint->free];
	x->board = b;
	x->k = k;
	x->next = 0;
	return x;
}

/* Ends operation k for this rank: area.Row.End. */
static void end(struct fast_board *b, uint64_t k)
{
	struct fast_row *row = &b->row;

	if (k != row->through + 1) {
		row->ended |= (uint32_t)1 << (k - row->through - 1);
		return;
	}
	int n = __builtin_ctz(~(row->ended | 1));
	row->ended >>= n;
	row->through += (uint64_t)n;
	__atomic_store_n((uint64_t *)(b->peers[b->me].base + GOMPI_BOARD_DONE), row->through, __ATOMIC_RELEASE);
	for (uint32_t r = 0; r < b->n; r++) /* area.Board.feed */
		if (__builtin_expect(__atomic_load_n((uint32_t *)(b->peers[r].base + GOMPI_BOARD_STARVED), __ATOMIC_RELAXED) != 0, 0) && r != b->me &&
		    __atomic_load_n(b->peers[r].bell, __ATOMIC_ACQUIRE) != 0)
			fast_wake(b->peers[r].bell);
}

/* The i-th rank that has something for this one: post.source in package coll. */
static inline uint32_t source(const struct fast_exchange *x, uint32_t i)
{
	const struct fast_board *b = x->board;

	switch (x->deal) {
	case FAST_DEAL_FROM_ROOT:
	case FAST_DEAL_DEALT:
	case FAST_DEAL_DEALT_V:
		return x->root;
	case FAST_DEAL_PREFIX_IN:
	case FAST_DEAL_PREFIX_EX:
		return i;
	}
	uint32_t r = b->me + 1 + i;
	return r < b->n ? r : r - b->n;
}

/* Takes what rank from shows; 0 when it is not what this rank expects, or does not stand in the slot. */
static int take(const struct fast_exchange *x, uint32_t from)
{
	const struct fast_board *b = x->board;
	const struct gompi_post *slot = gompi_board_slot(b, from, x->k);
	const char *data = slot->data;
	const struct fast_block block = {x->listed ? x->blocks[from].at : (int64_t)x->each * from, x->listed ? x->blocks[from].bytes : x->each};
	char *to = (char *)x->buf + block.at;
	uint64_t n = GOMPI_ONCE(slot->bytes), by_message = GOMPI_ONCE(slot->mark) == (uint64_t)GOMPI_BY_MESSAGE;

	switch (x->deal) {
	case FAST_DEAL_EVERYONE:
	case FAST_DEAL_TO_ROOT:
		break;
	case FAST_DEAL_FROM_ROOT:
		to = (char *)x->buf;
		break;
	case FAST_DEAL_DEALT:
		to = (char *)x->buf;
		/* fall through */
	case FAST_DEAL_CROSSED:
		if (n != (uint64_t)block.bytes * b->n || n > GOMPI_POST_MOST)
			return 0;
		data += (size_t)block.bytes * b->me;
		n = (uint64_t)block.bytes;
		break;
	case FAST_DEAL_DEALT_V:
		to = (char *)x->buf;
		/* fall through */
	case FAST_DEAL_CROSSED_V: {
		if (by_message || n != b->n)
			return 0;
		const struct gompi_entry *entry = (const struct gompi_entry *)data + b->me;
		uint64_t at = GOMPI_ONCE(entry->at);
		n = GOMPI_ONCE(entry->bytes);
		if (at > GOMPI_POST_MOST || n > GOMPI_POST_MOST - at) /* GOMPI_BY_MESSAGE as well */
			return 0;
		data += at;
		break;
	}
	default:
		return 1; /* all are combined at the end */
	}
	if (by_message || n != (uint64_t)block.bytes || n > GOMPI_POST_MOST)
		return 0;
	gompi_copy_small(to, data, (int)n);
	return 1;
}

/* Goes on with an exchange: FAST_ADVANCED when it is over, FAST_ENGINE when Go has to go on. */
static int32_t go_on(struct fast_exchange *x)
{
	for (; x->next < x->sources; x->next++) {
		uint32_t from = source(x, x->next);
		if (__atomic_load_n(&gompi_board_slot(x->board, from, x->k)->number, __ATOMIC_ACQUIRE) != x->k)
			return FAST_IDLE;
		if (!take(x, from))
			return FAST_ENGINE;
	}
	if (x->op != 0 && !gompi_exchange_combine(x))
		return FAST_ENGINE;
	end(x->board, x->k);
	return FAST_ADVANCED;
}

int gompi_exchange_go(struct fast_endpoint *endpoint, struct fast_exchange *x, MPI_Request *request)
{
	struct fast_board *b = x->board;
	uint32_t index = endpoint->free;
	struct fast_request *t = fast_endpoint_first_free(endpoint);

	b->row.turns++;
	b->stubbed++;
	x->serial = ++b->serial;
	t->ctx = b->ctx;
	t->self = FAST_NO_MESSAGE;
	t->state = FAST_SENT;
	*request = (MPI_Request)fast_endpoint_handle(endpoint, index);
	if (go_on(x) != FAST_ADVANCED) {
		t->state = FAST_EXCHANGING;
		x->newer = FAST_NO_REQUEST;
		x->older = endpoint->newest;
		if (x->older == FAST_NO_REQUEST)
			endpoint->oldest = index;
		else
			endpoint->exchanges[x->older].newer = index;
		endpoint->newest = index;
		endpoint->exchanging++;
	}
	fast_endpoint_leave(endpoint);
	return 1;
}

/* Takes the exchange of ticket i out of those that wait: shm.Lane.EndExchange. */
static void unlink_exchange(struct fast_endpoint *endpoint, uint32_t i)
{
	const struct fast_exchange *x = &endpoint->exchanges[i];

	*(x->older == FAST_NO_REQUEST ? &endpoint->oldest : &endpoint->exchanges[x->older].newer) = x->newer;
	*(x->newer == FAST_NO_REQUEST ? &endpoint->newest : &endpoint->exchanges[x->newer].older) = x->older;
	endpoint->exchanging--;
}

int32_t fast_exchanges(struct fast_endpoint *endpoint)
{
	int32_t result = FAST_IDLE;

	for (uint32_t i = endpoint->oldest, newer; i != FAST_NO_REQUEST; i = newer) {
		newer = endpoint->exchanges[i].newer;
		int32_t s = go_on(&endpoint->exchanges[i]);
		if (s == FAST_ENGINE)
			return FAST_ENGINE;
		if (s == FAST_ADVANCED) {
			unlink_exchange(endpoint, i);
			endpoint->requests[i].state = FAST_SENT;
			result = FAST_ADVANCED;
		}
	}
	return result;
}

int gompi_fast_Ibarrier(MPI_Comm comm, MPI_Request *request)
{
	struct fast_endpoint *endpoint = gompi_endpoint;
	struct fast_board *b = gompi_board_of(endpoint, comm);
	struct fast_exchange *x;

	if (b == NULL || gompi_nowhere(request) || (x = gompi_exchange_begin(endpoint, b, 1)) == NULL)
		return 0;
	gompi_exchange_into(x, FAST_DEAL_MEETING, GOMPI_NO_ROOT, b->n - 1, NULL, 0);
	gompi_exchange_publish(x, 0, GOMPI_NO_ROOT);
	return gompi_exchange_go(endpoint, x, request);
}

int gompi_fast_Ibcast(void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm, MPI_Request *request)
{
	struct fast_endpoint *endpoint = gompi_endpoint;
	struct fast_board *b = gompi_board_of(endpoint, comm);
	struct fast_exchange *x;
	int n = gompi_size_of(buffer, count, datatype);

	if (b == NULL || gompi_nowhere(request) || n <= 0 || n > GOMPI_POST_MOST || (uint32_t)root >= b->n)
		return 0;
	int here = (uint32_t)root == b->me;
	if ((x = gompi_exchange_begin(endpoint, b, here)) == NULL)
		return 0;
	gompi_exchange_into(x, FAST_DEAL_FROM_ROOT, (uint32_t)root, !here, buffer, n);
	if (here)
		gompi_exchange_show(x, buffer, n, GOMPI_NO_ROOT);
	return gompi_exchange_go(endpoint, x, request);
}

int gompi_fast_Igather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm,
                       MPI_Request *request)
{
	struct fast_endpoint *endpoint = gompi_endpoint;
	struct fast_board *b = gompi_board_of(endpoint, comm);
	struct fast_exchange *x;

	if (b == NULL || gompi_nowhere(request) || (uint32_t)root >= b->n)
		return 0;
	int here = (uint32_t)root == b->me;
	int n = here ? gompi_size_of(recvbuf, recvcount, recvtype) : gompi_size_of(sendbuf, sendcount, sendtype);
	if (n <= 0 || n > GOMPI_POST_MOST)
		return 0;
	char *own = (char *)recvbuf + (size_t)b->me * (size_t)n;
	if (here && sendbuf != MPI_IN_PLACE && (gompi_size_of(sendbuf, sendcount, sendtype) != n || sendbuf == own))
		return 0;
	if ((x = gompi_exchange_begin(endpoint, b, !here)) == NULL)
		return 0;
	gompi_exchange_into(x, FAST_DEAL_TO_ROOT, (uint32_t)root, here ? b->n - 1 : 0, recvbuf, n);
	if (!here)
		gompi_exchange_show(x, sendbuf, n, (uint32_t)root);
	else if (sendbuf != MPI_IN_PLACE)
		gompi_copy_small(own, sendbuf, n);
	return gompi_exchange_go(endpoint, x, request);
}

int gompi_fast_Iscatter(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm,
                        MPI_Request *request)
{
	struct fast_endpoint *endpoint = gompi_endpoint;
	struct fast_board *b = gompi_board_of(endpoint, comm);
	struct fast_exchange *x;

	if (b == NULL || gompi_nowhere(request) || (uint32_t)root >= b->n)
		return 0;
	int here = (uint32_t)root == b->me;
	int n = here ? gompi_size_of(sendbuf, sendcount, sendtype) : gompi_size_of(recvbuf, recvcount, recvtype);
	if (n <= 0 || (int64_t)n * b->n > GOMPI_POST_MOST)
		return 0;
	const char *own = (const char *)sendbuf + (size_t)b->me * (size_t)n;
	if (here && recvbuf != MPI_IN_PLACE && (gompi_size_of(recvbuf, recvcount, recvtype) != n || recvbuf == own))
		return 0;
	if ((x = gompi_exchange_begin(endpoint, b, here)) == NULL)
		return 0;
	gompi_exchange_into(x, FAST_DEAL_DEALT, (uint32_t)root, !here, recvbuf, n);
	if (here) {
		gompi_exchange_show(x, sendbuf, n * (int)b->n, GOMPI_NO_ROOT);
		if (recvbuf != MPI_IN_PLACE)
			gompi_copy_small(recvbuf, own, n);
	}
	return gompi_exchange_go(endpoint, x, request);
}

int gompi_fast_Iallgather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm,
                          MPI_Request *request)
{
	struct fast_endpoint *endpoint = gompi_endpoint;
	struct fast_board *b = gompi_board_of(endpoint, comm);
	struct fast_exchange *x;
	int n = gompi_size_of(recvbuf, recvcount, recvtype);

	if (b == NULL || gompi_nowhere(request) || n <= 0 || n > GOMPI_POST_MOST)
		return 0;
	char *own = (char *)recvbuf + (size_t)b->me * (size_t)n;
	int apart = sendbuf != MPI_IN_PLACE;
	if (apart && (gompi_size_of(sendbuf, sendcount, sendtype) != n || sendbuf == own))
		return 0;
	if ((x = gompi_exchange_begin(endpoint, b, 1)) == NULL)
		return 0;
	gompi_exchange_into(x, FAST_DEAL_EVERYONE, GOMPI_NO_ROOT, b->n - 1, recvbuf, n);
	gompi_exchange_show(x, apart ? sendbuf : own, n, GOMPI_NO_ROOT);
	if (apart)
		gompi_copy_small(own, sendbuf, n);
	return gompi_exchange_go(endpoint, x, request);
}

int gompi_fast_Ialltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm,
                         MPI_Request *request)
{
	struct fast_endpoint *endpoint = gompi_endpoint;
	struct fast_board *b = gompi_board_of(endpoint, comm);
	struct fast_exchange *x;
	int n = gompi_size_of(recvbuf, recvcount, recvtype);

	if (b == NULL || gompi_nowhere(request) || n <= 0 || (int64_t)n * b->n > GOMPI_POST_MOST || sendbuf == MPI_IN_PLACE || sendbuf == recvbuf)
		return 0;
	if (gompi_size_of(sendbuf, sendcount, sendtype) != n || (x = gompi_exchange_begin(endpoint, b, 1)) == NULL)
		return 0;
	size_t own = (size_t)b->me * (size_t)n;
	gompi_exchange_into(x, FAST_DEAL_CROSSED, GOMPI_NO_ROOT, b->n - 1, recvbuf, n);
	gompi_exchange_show(x, sendbuf, n * (int)b->n, GOMPI_NO_ROOT);
	gompi_copy_small((char *)recvbuf + own, (const char *)sendbuf + own, n);
	return gompi_exchange_go(endpoint, x, request);
}
