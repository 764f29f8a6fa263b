/* Routines that return values, those that Fortran alone has, and comparisons of handles. */
#include <string.h>

#include "entry.h"

double pmpi_wtime_(void)
{
	return MPI_Wtime();
}
WEAK(wtime_)
SAME(wtime_, wtime_f08_)

double pmpi_wtick_(void)
{
	return MPI_Wtick();
}
WEAK(wtick_)
SAME(wtick_, wtick_f08_)

MPI_Aint pmpi_aint_add_(MPI_Aint *base, MPI_Aint *disp)
{
	return MPI_Aint_add(*base, *disp);
}
WEAK(aint_add_)
SAME(aint_add_, aint_add_f08_)

MPI_Aint pmpi_aint_diff_(MPI_Aint *addr1, MPI_Aint *addr2)
{
	return MPI_Aint_diff(*addr1, *addr2);
}
WEAK(aint_diff_)
SAME(aint_diff_, aint_diff_f08_)

void pmpi_pcontrol_(int *level)
{
	MPI_Pcontrol(*level);
}
WEAK(pcontrol_)
SAME(pcontrol_, pcontrol_f08_)

/* MPI_Sizeof takes a variable of any type by descriptor, in the module mpi too. */
void pmpi_sizeof_f08ts_(struct gompi_section *x, int *size, int *ierror)
{
	*size = (int)x->elem_len;
	LEAVE(ierror, MPI_SUCCESS);
}
WEAK(sizeof_f08ts_)

/* The call itself keeps the compiler from holding the buffer in registers (MPI 5.0, 19.1.17). */
void pmpi_f_sync_reg_(void *buf)
{
	__asm__ volatile("" : : "r"(buf) : "memory");
}
WEAK(f_sync_reg_)
SAME(f_sync_reg_, f_sync_reg_f08_)

void pmpi_f_sync_reg_f08ts_(struct gompi_section *buf)
{
	__asm__ volatile("" : : "r"(buf->base) : "memory");
}
WEAK(f_sync_reg_f08ts_)

/* Tells mpifort what a compiler passes as a buffer. */
void gompi_f_address_(void *buf, MPI_Aint *address)
{
	*address = (MPI_Aint)buf;
}

/* All forms of a status are the same 32 bytes (MPI 5.0, 20.3). */
void pmpi_status_f2f08_f08_(const int *f_status, MPI_Status *f08_status, int *ierror)
{
	memcpy(f08_status, f_status, sizeof *f08_status);
	LEAVE(ierror, MPI_SUCCESS);
}
WEAK(status_f2f08_f08_)

void pmpi_status_f082f_f08_(const MPI_Status *f08_status, int *f_status, int *ierror)
{
	memcpy(f_status, f08_status, sizeof *f08_status);
	LEAVE(ierror, MPI_SUCCESS);
}
WEAK(status_f082f_f08_)

/* Operators of the handles of mpi_f08. */
static int equal(const int *a, const int *b)
{
	return *a == *b;
}
static int unequal(const int *a, const int *b)
{
	return *a != *b;
}

#define COMPARED(name) \
	extern __typeof__(equal) gompi_f_##name##_eq_ __attribute__((alias("equal"))); \
	extern __typeof__(unequal) gompi_f_##name##_ne_ __attribute__((alias("unequal")));
COMPARED(comm)
COMPARED(datatype)
COMPARED(errhandler)
COMPARED(file)
COMPARED(group)
COMPARED(info)
COMPARED(message)
COMPARED(op)
COMPARED(request)
COMPARED(session)
COMPARED(win)
