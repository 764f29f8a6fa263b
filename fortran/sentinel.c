/* Where the constants of Fortran that are addresses lie. */
#include "sentinel.h"

int gompi_f_bottom_, gompi_f_in_place_, gompi_f_buffer_automatic_;
int gompi_f_unweighted_, gompi_f_weights_empty_, gompi_f_errcodes_ignore_;
MPI_Status gompi_f_status_ignore_, gompi_f_statuses_ignore_;
MPI_Status gompi_f08_status_ignore_, gompi_f08_statuses_ignore_;
char gompi_f_argv_null_, gompi_f_argvs_null_;
