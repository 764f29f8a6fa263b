/* Calls of the program's functions that want to be told of events (MPI 5.0, 15.3.8). */
#ifndef GOMPI_TOOL_EVENT_H
#define GOMPI_TOOL_EVENT_H

#include <stdint.h>

#pragma GCC visibility push(hidden)

void gompi_call_event(uintptr_t function, uintptr_t instance, uintptr_t registration, int safety,
                      uintptr_t user_data);
void gompi_call_event_free(uintptr_t function, uintptr_t registration, int safety, uintptr_t user_data);
void gompi_call_event_dropped(uintptr_t function, int64_t count, uintptr_t registration, int source,
                              int safety, uintptr_t user_data);

#pragma GCC visibility pop

#endif
