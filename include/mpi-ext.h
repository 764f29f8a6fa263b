/* mpi-ext.h - where programs written for Open MPI find what goes beyond the standard: all of it is in mpi.h.
 * Each extension has a macro by which programs ask for it. */
#ifndef GOMPI_MPI_EXT_H
#define GOMPI_MPI_EXT_H

#include <mpi.h>

/* Going on after failures: MPIX_Comm_revoke and so on */
#define OMPI_HAVE_MPI_EXT_FTMPI 1

/* The names that Open MPI has for these as well */
#define MPI_ERR_PROC_FAILED MPIX_ERR_PROC_FAILED
#define MPI_ERR_PROC_FAILED_PENDING MPIX_ERR_PROC_FAILED_PENDING
#define MPI_ERR_REVOKED MPIX_ERR_REVOKED
#define MPI_FT MPIX_FT

#endif
