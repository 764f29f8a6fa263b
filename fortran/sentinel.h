/* Constants of Fortran that are addresses (MPI 5.0, 2.5.4): variables that the modules and the common blocks
 * of mpif.h name. A program may bring its own copies, so the library must not be linked with -Bsymbolic. A
 * plug-in with mpif.h may do so too: those opened later, with a scope of their own, see the library's. */
#ifndef GOMPI_FORTRAN_SENTINEL_H
#define GOMPI_FORTRAN_SENTINEL_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "mpi.h"

extern int gompi_f_bottom_, gompi_f_in_place_, gompi_f_buffer_automatic_;
extern int gompi_f_unweighted_, gompi_f_weights_empty_, gompi_f_errcodes_ignore_;
extern MPI_Status gompi_f_status_ignore_, gompi_f_statuses_ignore_;
extern MPI_Status gompi_f08_status_ignore_, gompi_f08_statuses_ignore_; /* of mpi_f08 */
extern char gompi_f_argv_null_, gompi_f_argvs_null_;

/* The library's own copies lie in a section of their own. Of one of them preempted is the copy that the names
 * above stand for. */
extern const char __start_gompi_own[] __attribute__((visibility("hidden")));
extern const char __stop_gompi_own[] __attribute__((visibility("hidden")));
void *preempted(const void *own);
static inline void *in_use(const void *address)
{
	return (uintptr_t)address - (uintptr_t)__start_gompi_own <
	               (uintptr_t)__stop_gompi_own - (uintptr_t)__start_gompi_own
	           ? preempted(address)
	           : (void *)address;
}

static inline void *buffer_address(void *buffer)
{
	buffer = in_use(buffer);
	if (buffer == &gompi_f_bottom_)
		return MPI_BOTTOM;
	if (buffer == &gompi_f_in_place_)
		return MPI_IN_PLACE;
	if (buffer == &gompi_f_buffer_automatic_)
		return MPI_BUFFER_AUTOMATIC;
	return buffer;
}

/* The address that MPI_Get_address gives: only MPI_BOTTOM is not where its variable lies. */
static inline void *location_address(void *location)
{
	location = in_use(location);
	return location == &gompi_f_bottom_ ? MPI_BOTTOM : location;
}

/* Gives the address of a buffer that has been detached to a variable, which need not be aligned (MPI 5.0,
 * 3.6). Of MPI_BUFFER_AUTOMATIC it is that of Fortran's, so that it can be attached again. */
static inline void detached_to(void *variable, void *buffer)
{
	if (buffer == MPI_BUFFER_AUTOMATIC)
		buffer = &gompi_f_buffer_automatic_;
	memcpy(variable, &buffer, sizeof buffer);
}

static inline MPI_Status *status_address(MPI_Status *status)
{
	status = in_use(status);
	if (status == &gompi_f_status_ignore_ || status == &gompi_f_statuses_ignore_ ||
	    status == &gompi_f08_status_ignore_ || status == &gompi_f08_statuses_ignore_)
		return MPI_STATUS_IGNORE;
	return status;
}

static inline int *weights_address(int *weights)
{
	weights = in_use(weights);
	if (weights == &gompi_f_unweighted_)
		return MPI_UNWEIGHTED;
	return weights == &gompi_f_weights_empty_ ? MPI_WEIGHTS_EMPTY : weights;
}

#endif
