/* Functions that need no Go: clocks, addresses, handles as integers, and the fields of a status. */
#define _GNU_SOURCE
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include "stub.h"

/* Says which of two arguments is no address. */
static int nowhere(const char *function, const char *name, const void *address, const char *other_name,
                   const void *other)
{
	if (!gompi_nowhere(address))
		name = other_name, address = other;
	GOMPI_PREPARE();
	return gompi_done(gompi_bad_address((uintptr_t)function, (uintptr_t)name, (uintptr_t)address));
}

double PMPI_Wtime(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	__atomic_store_n(&gompi_endpoint->asking.clocked, gompi_endpoint->asking.clocked + 1, __ATOMIC_RELAXED);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
GOMPI_WEAK(Wtime)

double PMPI_Wtick(void)
{
	struct timespec t;

	clock_getres(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
GOMPI_WEAK(Wtick)

MPI_Aint PMPI_Aint_add(MPI_Aint base, MPI_Aint disp)
{
	return (MPI_Aint)((uintptr_t)base + (uintptr_t)disp);
}
GOMPI_WEAK(Aint_add)

MPI_Aint PMPI_Aint_diff(MPI_Aint addr1, MPI_Aint addr2)
{
	return (MPI_Aint)((uintptr_t)addr1 - (uintptr_t)addr2);
}
GOMPI_WEAK(Aint_diff)

int PMPI_Get_address(const void *location, MPI_Aint *address)
{
	GOMPI_ENTER("MPI_Get_address");
	if (gompi_nowhere(address))
		return nowhere("MPI_Get_address", "address", address, NULL, NULL);
	*address = (MPI_Aint)location;
	return MPI_SUCCESS;
}
GOMPI_WEAK(Get_address)

int PMPI_Address(void *location, MPI_Aint *address)
{
	return PMPI_Get_address(location, address);
}
GOMPI_WEAK(Address)

int PMPI_Initialized(int *flag)
{
	GOMPI_ENTER_ANY("MPI_Initialized");
	if (gompi_nowhere(flag))
		return nowhere("MPI_Initialized", "flag", flag, NULL, NULL);
	*flag = __atomic_load_n(&gompi_world_stage, __ATOMIC_ACQUIRE) >= GOMPI_ACTIVE;
	return MPI_SUCCESS;
}
GOMPI_WEAK(Initialized)

int PMPI_Finalized(int *flag)
{
	GOMPI_ENTER_ANY("MPI_Finalized");
	if (gompi_nowhere(flag))
		return nowhere("MPI_Finalized", "flag", flag, NULL, NULL);
	*flag = __atomic_load_n(&gompi_world_stage, __ATOMIC_ACQUIRE) == GOMPI_FINISHED;
	return MPI_SUCCESS;
}
GOMPI_WEAK(Finalized)

/* Without a tool that replaces it, MPI_Pcontrol does nothing (MPI 5.0, 15.2.4). */
int PMPI_Pcontrol(int level, ...)
{
	(void)level;
	return MPI_SUCCESS;
}
GOMPI_WEAK(Pcontrol)

/* A handle is a small integer in the place of a pointer, so it is its own Fortran handle. */
#define AS_INTEGER(type, name) \
	int PMPI_##name##_toint(type handle) \
	{ \
		return (int)(intptr_t)handle; \
	} \
	type PMPI_##name##_fromint(int handle) \
	{ \
		return (type)(intptr_t)handle; \
	} \
	MPI_Fint PMPI_##name##_c2f(type handle) \
	{ \
		return (MPI_Fint)(intptr_t)handle; \
	} \
	type PMPI_##name##_f2c(MPI_Fint handle) \
	{ \
		return (type)(intptr_t)handle; \
	} \
	GOMPI_WEAK(name##_toint) \
	GOMPI_WEAK(name##_fromint) \
	GOMPI_WEAK(name##_c2f) \
	GOMPI_WEAK(name##_f2c)

AS_INTEGER(MPI_Comm, Comm)
AS_INTEGER(MPI_Errhandler, Errhandler)
AS_INTEGER(MPI_File, File)
AS_INTEGER(MPI_Group, Group)
AS_INTEGER(MPI_Info, Info)
AS_INTEGER(MPI_Message, Message)
AS_INTEGER(MPI_Op, Op)
AS_INTEGER(MPI_Request, Request)
AS_INTEGER(MPI_Session, Session)
AS_INTEGER(MPI_Datatype, Type)
AS_INTEGER(MPI_Win, Win)

/* MPI_internal: [0] and [1] are the number of bytes, low half first, [2] is 1 when the operation was
 * cancelled. */
#define CANCELLED 2

#define STATUS_FIELD(lower, field) \
	int PMPI_Status_get_##lower(const MPI_Status *status, int *lower) \
	{ \
		GOMPI_ENTER_ANY("MPI_Status_get_" #lower); \
		if (gompi_nowhere(status) || gompi_nowhere(lower)) \
			return nowhere("MPI_Status_get_" #lower, "status", status, #lower, lower); \
		*lower = status->field; \
		return MPI_SUCCESS; \
	} \
	int PMPI_Status_set_##lower(MPI_Status *status, int lower) \
	{ \
		GOMPI_ENTER_ANY("MPI_Status_set_" #lower); \
		if (gompi_nowhere(status)) \
			return nowhere("MPI_Status_set_" #lower, "status", status, NULL, NULL); \
		status->field = lower; \
		return MPI_SUCCESS; \
	} \
	GOMPI_WEAK(Status_get_##lower) \
	GOMPI_WEAK(Status_set_##lower)

STATUS_FIELD(source, MPI_SOURCE)
STATUS_FIELD(tag, MPI_TAG)
STATUS_FIELD(error, MPI_ERROR)

int PMPI_Test_cancelled(const MPI_Status *status, int *flag)
{
	GOMPI_ENTER_ANY("MPI_Test_cancelled");
	if (gompi_nowhere(status) || gompi_nowhere(flag))
		return nowhere("MPI_Test_cancelled", "status", status, "flag", flag);
	*flag = status->MPI_internal[CANCELLED] != 0;
	return MPI_SUCCESS;
}
GOMPI_WEAK(Test_cancelled)

int PMPI_Status_set_cancelled(MPI_Status *status, int flag)
{
	GOMPI_ENTER_ANY("MPI_Status_set_cancelled");
	if (gompi_nowhere(status))
		return nowhere("MPI_Status_set_cancelled", "status", status, NULL, NULL);
	status->MPI_internal[CANCELLED] = flag != 0;
	return MPI_SUCCESS;
}
GOMPI_WEAK(Status_set_cancelled)

/* A Fortran status is the C status word by word (MPI 5.0, 20.3). */
int PMPI_Status_c2f(const MPI_Status *c_status, MPI_Fint f_status[])
{
	if (gompi_nowhere(c_status) || gompi_nowhere(f_status))
		return MPI_ERR_ARG;
	memcpy(f_status, c_status, sizeof *c_status);
	return MPI_SUCCESS;
}
GOMPI_WEAK(Status_c2f)

int PMPI_Status_f2c(const MPI_Fint f_status[], MPI_Status *c_status)
{
	if (gompi_nowhere(c_status) || gompi_nowhere(f_status))
		return MPI_ERR_ARG;
	memcpy(c_status, f_status, sizeof *c_status);
	return MPI_SUCCESS;
}
GOMPI_WEAK(Status_f2c)

_Static_assert(sizeof(MPI_Status) == 32, "the standard ABI has a status of 32 bytes");
_Static_assert(sizeof(MPI_Status) == MPI_F_STATUS_SIZE * sizeof(MPI_Fint), "a Fortran status is a C status");
_Static_assert(sizeof(MPI_Aint) == 8, "gompi is for 64-bit machines");
