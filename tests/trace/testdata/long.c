/* Two ranks exchange many messages by persistent requests, on a communicator that they have made at first,
 * and meet now and then. Rank 1 makes more calls than rank 0. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	int rank, value = 0, times = argc > 1 ? atoi(argv[1]) : 20000;
	MPI_Comm comm;
	MPI_Request send, receive;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_dup(MPI_COMM_WORLD, &comm);
	MPI_Send_init(&value, 1, MPI_INT, 1 - rank, 3, comm, &send);
	MPI_Recv_init(&value, 1, MPI_INT, 1 - rank, 3, comm, &receive);
	for (int i = 0; i < times; i++) {
		for (int part = 0; part < 2; part++) {
			MPI_Request *now = part == rank ? &send : &receive;

			MPI_Start(now);
			MPI_Wait(now, MPI_STATUS_IGNORE);
		}
		if (i % 100 == 0)
			MPI_Barrier(comm);
		if (rank == 1)
			MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_SELF);
	}
	MPI_Request_free(&send);
	MPI_Request_free(&receive);
	MPI_Comm_free(&comm);
	MPI_Finalize();
	return 0;
}
