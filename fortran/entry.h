/* What the routines of Fortran have in common. A routine gets addresses only, and the lengths of its strings
 * at the end; it calls the function of C by its MPI_ name, so that tools see it. An optional ierror that is
 * absent is a null pointer. */
#ifndef GOMPI_FORTRAN_ENTRY_H
#define GOMPI_FORTRAN_ENTRY_H

#include <stddef.h>
#include <stdint.h>

#include "mpi.h"

#include "section.h"
#include "sentinel.h"
#include "text.h"

#define LEAVE(ierror, rc) \
	do { \
		if (ierror != NULL) \
			*ierror = rc; \
	} while (0)

#define PLACE(call) \
	do { \
		if (rc == MPI_SUCCESS) \
			rc = call; \
	} while (0)

/* The name without P, for tools to replace. */
#define WEAK(name) extern __typeof__(pmpi_##name) mpi_##name __attribute__((weak, alias("pmpi_" #name)));

/* The same for a routine of an extension, whose name begins with mpix_. */
#define WEAK_X(name) extern __typeof__(pmpix_##name) mpix_##name __attribute__((weak, alias("pmpix_" #name)));

/* A second name of a routine, that of mpi_f08, for which the same bytes are passed. */
#define SAME(name, other) \
	extern __typeof__(pmpi_##name) pmpi_##other __attribute__((alias("pmpi_" #name))); \
	extern __typeof__(pmpi_##name) mpi_##other __attribute__((weak, alias("pmpi_" #name)));
#define SAME_X(name, other) \
	extern __typeof__(pmpix_##name) pmpix_##other __attribute__((alias("pmpix_" #name))); \
	extern __typeof__(pmpix_##name) mpix_##other __attribute__((weak, alias("pmpix_" #name)));

/* Arrays of handles have 4 bytes an element in Fortran and 8 in C. So many are converted without memory from
 * the heap. */
enum { FEW = 32 };

/* Makes room for n handles, in the array room of FEW or on the heap, and fills it unless the array is a
 * result alone. */
int handles_in(void **room, void ***handles, const int *array, int64_t n, int read);

/* Gives the room back; with write the handles go to the program's array first. */
void handles_out(void **room, void **handles, int *array, int64_t n, int write);

/* How many blocks a collective operation sends and receives: one for each process of the group, of the remote
 * group, or of the neighbors. */
struct blocks {
	int sends, receives;
};
struct blocks blocks_of(MPI_Comm comm, int neighbors);

/* How the functions of Fortran are called (capi/callers.h): with arguments by reference. */
extern const struct gompi_callers fortran_callers;

#endif
