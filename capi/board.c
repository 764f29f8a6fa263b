/* What nonblocking collective operations of the stubs have in common (board.h), and those whose blocks are all of one size. */
#include "board.h"

/* Tells whether this rank may use its slot of operation k: Admits and Free of area.Row. */
static int admitted(struct gompi_board *b, uint64_t k, int shows)
{
	struct gompi_row *row = &b->row;
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

struct gompi_exchange *gompi_exchange_begin(struct gompi_lane *lane, struct gompi_board *b, int shows)
{
	if (!gompi_lane_enter(lane))
		return NULL;
	uint64_t k = b->row.before + b->row.turns + 1;
	if (lane->free == GOMPI_TICKETS || (!admitted(b, k, shows) && (gompi_exchanges(lane) != TAKEN || !admitted(b, k, shows)))) {
		gompi_lane_leave(lane);
		return NULL;
	}
	struct gompi_exchange *x = &lane->exchanges[lane->free];
	x->board = b;
	x->k = k;
	x->next = 0;
	return x;
}

/* Ends operation k for this rank: area.Row.End. */
static void end(struct gompi_board *b, uint64_t k)
{
	struct gompi_row *row = &b->row;

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
			gompi_wake(b->peers[r].bell);
}

/* The i-th rank that has something for this one: post.source in package coll. */
static inline uint32_t source(const struct gompi_exchange *x, uint32_t i)
{
	const struct gompi_board *b = x->board;

	switch (x->deal) {
	case GOMPI_DEAL_FROM_ROOT:
	case GOMPI_DEAL_DEALT:
	case GOMPI_DEAL_DEALT_V:
		return x->root;
	case GOMPI_DEAL_PREFIX_IN:
	case GOMPI_DEAL_PREFIX_EX:
		return i;
	}
	uint32_t r = b->me + 1 + i;
	return r < b->n ? r : r - b->n;
}

/* Takes what rank from shows; 0 when it is not what this rank expects, or does not stand in the slot. */
static int take(const struct gompi_exchange *x, uint32_t from)
{
	const struct gompi_board *b = x->board;
	const struct gompi_post *slot = gompi_board_slot(b, from, x->k);
	const char *data = slot->data;
	const struct gompi_block block = {x->listed ? x->blocks[from].at : (int64_t)x->each * from, x->listed ? x->blocks[from].bytes : x->each};
	char *to = (char *)x->buf + block.at;
	uint64_t n = GOMPI_ONCE(slot->bytes), by_message = GOMPI_ONCE(slot->mark) == GOMPI_BY_MESSAGE;

	switch (x->deal) {
	case GOMPI_DEAL_EVERYONE:
	case GOMPI_DEAL_TO_ROOT:
		break;
	case GOMPI_DEAL_FROM_ROOT:
		to = (char *)x->buf;
		break;
	case GOMPI_DEAL_DEALT:
		to = (char *)x->buf;
		/* fall through */
	case GOMPI_DEAL_CROSSED:
		if (n != (uint64_t)block.bytes * b->n || n > GOMPI_POST_MOST)
			return 0;
		data += (size_t)block.bytes * b->me;
		n = (uint64_t)block.bytes;
		break;
	case GOMPI_DEAL_DEALT_V:
		to = (char *)x->buf;
		/* fall through */
	case GOMPI_DEAL_CROSSED_V: {
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

/* Goes on with an exchange: TAKEN when it is over, FOR_GO when Go has to go on. */
static enum step go_on(struct gompi_exchange *x)
{
	for (; x->next < x->sources; x->next++) {
		uint32_t from = source(x, x->next);
		if (__atomic_load_n(&gompi_board_slot(x->board, from, x->k)->number, __ATOMIC_ACQUIRE) != x->k)
			return NOTHING;
		if (!take(x, from))
			return FOR_GO;
	}
	if (x->op != 0 && !gompi_exchange_combine(x))
		return FOR_GO;
	end(x->board, x->k);
	return TAKEN;
}

int gompi_exchange_go(struct gompi_lane *lane, struct gompi_exchange *x, MPI_Request *request)
{
	struct gompi_board *b = x->board;
	uint32_t index = lane->free;
	struct gompi_ticket *t = draw(lane);

	b->row.turns++;
	b->stubbed++;
	x->serial = ++b->serial;
	t->ctx = b->ctx;
	t->self = GOMPI_NO_MESSAGE;
	t->state = GOMPI_TICKET_SENT;
	*request = handle_of(lane, index);
	if (go_on(x) != TAKEN) {
		t->state = GOMPI_TICKET_EXCHANGE;
		x->newer = NO_TICKET;
		x->older = lane->newest;
		if (x->older == NO_TICKET)
			lane->oldest = index;
		else
			lane->exchanges[x->older].newer = index;
		lane->newest = index;
		lane->exchanging++;
	}
	gompi_lane_leave(lane);
	return 1;
}

/* Takes the exchange of ticket i out of those that wait: shm.Lane.EndExchange. */
static void unlink_exchange(struct gompi_lane *lane, uint32_t i)
{
	const struct gompi_exchange *x = &lane->exchanges[i];

	*(x->older == NO_TICKET ? &lane->oldest : &lane->exchanges[x->older].newer) = x->newer;
	*(x->newer == NO_TICKET ? &lane->newest : &lane->exchanges[x->newer].older) = x->older;
	lane->exchanging--;
}

enum step gompi_exchanges(struct gompi_lane *lane)
{
	enum step result = NOTHING;

	for (uint32_t i = lane->oldest, newer; i != NO_TICKET; i = newer) {
		newer = lane->exchanges[i].newer;
		enum step s = go_on(&lane->exchanges[i]);
		if (s == FOR_GO)
			return FOR_GO;
		if (s == TAKEN) {
			unlink_exchange(lane, i);
			lane->tickets[i].state = GOMPI_TICKET_SENT;
			result = TAKEN;
		}
	}
	return result;
}

int gompi_fast_Ibarrier(MPI_Comm comm, MPI_Request *request)
{
	struct gompi_lane *lane = gompi_lane;
	struct gompi_board *b = gompi_board_of(lane, comm);
	struct gompi_exchange *x;

	if (b == NULL || gompi_nowhere(request) || (x = gompi_exchange_begin(lane, b, 1)) == NULL)
		return 0;
	gompi_exchange_into(x, GOMPI_DEAL_MEETING, GOMPI_NO_ROOT, b->n - 1, NULL, 0);
	gompi_exchange_publish(x, 0, GOMPI_NO_ROOT);
	return gompi_exchange_go(lane, x, request);
}

int gompi_fast_Ibcast(void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm, MPI_Request *request)
{
	struct gompi_lane *lane = gompi_lane;
	struct gompi_board *b = gompi_board_of(lane, comm);
	struct gompi_exchange *x;
	int n = gompi_lane_size(buffer, count, datatype);

	if (b == NULL || gompi_nowhere(request) || n <= 0 || n > GOMPI_POST_MOST || (uint32_t)root >= b->n)
		return 0;
	int here = (uint32_t)root == b->me;
	if ((x = gompi_exchange_begin(lane, b, here)) == NULL)
		return 0;
	gompi_exchange_into(x, GOMPI_DEAL_FROM_ROOT, (uint32_t)root, !here, buffer, n);
	if (here)
		gompi_exchange_show(x, buffer, n, GOMPI_NO_ROOT);
	return gompi_exchange_go(lane, x, request);
}

int gompi_fast_Igather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm,
                       MPI_Request *request)
{
	struct gompi_lane *lane = gompi_lane;
	struct gompi_board *b = gompi_board_of(lane, comm);
	struct gompi_exchange *x;

	if (b == NULL || gompi_nowhere(request) || (uint32_t)root >= b->n)
		return 0;
	int here = (uint32_t)root == b->me;
	int n = here ? gompi_lane_size(recvbuf, recvcount, recvtype) : gompi_lane_size(sendbuf, sendcount, sendtype);
	if (n <= 0 || n > GOMPI_POST_MOST)
		return 0;
	char *own = (char *)recvbuf + (size_t)b->me * (size_t)n;
	if (here && sendbuf != MPI_IN_PLACE && (gompi_lane_size(sendbuf, sendcount, sendtype) != n || sendbuf == own))
		return 0;
	if ((x = gompi_exchange_begin(lane, b, !here)) == NULL)
		return 0;
	gompi_exchange_into(x, GOMPI_DEAL_TO_ROOT, (uint32_t)root, here ? b->n - 1 : 0, recvbuf, n);
	if (!here)
		gompi_exchange_show(x, sendbuf, n, (uint32_t)root);
	else if (sendbuf != MPI_IN_PLACE)
		gompi_copy_small(own, sendbuf, n);
	return gompi_exchange_go(lane, x, request);
}

int gompi_fast_Iscatter(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm,
                        MPI_Request *request)
{
	struct gompi_lane *lane = gompi_lane;
	struct gompi_board *b = gompi_board_of(lane, comm);
	struct gompi_exchange *x;

	if (b == NULL || gompi_nowhere(request) || (uint32_t)root >= b->n)
		return 0;
	int here = (uint32_t)root == b->me;
	int n = here ? gompi_lane_size(sendbuf, sendcount, sendtype) : gompi_lane_size(recvbuf, recvcount, recvtype);
	if (n <= 0 || (int64_t)n * b->n > GOMPI_POST_MOST)
		return 0;
	const char *own = (const char *)sendbuf + (size_t)b->me * (size_t)n;
	if (here && recvbuf != MPI_IN_PLACE && (gompi_lane_size(recvbuf, recvcount, recvtype) != n || recvbuf == own))
		return 0;
	if ((x = gompi_exchange_begin(lane, b, here)) == NULL)
		return 0;
	gompi_exchange_into(x, GOMPI_DEAL_DEALT, (uint32_t)root, !here, recvbuf, n);
	if (here) {
		gompi_exchange_show(x, sendbuf, n * (int)b->n, GOMPI_NO_ROOT);
		if (recvbuf != MPI_IN_PLACE)
			gompi_copy_small(recvbuf, own, n);
	}
	return gompi_exchange_go(lane, x, request);
}

int gompi_fast_Iallgather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm,
                          MPI_Request *request)
{
	struct gompi_lane *lane = gompi_lane;
	struct gompi_board *b = gompi_board_of(lane, comm);
	struct gompi_exchange *x;
	int n = gompi_lane_size(recvbuf, recvcount, recvtype);

	if (b == NULL || gompi_nowhere(request) || n <= 0 || n > GOMPI_POST_MOST)
		return 0;
	char *own = (char *)recvbuf + (size_t)b->me * (size_t)n;
	int apart = sendbuf != MPI_IN_PLACE;
	if (apart && (gompi_lane_size(sendbuf, sendcount, sendtype) != n || sendbuf == own))
		return 0;
	if ((x = gompi_exchange_begin(lane, b, 1)) == NULL)
		return 0;
	gompi_exchange_into(x, GOMPI_DEAL_EVERYONE, GOMPI_NO_ROOT, b->n - 1, recvbuf, n);
	gompi_exchange_show(x, apart ? sendbuf : own, n, GOMPI_NO_ROOT);
	if (apart)
		gompi_copy_small(own, sendbuf, n);
	return gompi_exchange_go(lane, x, request);
}

int gompi_fast_Ialltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm,
                         MPI_Request *request)
{
	struct gompi_lane *lane = gompi_lane;
	struct gompi_board *b = gompi_board_of(lane, comm);
	struct gompi_exchange *x;
	int n = gompi_lane_size(recvbuf, recvcount, recvtype);

	if (b == NULL || gompi_nowhere(request) || n <= 0 || (int64_t)n * b->n > GOMPI_POST_MOST || sendbuf == MPI_IN_PLACE || sendbuf == recvbuf)
		return 0;
	if (gompi_lane_size(sendbuf, sendcount, sendtype) != n || (x = gompi_exchange_begin(lane, b, 1)) == NULL)
		return 0;
	size_t own = (size_t)b->me * (size_t)n;
	gompi_exchange_into(x, GOMPI_DEAL_CROSSED, GOMPI_NO_ROOT, b->n - 1, recvbuf, n);
	gompi_exchange_show(x, sendbuf, n * (int)b->n, GOMPI_NO_ROOT);
	gompi_copy_small((char *)recvbuf + own, (const char *)sendbuf + own, n);
	return gompi_exchange_go(lane, x, request);
}
