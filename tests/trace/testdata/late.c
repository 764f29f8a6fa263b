/* Rank 0 sends late, and the last rank comes late to a collective operation: when the others sleep there.
 * With an argument, rank 1 kills itself before that while the others go on to wait for a message. */
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

/* enters notes that a rank is about to wait in what it is about to call, by a file with its process. */
static void enters(const char *where, int rank)
{
	char name[64], part[80];

	snprintf(name, sizeof name, "%s.%d", where, rank);
	snprintf(part, sizeof part, "%s.part", name);
	FILE *f = fopen(part, "w");
	fprintf(f, "%d", (int)getpid());
	fclose(f);
	rename(part, name);
}

/* waits returns when a rank has noted that, and sleeps. */
static void waits(const char *where, int rank)
{
	char name[64];
	int pid = 0;

	snprintf(name, sizeof name, "%s.%d", where, rank);
	FILE *f;
	while ((f = fopen(name, "r")) == NULL)
		usleep(10000);
	if (fscanf(f, "%d", &pid) == 1)
		asleep(pid);
	fclose(f);
	unlink(name);
	usleep(100000);
}

int main(int argc, char **argv)
{
	int rank, size, value = 0;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 0) {
		for (int i = 1; i < size; i++)
			waits("receive", i);
		for (int i = 1; i < size; i++)
			MPI_Send(&value, 1, MPI_INT, i, 3, MPI_COMM_WORLD);
	} else {
		enters("receive", rank);
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
	if (rank < size - 1)
		enters("reduction", rank);
	for (int i = 0; rank == size - 1 && i < rank; i++)
		waits("reduction", i);
	MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	MPI_Finalize();
	return 0;
}
