/* The windows that the stubs know. */
#include "window.h"

static struct gompi_window none;

struct gompi_window *gompi_windows[GOMPI_WINDOWS] = {[0 ... GOMPI_WINDOWS - 1] = &none};
uint8_t gompi_elements[256];
uint64_t gompi_groups_freed;

void gompi_set_window(uintptr_t place, uintptr_t window)
{
	gompi_windows[place % GOMPI_WINDOWS] = window ? (struct gompi_window *)window : &none;
}

void gompi_count_freed_group(void)
{
	__atomic_fetch_add(&gompi_groups_freed, 1, __ATOMIC_RELAXED);
}

void gompi_set_element(int type, int element)
{
	gompi_elements[type] = (uint8_t)element;
}

void gompi_copy_pieces(char *to, const char *from, uint64_t n)
{
	for (; n > GOMPI_PIECE; n -= GOMPI_PIECE, to += GOMPI_PIECE, from += GOMPI_PIECE)
		memmove(to, from, GOMPI_PIECE);
	memmove(to, from, n);
}

void gompi_ring_turn(const struct gompi_window *w, const struct gompi_target *t, uint32_t ticket)
{
	uint32_t node = __atomic_load_n(&t->turn[ticket & w->turns], __ATOMIC_ACQUIRE);
	if (node - 1 >= w->nodes)
		return;
	uint32_t *bell = (uint32_t *)(t->bells + (uintptr_t)(node - 1) * GOMPI_RANK_STRIDE);
	if (__atomic_load_n(bell, __ATOMIC_ACQUIRE) != 0)
		fast_wake(bell);
}
