/* late HOW: ranks of several hosts that end at different times.
 *
 * quiet: nobody says anything. long: nor do ranks that compute for a while. sleep: the last rank computes for
 * longer than any test, and the first one wants to talk to it. pair: the first and the last rank talk after a
 * while, when the others are at their end; near: the same for the first two ranks, and then the last says
 * something to the first. talk: all at once, when they have said that they have begun. kill: rank 1 dies when
 * the others are at their end. exit: the first rank ends by exit at the time when the network is being
 * opened. */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void talk(int a, int b, int rank)
{
	int out = rank, in = -1, other = rank == a ? b : a;

	if (rank != a && rank != b)
		return;
	MPI_Sendrecv(&out, 1, MPI_INT, other, 0, &in, 1, MPI_INT, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	if (in != other)
		MPI_Abort(MPI_COMM_WORLD, 9);
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "quiet";
	int rank, size, sum;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	if (strcmp(how, "long") == 0)
		usleep(300000);
	if (strcmp(how, "sleep") == 0) {
		if (rank == size - 1)
			sleep(600);
		talk(0, size - 1, rank);
	}
	if (strcmp(how, "pair") == 0 && (rank == 0 || rank == size - 1)) {
		usleep(100000);
		talk(0, size - 1, rank);
	}
	if (strcmp(how, "near") == 0) {
		talk(0, 1, rank);
		talk(0, size - 1, rank);
	}
	if (strcmp(how, "talk") == 0) {
		printf("rank %d has begun\n", rank);
		fflush(stdout);
		MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
		if (sum != size * (size - 1) / 2)
			MPI_Abort(MPI_COMM_WORLD, 9);
	}
	if (strcmp(how, "kill") == 0 && rank == 1) {
		usleep(300000);
		raise(SIGKILL);
	}
	if (strcmp(how, "exit") == 0 && rank == 0) {
		usleep(40000);
		exit(3);
	}
	MPI_Finalize();
	printf("rank %d is done\n", rank);
	return 0;
}
