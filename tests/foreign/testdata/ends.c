/* ends HOW [WHO] [busy]: all ranks begin MPI; then rank WHO ends as HOW says while the others wait for a
 * message from it, or sleep outside of MPI (busy). HOW: well, kill, exit0, exit3, abort, child,
 * early. */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int rank, size, sum, message;
	const char *task = getenv("SLURM_PROCID");

	/* early: that rank of Slurm's ends ahead of MPI_Init, when the others wait for it there */
	if (argc > 2 && strcmp(argv[1], "early") == 0 && task != NULL && atoi(task) == atoi(argv[2])) {
		usleep(argc > 3 ? 0 : 100000);
		_exit(0);
	}
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	printf("rank %d of %d, sum %d\n", rank, size, sum);
	fflush(stdout);
	const char *how = argc > 1 ? argv[1] : "well";
	int who = argc > 2 ? atoi(argv[2]) : 0, busy = argc > 3;
	if (rank == who) {
		usleep(100000); /* the others wait by now */
		if (strcmp(how, "kill") == 0)
			raise(SIGKILL);
		if (strcmp(how, "exit0") == 0)
			_exit(0);
		if (strcmp(how, "exit3") == 0)
			_exit(3);
		if (strcmp(how, "abort") == 0)
			MPI_Abort(MPI_COMM_WORLD, 7);
		if (strcmp(how, "child") == 0 && system(argv[0]) != 0)
			MPI_Abort(MPI_COMM_WORLD, 8);
	} else if (strcmp(how, "well") != 0 && strcmp(how, "child") != 0) {
		while (busy)
			pause();
		MPI_Recv(&message, 1, MPI_INT, who, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}
	MPI_Finalize();
	return 0;
}
