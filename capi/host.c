/* What a rank does for others while it waits, as package rma does it (host.go). */
#include "window.h"

/* Longer rows of elements are left to Go, which takes vector loops for them. */
enum { ROW = 64 };

/* What an errand asks for. Its origin can write to it at any time, so every word is read once: shm.Order. */
struct order {
	uint32_t kind, bytes, type, op;
	uint64_t addr;
};

static struct order order_of(const struct gompi_errand *e)
{
	return (struct order){
		GOMPI_ONCE(e->kind), GOMPI_ONCE(e->bytes), GOMPI_ONCE(e->type), GOMPI_ONCE(e->op), GOMPI_ONCE(e->addr),
	};
}

/* Reports whether the stubs can carry an errand out, which is about this rank's memory in the window then. Go refuses
 * those that are not. */
static int known(const struct gompi_window *w, const struct order *o)
{
	const struct gompi_target *own = &w->targets[w->me];
	uint64_t at = o->addr - own->remote;

	if (o->bytes > GOMPI_ERRAND_ROOM || at > own->size || o->bytes > own->size - at)
		return 0;
	if (o->kind <= GOMPI_ERRAND_GET)
		return 1;
	if (o->kind == GOMPI_ERRAND_SWAP)
		return (o->bytes == 4 || o->bytes == 8) && o->addr % o->bytes == 0;
	if (o->kind > GOMPI_ERRAND_SWAP || o->type - 0x200 > 0xff || o->bytes > ROW)
		return 0;
	int element = gompi_elements[o->type - 0x200];
	unsigned size = gompi_element_size(element);
	return gompi_combines(element, o->op) && o->addr % size == 0 && o->bytes % size == 0;
}

/* Exchanges the element at to for the one at data if it is equal to the one behind that, and brings back what it was. */
static void swap(char *to, char *data, size_t size)
{
	uint64_t was = 0;

	memcpy(&was, to, size);
	if (memcmp(&was, data + GOMPI_ERRAND_SMALL / 2, size) == 0)
		memcpy(to, data, size);
	memcpy(data, &was, size);
}

/* An accumulate, apart so that a put or a get needs no more than a few registers. */
static __attribute__((noinline)) void accumulate(char *to, char *data, const struct order *o)
{
	int element = gompi_elements[o->type - 0x200];
	unsigned size = gompi_element_size(element);

	for (uint32_t at = 0; at < o->bytes; at += size) {
		uint64_t was;
		gompi_combine(element, o->op, to + at, data + at, &was);
		if (o->kind == GOMPI_ERRAND_FETCH)
			memcpy(data + at, &was, size);
	}
}

static void carry_out(struct gompi_errand *e, const struct order *o)
{
	char *to = (char *)(uintptr_t)o->addr, *data = gompi_errand_data(e, o->bytes);

	switch (o->kind) {
	case GOMPI_ERRAND_PUT:
		memcpy(to, data, o->bytes);
		return;
	case GOMPI_ERRAND_GET:
		memcpy(data, to, o->bytes);
		return;
	case GOMPI_ERRAND_SWAP:
		swap(to, data, o->bytes);
		return;
	}
	accumulate(to, data, o);
}

/* Carries out an errand that is posted. What it asks for stays as it is read here if it can be taken afterwards. */
static int serve_errand(struct gompi_window *w, struct gompi_errand *e, uint32_t number)
{
	uint32_t posted = number << 2 | GOMPI_ERRAND_POSTED, free = 0;
	struct order o = order_of(e);
	int guarded = o.kind >= GOMPI_ERRAND_ACCUMULATE;

	if (w->touchable == 0 || !known(w, &o))
		return GOMPI_LEFT_TO_GO;
	if (guarded && !__atomic_compare_exchange_n(w->guard, &free, w->me + 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
		return GOMPI_LEFT_SOME; /* somebody reaches this memory by the kernel */
	if (__atomic_compare_exchange_n(&e->state, &posted, number << 2 | GOMPI_ERRAND_TAKEN, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) {
		carry_out(e, &o);
		__atomic_store_n(&e->state, number << 2 | GOMPI_ERRAND_DONE, __ATOMIC_RELEASE);
	}
	if (guarded)
		__atomic_store_n(w->guard, 0, __ATOMIC_RELEASE);
	return GOMPI_LEFT_NOTHING;
}

/* Carries out the errands of one rank. */
static int serve_from(struct gompi_window *w, struct gompi_target *t)
{
	uint32_t first = t->next;
	int left = GOMPI_LEFT_NOTHING;

	for (; left == GOMPI_LEFT_NOTHING; t->next += left == GOMPI_LEFT_NOTHING) {
		struct gompi_errand *e = (struct gompi_errand *)(t->calls + (uintptr_t)(t->next % GOMPI_ERRANDS) * GOMPI_ERRAND_STRIDE);
		uint32_t state = __atomic_load_n(&e->state, __ATOMIC_ACQUIRE);
		if ((int32_t)((state & ~(uint32_t)3) - (t->next << 2)) < 0)
			break;
		if (state == (t->next << 2 | GOMPI_ERRAND_POSTED))
			left = serve_errand(w, e, t->next);
		else if (state == (t->next << 2 | GOMPI_ERRAND_TAKEN))
			left = GOMPI_LEFT_SOME; /* its origin is about it */
	}
	if (t->next != first)
		gompi_ring(t->bell);
	return left;
}

int gompi_serve_callers(struct gompi_window *w, uint64_t callers)
{
	int most = GOMPI_LEFT_NOTHING;

	for (callers &= gompi_all_ranks(w); callers != 0; callers &= callers - 1) {
		int left = serve_from(w, &w->targets[__builtin_ctzll(callers)]);
		if (left > most)
			most = left;
	}
	return most;
}
