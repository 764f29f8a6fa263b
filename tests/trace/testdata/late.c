/* Rank 0 sends late, and the last rank comes late to a collective operation. With an argument, rank 1 kills
 * itself before that while the others go on to wait for a message. */
#include <mpi.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int rank, size, value = 0;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 0) {
		usleep(100000);
		for (int i = 1; i < size; i++)
			MPI_Send(&value, 1, MPI_INT, i, 3, MPI_COMM_WORLD);
	} else {
		MPI_Recv(&value, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}
	MPI_Barrier(MPI_COMM_WORLD);
	if (argc > 1) {
		if (rank == 1) {
			usleep(50000);
			kill(getpid(), SIGKILL);
		}
		MPI_Recv(&value, 1, MPI_INT, 1, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}
	if (rank == size - 1)
		usleep(100000);
	MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	MPI_Finalize();
	return 0;
}
