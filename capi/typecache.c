/* Where the entries of datatypes stand. */
#include "typecache.h"

#include <stdlib.h>

struct gompi_cached_type gompi_typecache_named[GOMPI_TYPECACHE_ENTRIES];
struct gompi_cached_type *gompi_typecache_chunks[GOMPI_TYPECACHE_CHUNKS];

uintptr_t gompi_typecache_chunk(uint32_t number)
{
	struct gompi_cached_type *chunk = __atomic_load_n(&gompi_typecache_chunks[number], __ATOMIC_ACQUIRE);
	if (chunk != NULL)
		return (uintptr_t)chunk;
	struct gompi_cached_type *made = calloc(GOMPI_TYPECACHE_ENTRIES, sizeof *made);
        if (made == NULL || __atomic_compare_exchange_n(&gompi_typecache_chunks[number], &chunk, made, 0,
                                                        __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
            return (uintptr_t)made;
	free(made); /* another thread was first */
	return (uintptr_t)chunk;
}

uintptr_t gompi_typecache_entry_named(uint32_t low)
{
	return (uintptr_t)&gompi_typecache_named[low];
}

uintptr_t gompi_typecache_loops(uint32_t loops)
{
	return (uintptr_t)calloc(loops, sizeof(struct gompi_loop));
}

void gompi_typecache_loops_free(uintptr_t all)
{
	free((void *)all);
}
