/* Rank 0 sends late, and the last rank comes late to a collective operation. With an argument, rank 1 kills
 * itself before that while the others go on to wait for a message. */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* asleep waits until the main thread of a process sleeps. */
static void asleep(int pid)
{
	char path[64], state = 0;

	snprintf(path, sizeof path, "/proc/%d/stat", pid);
	while (state != 'S') {
		FILE *f = fopen(path, "r");

		usleep(10000);
		if (f == NULL || fscanf(f, "%*d %*s %c", &state) != 1)
			state = 0;
		if (f != NULL)
			fclose(f);
	}
}

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
			for (int i = 0; i < size - 1; i++) {
				MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
				asleep(value);
			}
			kill(getpid(), SIGKILL);
		}
		value = getpid();
		MPI_Send(&value, 1, MPI_INT, 1, 5, MPI_COMM_WORLD);
		MPI_Recv(&value, 1, MPI_INT, 1, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}
	if (rank == size - 1)
		usleep(100000);
	MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	MPI_Finalize();
	return 0;
}
