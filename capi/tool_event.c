/* Calls of the program's functions that want to be told of events. */
#include "tool_event.h"

#include "mpi.h"

void gompi_call_event(uintptr_t function, uintptr_t instance, uintptr_t registration, int safety,
                      uintptr_t user_data)
{
    ((MPI_T_event_cb_function *)function)((MPI_T_event_instance)instance,
                                          (MPI_T_event_registration)registration, (MPI_T_cb_safety)safety,
                                          (void *)user_data);
}

void gompi_call_event_free(uintptr_t function, uintptr_t registration, int safety, uintptr_t user_data)
{
    ((MPI_T_event_free_cb_function *)function)((MPI_T_event_registration)registration,
                                               (MPI_T_cb_safety)safety, (void *)user_data);
}

void gompi_call_event_dropped(uintptr_t function, int64_t count, uintptr_t registration, int source,
                              int safety, uintptr_t user_data)
{
	((MPI_T_event_dropped_cb_function *)function)(count, (MPI_T_event_registration)registration, source,
						      (MPI_T_cb_safety)safety, (void *)user_data);
}
