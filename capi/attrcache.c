/* What a thread remembers of attributes. */
#include "attrcache.h"

#include <pthread.h>
#include <stdlib.h>

static struct gompi_found nothing[GOMPI_FOUND];
__thread struct gompi_found *gompi_found __attribute__((tls_model("initial-exec"))) = nothing;

/* Entries that were never used, all zero, match no count of changes. */
static const uint64_t never = 1;
const uint64_t *gompi_attr_changes = &never;

/* Frees the entries of a thread that ends. */
static pthread_key_t ending;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int watched;

static void forget(void *entries)
{
	gompi_found = nothing;
	free(entries);
}

static void make_key(void)
{
	watched = pthread_key_create(&ending, forget) == 0;
}

void gompi_attr_watch(uintptr_t changes)
{
	gompi_attr_changes = (const uint64_t *)changes;
}

/* Makes entries for the calling thread; 0 when there is no memory. */
static int make_entries(void)
{
	pthread_once(&once, make_key);
	struct gompi_found *entries = watched ? calloc(GOMPI_FOUND, sizeof *entries) : NULL;
	if (entries == NULL || pthread_setspecific(ending, entries) != 0) {
		free(entries);
		return 0;
	}
	gompi_found = entries;
	return 1;
}

void gompi_attr_found(uintptr_t object, int keyval, uintptr_t value, uint64_t changes)
{
	if (gompi_found == nothing && !make_entries())
		return;
	struct gompi_found *e = gompi_attr_entry(object, keyval);
	e->object = object;
	e->keyval = keyval;
	e->value = value;
	e->changes = changes;
}
