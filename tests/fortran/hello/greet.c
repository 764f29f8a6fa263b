#include <stdio.h>

#include <mpi.h>

void greet_(void);
void greet_(void)
{
	int me;

	MPI_Comm_rank(MPI_COMM_WORLD, &me);
	if (me == 0)
		puts("hello");
}
