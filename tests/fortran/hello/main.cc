#include <mpi.h>

extern "C" void greet_();

int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	greet_();
	MPI_Finalize();
	return 0;
}
