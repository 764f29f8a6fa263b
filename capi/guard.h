/* Memory that nobody may use for a while: buffers of receives whose messages have not come (GOMPI_CHECK). */
#ifndef GOMPI_GUARD_H
#define GOMPI_GUARD_H

#include <stdint.h>

#pragma GCC visibility push(hidden)

enum { GOMPI_UNUSED, GOMPI_USED, GOMPI_READ, GOMPI_WRITTEN };

/* Guards the pages [lo, hi), which can be read and written. It returns the number of the guard, -1 where
 * there are too many. Who uses the memory goes on, and is noted. */
int gompi_guard(uintptr_t lo, uintptr_t hi);

/* Ends a guard and returns how the program has used the memory. at is by which instruction, 0 for none. */
int gompi_unguard(int guard, uintptr_t *at);

/* How many guarded buffers the program has used. */
uint32_t gompi_guards_hit(void);

#pragma GCC visibility pop

#endif
