// The name is the program's own when the bindings are left out.
#include <mpi.h>

enum { MPI = 5 };

int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	MPI_Finalize();
	return MPI - 5;
}
