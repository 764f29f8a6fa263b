/* What a thread remembers of attributes. */
#include "attrcache.h"

/* Entries that were never used, all zero, match no count of changes. */
static const uint64_t never = 1;
const uint64_t *gompi_attr_changes = &never;

void gompi_attr_watch(uintptr_t changes)
{
	gompi_attr_changes = (const uint64_t *)changes;
}

void gompi_attr_found(uintptr_t object, int keyval, uintptr_t value, uint64_t changes)
{
	struct gompi_found *e = gompi_attr_entry(object, keyval);
	e->object = object;
	e->keyval = keyval;
	e->value = value;
	e->changes = changes;
}
