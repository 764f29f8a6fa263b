/* waits HOW SECONDS: two ranks of two hosts.
 *
 * sleep: the first waits for a message for so long, and prints how much of a processor it has taken
 * meanwhile, in percent. talk: messages go to and fro for so long, each one checked. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static double used(void)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec)
		+ (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6;
}

int main(int argc, char **argv)
{
	static char data[100000];
	int rank, token = 1, seconds = argc > 2 ? atoi(argv[2]) : 1;
	long n = 0;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Barrier(MPI_COMM_WORLD); /* connected */
	double begin = MPI_Wtime(), before = used();
	if (argc > 1 && strcmp(argv[1], "sleep") == 0) {
		if (rank == 1)
			sleep((unsigned)seconds);
		if (rank == 1)
			MPI_Send(&token, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
		else
			MPI_Recv(&token, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		if (rank == 0)
			printf("%.3f percent\n", 100 * (used() - before) / (MPI_Wtime() - begin));
	}
	for (int go = 1; argc > 1 && strcmp(argv[1], "talk") == 0 && go; n++) {
		int length = (int)(n * 7919 % (long)sizeof data) + 1;

		if (rank == 0) {
			memset(data, (int)n, (size_t)length);
			MPI_Send(data, length, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
			go = MPI_Wtime() - begin < seconds;
			MPI_Send(&go, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
		} else {
			MPI_Recv(data, length, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
			for (int i = 0; i < length; i++)
				if (data[i] != (char)n)
					MPI_Abort(MPI_COMM_WORLD, 9);
			MPI_Recv(&go, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		}
	}
	MPI_Finalize();
	return 0;
}
