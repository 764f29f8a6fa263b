/* Uses what a job takes of its surroundings: messages of all protocols in both
 * directions, collectives, memory that ranks share, a file. "fine" is printed
 * by rank 0 when all of it went well. Ranks of one node have no use for a
 * network: none is opened. Arguments: MiB of the shared window, folder for the
 * file ("" for none). */
#define _GNU_SOURCE
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

static int rank, size;

static void check(int good, const char *what)
{
	if (!good) {
		fprintf(stderr, "rank %d: %s\n", rank, what);
		MPI_Abort(MPI_COMM_WORLD, 1);
	}
}

static void messages(void)
{
	for (int bytes = 1; bytes <= 8 << 20; bytes *= 16) {
		char *out = malloc(bytes), *in = malloc(bytes);
		memset(out, rank + bytes % 100, bytes);
		int to = (rank + 1) % size, from = (rank + size - 1) % size;
		MPI_Sendrecv(out, bytes, MPI_CHAR, to, 5, in, bytes, MPI_CHAR, from, 5, MPI_COMM_WORLD,
			     MPI_STATUS_IGNORE);
		MPI_Bcast(out, bytes, MPI_CHAR, 0, MPI_COMM_WORLD);
		for (int i = 0; i < bytes; i++) {
			check(in[i] == (char)(from + bytes % 100), "a message has come with other bytes");
			check(out[i] == (char)(bytes % 100), "a broadcast has come with other bytes");
		}
		free(out);
		free(in);
	}
}

static void window(MPI_Aint mib)
{
	MPI_Aint mine = (mib << 20) / size;
	char *memory;
	MPI_Win win;
	MPI_Win_allocate_shared(mine, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
	memset(memory, rank + 1, mine);
	MPI_Win_fence(0, win);
	char *next;
	MPI_Aint bytes;
	int unit, to = (rank + 1) % size;
	MPI_Win_shared_query(win, to, &bytes, &unit, &next);
	check(bytes == mine && next[0] == to + 1 && next[bytes - 1] == to + 1, "the shared window has other bytes");
	MPI_Win_fence(0, win);
	MPI_Win_free(&win);
}

static void file(const char *folder)
{
	char name[4096];
	snprintf(name, sizeof name, "%s/file", folder);
	MPI_File fh;
	int got = -1;
	check(MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
			    MPI_INFO_NULL, &fh) == 0,
	      "the file cannot be opened");
	MPI_File_write_at_all(fh, rank * sizeof rank, &rank, 1, MPI_INT, MPI_STATUS_IGNORE);
	MPI_File_sync(fh);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_File_sync(fh);
	MPI_File_read_at(fh, (rank + 1) % size * sizeof rank, &got, 1, MPI_INT, MPI_STATUS_IGNORE);
	check(got == (rank + 1) % size, "the file has other bytes");
	MPI_File_close(&fh);
}

static void network(void)
{
	for (int fd = 3; fd < 256; fd++) {
		struct sockaddr_storage a;
		socklen_t length = sizeof a;
		check(getsockname(fd, (struct sockaddr *)&a, &length) != 0 || a.ss_family == AF_UNIX,
		      "a socket of a network is open");
	}
	char line[4096];
	FILE *maps = fopen("/proc/self/maps", "r");
	while (maps != NULL && fgets(line, sizeof line, maps) != NULL)
		check(!strstr(line, "libfabric") && !strstr(line, "libibverbs") && !strstr(line, "libuc"), line);
	if (maps != NULL)
		fclose(maps);
}

int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	messages();
	window(argc > 1 ? atoi(argv[1]) : 1);
	if (argc > 2)
		file(argv[2]);
	network();
	int sum;
	MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	check(sum == size * (size - 1) / 2, "the sum is wrong");
	if (rank == 0)
		printf("fine %d\n", size);
	MPI_Finalize();
	return 0;
}
