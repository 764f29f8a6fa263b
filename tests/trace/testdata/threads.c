/* Two threads of each of two ranks exchange messages, each of its own tag, after they have spawned a process;
 * then rank 0 polls for a message that nobody sends. */
#include <mpi.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

static int rank, times = 50;

static void *exchange(void *tag)
{
	int value = 0;

	for (int i = 0; i < times; i++) {
		if (rank == 0)
			MPI_Send(&value, 1, MPI_INT, 1, (int)(intptr_t)tag, MPI_COMM_WORLD);
		MPI_Recv(&value, 1, MPI_INT, 1 - rank, (int)(intptr_t)tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		if (rank == 1)
			MPI_Send(&value, 1, MPI_INT, 0, (int)(intptr_t)tag, MPI_COMM_WORLD);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	int provided, flag = 0;
	MPI_Comm parent, children;
	pthread_t threads[2];

	MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
	MPI_Comm_get_parent(&parent);
	if (parent != MPI_COMM_NULL) {
		MPI_Comm_disconnect(&parent);
		MPI_Finalize();
		return 0;
	}
	if (argc > 1)
		times = atoi(argv[1]);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (argc == 1) {
		MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children,
		               MPI_ERRCODES_IGNORE);
		MPI_Comm_disconnect(&children);
	}
	for (intptr_t i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, exchange, (void *)i);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	if (rank == 0)
		for (int i = 0; i < 1000; i++)
			MPI_Iprobe(1, 9, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
	MPI_Finalize();
	return 0;
}
