/* Where the cards of datatypes stand. */
#include "card.h"

#include <stdlib.h>

struct gompi_card gompi_named_cards[GOMPI_CARDS];
struct gompi_card *gompi_card_chunks[GOMPI_CARD_CHUNKS];

uintptr_t gompi_card_chunk(uint32_t number)
{
	struct gompi_card *chunk = __atomic_load_n(&gompi_card_chunks[number], __ATOMIC_ACQUIRE);
	if (chunk != NULL)
		return (uintptr_t)chunk;
	struct gompi_card *made = calloc(GOMPI_CARDS, sizeof *made);
        if (made == NULL || __atomic_compare_exchange_n(&gompi_card_chunks[number], &chunk, made, 0,
                                                        __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
            return (uintptr_t)made;
	free(made); /* another thread was first */
	return (uintptr_t)chunk;
}

uintptr_t gompi_named_card(uint32_t low)
{
	return (uintptr_t)&gompi_named_cards[low];
}

uintptr_t gompi_card_loops(uint32_t loops)
{
	return (uintptr_t)calloc(loops, sizeof(struct gompi_loop));
}

void gompi_card_loops_free(uintptr_t all)
{
	free((void *)all);
}
