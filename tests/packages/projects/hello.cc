// What each project here builds in C++.
#include <mpi.h>

#include <iostream>
#include <sstream>

int main(int argc, char **argv)
{
	int rank, size, sum;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	std::ostringstream line;
	line << "C++: rank " << rank << " of " << size << ", sum " << sum << "\n";
	std::cout << line.str();
	MPI_Finalize();
}
