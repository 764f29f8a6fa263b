/* What every C stub needs. The stubs include the true mpi.h, so the compiler checks each of their prototypes,
 * and cgo's header, so it checks how they call into Go. */
#ifndef GOMPI_STUB_H
#define GOMPI_STUB_H

#include <limits.h>
#include <stdint.h>

#include "../include/mpi.h"

#include "_cgo_export.h"
#include "callback.h"
#include "fast.h"
#include "init_state.h"
#include "thread.h"

/* A function that needs an initialized library; costs two loads and a branch. */
#define GOMPI_ENTER(name) \
	do { \
		if (__builtin_expect(*gompi_init_state != GOMPI_ACTIVE, 0)) \
			return gompi_refuse(name); \
	} while (0)

/* A function that is legal at any time, except in a child of fork. */
#define GOMPI_ENTER_ANY(name) \
	do { \
		if (__builtin_expect(*gompi_init_state == GOMPI_FORKED, 0)) \
			return gompi_refuse(name); \
	} while (0)

/* Ahead of the call into Go. A thread keeps its Go state until it ends; one that needs no Go has none, which
 * takes long to make. Reports name where the stub returns to. */
#define GOMPI_PREPARE() \
	do { \
		if (__builtin_expect(!gompi_thread->prepared, 0)) \
			gompi_prepare(); \
		gompi_thread->from = __builtin_return_address(0); \
	} while (0)

/* The MPI_ name of a PMPI_ function, for tools to replace (MPI 5.0, 15.2). */
#define GOMPI_WEAK_X(name) \
	extern __typeof__(PMPIX_##name) MPIX_##name __attribute__((weak, alias("PMPIX_" #name)));
#define GOMPI_WEAK(name) \
	extern __typeof__(PMPI_##name) MPI_##name __attribute__((weak, alias("PMPI_" #name)));

/* Objects whose error handler hears of an unsupported operation. */
enum { GOMPI_ON_NOTHING, GOMPI_ON_COMM, GOMPI_ON_WIN, GOMPI_ON_FILE, GOMPI_ON_SESSION, GOMPI_ON_TOOL };

#endif
