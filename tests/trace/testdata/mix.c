/* Messages of all kinds around a ring, collective operations and accesses to windows. Each rank prints how
 * many messages it has received. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { MANY = 5 };

static int rank, size, received;

static int next(void) { return (rank + 1) % size; }
static int before(void) { return (rank + size - 1) % size; }

static void messages(MPI_Comm comm)
{
	MPI_Request requests[2 * MANY];
	MPI_Status status;
	MPI_Message message;
	int in[MANY] = {0}, out[MANY] = {0}, flag = 0, indices[2 * MANY], done = 0;

	/* in order, of two tags, posted the other way round */
	for (int i = 0; i < MANY; i++)
		MPI_Irecv(&in[i], 1, MPI_INT, before(), i % 2, comm, &requests[i]);
	for (int i = 0; i < MANY; i++)
		MPI_Isend(&out[i], 1, MPI_INT, next(), (MANY - 1 - i) % 2, comm, &requests[MANY + i]);
	MPI_Waitall(2 * MANY, requests, MPI_STATUSES_IGNORE);
	received += MANY;

	/* from anybody, with any tag */
	for (int i = 0; i < MANY; i++)
		MPI_Irecv(&in[i], 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &requests[i]);
	for (int i = 0; i < MANY; i++)
		MPI_Isend(&out[i], 1, MPI_INT, next(), 10 + i, comm, &requests[MANY + i]);
	while (done < 2 * MANY) {
		int n;

		MPI_Waitsome(2 * MANY, requests, &n, indices, MPI_STATUSES_IGNORE);
		done += n;
	}
	received += MANY;
	MPI_Barrier(comm);

	MPI_Sendrecv(out, 2, MPI_INT, next(), 20, in, MANY, MPI_INT, MPI_ANY_SOURCE, 20, comm, MPI_STATUS_IGNORE);
	received++;

	MPI_Isend(out, 3, MPI_INT, next(), 21, comm, &requests[0]);
	while (!flag)
		MPI_Improbe(MPI_ANY_SOURCE, 21, comm, &flag, &message, &status);
	MPI_Mrecv(in, 3, MPI_INT, &message, MPI_STATUS_IGNORE);
	MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
	received++;

	MPI_Recv_init(in, 1, MPI_INT, before(), 22, comm, &requests[0]);
	MPI_Send_init(out, 1, MPI_INT, next(), 22, comm, &requests[1]);
	for (int i = 0; i < 3; i++) {
		MPI_Startall(2, requests);
		for (flag = 0; !flag;)
			MPI_Testall(2, requests, &flag, MPI_STATUSES_IGNORE);
		received++;
	}
	MPI_Request_free(&requests[0]);
	MPI_Request_free(&requests[1]);
}

int main(int argc, char **argv)
{
	MPI_Comm dup, half;
	MPI_Win win;
	int one = 1, sum, *memory;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	messages(MPI_COMM_WORLD);
	MPI_Comm_dup(MPI_COMM_WORLD, &dup);
	messages(dup);
	MPI_Comm_split(dup, rank % 2, -rank, &half); /* ranks in the other order */
	MPI_Comm_rank(half, &rank);
	MPI_Comm_size(half, &size);
	messages(half);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, half);
	MPI_Bcast(&sum, 1, MPI_INT, 0, dup);
	MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
	MPI_Win_fence(0, win);
	MPI_Put(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
	MPI_Win_fence(0, win);
	MPI_Win_free(&win);
	MPI_Comm_free(&half);
	MPI_Comm_free(&dup);
	printf("received %d\n", received);
	MPI_Finalize();
	return 0;
}
