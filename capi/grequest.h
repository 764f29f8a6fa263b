/* Calls of the program's functions that belong to generalized requests. */
#ifndef GOMPI_GREQUEST_H
#define GOMPI_GREQUEST_H

#include <stdint.h>

#pragma GCC visibility push(hidden)

/* What a query function did: its code and the words of the status. */
struct gompi_queried {
	int32_t code, status[8];
};

struct gompi_queried gompi_call_query(uintptr_t function, uintptr_t extra);
int gompi_call_free(uintptr_t function, uintptr_t extra);
int gompi_call_cancel(uintptr_t function, uintptr_t extra, int complete);

#pragma GCC visibility pop

#endif
