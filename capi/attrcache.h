/* Attributes that a thread has found lately. Libraries look theirs up at every entry, and a call into Go
 * takes longer than the whole look-up. An entry is out of date as soon as any attribute of any object comes
 * or goes. */
#ifndef GOMPI_ATTRCACHE_H
#define GOMPI_ATTRCACHE_H

#include <stddef.h>
#include <stdint.h>

#include "mpi.h"

#include "address.h"
#include "thread.h"

#pragma GCC visibility push(hidden)

/* A number above 0 that grows with every change of attributes, in Go's memory; it does not until Go says
 * where it is. */
extern const uint64_t *gompi_attr_changes;
void gompi_attr_watch(uintptr_t changes);

/* Called by Go, in the thread that asks, with what it has found. */
void gompi_attr_found(uintptr_t object, int keyval, uintptr_t value, uint64_t changes);

#pragma GCC visibility pop

static inline struct gompi_found *gompi_attr_entry(uintptr_t object, int keyval)
{
	return &gompi_thread->found[(object + (unsigned)keyval) % GOMPI_FOUND];
}

static inline int gompi_fast_attr(uintptr_t object, int keyval, void *attribute_val, int *flag)
{
	const struct gompi_found *e = gompi_attr_entry(object, keyval);
	if (e->object != object || e->keyval != keyval || gompi_nowhere(attribute_val) || gompi_nowhere(flag) ||
	    gompi_thread->callers != NULL || e->changes != __atomic_load_n(gompi_attr_changes, __ATOMIC_ACQUIRE))
		return 0;
	*(void **)attribute_val = (void *)e->value;
	*flag = 1;
	return 1;
}

#define gompi_fast_Comm_get_attr(comm, keyval, value, flag)                                                  \
    gompi_fast_attr((uintptr_t)(comm), keyval, value, flag)
#define gompi_fast_Attr_get gompi_fast_Comm_get_attr
#define gompi_fast_Win_get_attr(win, keyval, value, flag)                                                    \
    gompi_fast_attr((uintptr_t)(win), keyval, value, flag)
#define gompi_fast_Type_get_attr(type, keyval, value, flag)                                                  \
    gompi_fast_attr((uintptr_t)(type), keyval, value, flag)

#endif
