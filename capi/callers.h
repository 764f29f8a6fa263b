/* How the program's functions are called that are not C's: libraries of other languages, which stand in front
 * of this one, say so while they pass them on. */
#ifndef GOMPI_CALLERS_H
#define GOMPI_CALLERS_H

#include <stdint.h>

#include "../include/mpi.h"

/* One caller for each kind of function; NULL where a function is called as in C. A caller gets the function
 * and the extra state as they were passed when the function was given to MPI, and returns its error code. */
struct gompi_callers {
	int integers; /* values of attributes are integers as in Fortran, and no pointers (MPI 5.0, 19.3.7) */
	int (*copy)(uintptr_t function, uintptr_t handle, int keyval, uintptr_t extra, uintptr_t value,
	            uintptr_t *copied, int *flag);
	int (*delete_value)(uintptr_t function, uintptr_t handle, int keyval, uintptr_t value, uintptr_t extra);
	int (*query)(uintptr_t function, uintptr_t extra, MPI_Status *status);
	int (*free_state)(uintptr_t function, uintptr_t extra);
	int (*cancel)(uintptr_t function, uintptr_t extra, int complete);
	int (*extent)(uintptr_t function, MPI_Datatype datatype, MPI_Aint *extent, uintptr_t extra);
	int (*convert)(uintptr_t function, int wide, void *userbuf, MPI_Datatype datatype, MPI_Count count,
	               void *filebuf, MPI_Offset position, uintptr_t extra);
};

/* Until the next call of it, the calling thread's functions and values of attributes are those of another
 * language; NULL for C. A table has to stay where it is as long as the library is loaded. */
void gompi_with_callers(const struct gompi_callers *callers);

/* What a function is called for that goes along with an operation: ahead of each round of a persistent
 * request; when the operation has ended without an error, and before anybody learns that; when the request
 * is gone. */
enum { GOMPI_FOLLOW_BEGIN, GOMPI_FOLLOW_END, GOMPI_FOLLOW_RELEASE };

/* Has a function go along with the operation of a request that a nonblocking or persistent collective
 * operation has just made; where it has ended, its end and its release happen now. The function may not call
 * MPI. */
void gompi_follow(MPI_Request request, void (*function)(void *arg, int what), void *arg);

/* Has a partitioned operation whose request was just made use count elements of datatype at buf, which have
 * as much data as its buffer. Its partitions are equal shares of that data, and may begin within an
 * element. */
int gompi_lay_out(MPI_Request request, void *buf, MPI_Count count, MPI_Datatype datatype);

/* Has reports ask a library that stands in front from where in the program the calling thread's call comes;
 * NULL where it does not come through that library. */
void gompi_call_places(const void *(*place)(void));

#endif
