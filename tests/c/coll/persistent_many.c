/*
 * A communicator has as many persistent collective operations as a program likes, started and freed by each
 * rank in an order of its own (MPI 5.0, 6.13), and made again where others have been freed.
 */
#include "check.h"

enum { MANY = 45, ROUNDS = 6 };

static int mine[MANY], all[MANY], from[MANY][64];
static MPI_Request requests[MANY];

/* One of three operations, by number. */
static void make(int i)
{
	switch (i % 3) {
	case 0:
		CHECK_MPI(MPI_Allreduce_init(&mine[i], &all[i], 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL,
		                             &requests[i]));
		break;
	case 1:
		CHECK_MPI(MPI_Bcast_init(&all[i], 1, MPI_INT, i % np, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[i]));
		break;
	default:
		CHECK_MPI(MPI_Allgather_init(&mine[i], 1, MPI_INT, from[i], 1, MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL,
		                             &requests[i]));
	}
}

static void fill(int i, int round)
{
	mine[i] = 1000 * round + 10 * i + me;
	all[i] = i % 3 == 1 && me == i % np ? mine[i] : -1;
}

static void check(int i, int round)
{
	int base = 1000 * round + 10 * i;
	switch (i % 3) {
	case 0:
		CHECK_EQ(all[i], np * base + np * (np - 1) / 2);
		break;
	case 1:
		CHECK_EQ(all[i], base + i % np);
		break;
	default:
		for (int r = 0; r < np; r++)
			CHECK_EQ(from[i][r], base + r);
	}
}

/* The k-th operation in the order of this rank. */
static int in_order(int k, int round)
{
	return (k * (me % 2 ? 7 : 11) + 13 * me + round) % MANY;
}

int main(int argc, char **argv)
{
	check_init(&argc, &argv);
	for (int i = 0; i < MANY; i++)
		make(i);
	for (int round = 0; round < ROUNDS; round++) {
		for (int k = 0; k < MANY; k++) {
			int i = in_order(k, round);
			fill(i, round);
			CHECK_MPI(MPI_Start(&requests[i]));
		}
		CHECK_MPI(MPI_Waitall(MANY, requests, MPI_STATUSES_IGNORE));
		for (int i = 0; i < MANY; i++)
			check(i, round);

		/* A third goes, at another time on each rank, and is made again in the same order on all. */
		for (int k = 0; k < MANY; k++) {
			int i = in_order(k, round);
			if (i % 5 == round % 5 || i % 7 == round % 7)
				CHECK_MPI(MPI_Request_free(&requests[i]));
		}
		for (int i = MANY - 1; i >= 0; i--)
			if (i % 5 == round % 5 || i % 7 == round % 7)
				make(i);
	}

	for (int k = 0; k < MANY; k++)
		CHECK_MPI(MPI_Request_free(&requests[in_order(k, ROUNDS)]));

	/* Nor is there an end to those that are made and freed. */
	for (int round = 0; round < 100; round++) {
		int sum = -1, value = round + me;
		MPI_Request r, other;
		CHECK_MPI(MPI_Allreduce_init(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &r));
		CHECK_MPI(MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &other));
		MPI_Request *order[] = {&r, &other};
		for (int k = 0; k < 2; k++)
			CHECK_MPI(MPI_Start(order[(k + me) % 2]));
		CHECK_MPI(MPI_Wait(&other, MPI_STATUS_IGNORE));
		CHECK_MPI(MPI_Wait(&r, MPI_STATUS_IGNORE));
		CHECK_EQ(sum, np * round + np * (np - 1) / 2);
		CHECK_MPI(MPI_Request_free(&r));
		CHECK_MPI(MPI_Request_free(&other));
	}
	return check_finish();
}
