#include <mpi.h>

void greet_(void);

int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	greet_();
	MPI_Finalize();
	return 0;
}
