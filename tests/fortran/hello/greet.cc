#include <cstdio>

#include <mpi.h>

extern "C" void greet_()
{
	int me;

	MPI_Comm_rank(MPI_COMM_WORLD, &me);
	if (me == 0)
		std::puts("hello");
}
