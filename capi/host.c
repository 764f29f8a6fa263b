/* What a rank does for others while it waits, as package rma does it (host.go). */
#include "window.h"

/* Longer rows of elements are left to Go, which takes vector loops for them. */
enum { ROW = 64 };

/* Tells whether the stubs can carry an errand out. */
static int known(const struct gompi_errand *e)
{
	if (e->kind <= GOMPI_ERRAND_GET)
		return 1;
	if (e->kind == GOMPI_ERRAND_SWAP)
		return (e->bytes == 4 || e->bytes == 8) && e->addr % e->bytes == 0;
	int element = gompi_elements[(e->type - 0x200) & 0xff];
	return e->type - 0x200 <= 0xff && e->bytes <= ROW && gompi_combines(element, e->op) && e->addr % gompi_element_size(element) == 0;
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

static void carry_out(struct gompi_errand *e)
{
	char *to = (char *)(uintptr_t)e->addr, *data = gompi_errand_data(e, e->bytes);

	switch (e->kind) {
	case GOMPI_ERRAND_PUT:
		memcpy(to, data, e->bytes);
		return;
	case GOMPI_ERRAND_GET:
		memcpy(data, to, e->bytes);
		return;
	case GOMPI_ERRAND_SWAP:
		swap(to, data, e->bytes);
		return;
	}
	int element = gompi_elements[(e->type - 0x200) & 0xff];
	unsigned size = gompi_element_size(element);
	for (uint32_t at = 0; at < e->bytes; at += size) {
		uint64_t was;
		gompi_combine(element, e->op, to + at, data + at, &was);
		if (e->kind == GOMPI_ERRAND_FETCH)
			memcpy(data + at, &was, size);
	}
}

/* Carries out an errand that is posted. */
static int serve_errand(struct gompi_window *w, struct gompi_errand *e, uint32_t number)
{
	uint32_t posted = number << 2 | GOMPI_ERRAND_POSTED, free = 0;
	int guarded = e->kind >= GOMPI_ERRAND_ACCUMULATE;

	if (w->touchable == 0 || !known(e))
		return GOMPI_LEFT_TO_GO;
	if (guarded && !__atomic_compare_exchange_n(w->guard, &free, w->me + 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
		return GOMPI_LEFT_SOME; /* somebody reaches this memory by the kernel */
	if (__atomic_compare_exchange_n(&e->state, &posted, number << 2 | GOMPI_ERRAND_TAKEN, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) {
		carry_out(e);
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

	for (; callers != 0; callers &= callers - 1) {
		int left = serve_from(w, &w->targets[__builtin_ctzll(callers)]);
		if (left > most)
			most = left;
	}
	return most;
}
