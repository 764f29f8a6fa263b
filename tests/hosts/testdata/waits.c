/* waits HOW SECONDS [FILE]: ranks of several hosts. Each makes FILE.rank when all are connected.
 *
 * sleep: the first waits for a message for so long, and prints how much of a processor it has taken
 * meanwhile, in percent. wake: the first sleeps again and again until something comes from the second, over
 * a socket and as a message by turns; it prints how many microseconds each takes to come, as medians. talk:
 * messages go to and fro between two ranks for so long, or until there is FILE.end, each one checked. */
#include <mpi.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static double used(void)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec)
		+ (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6;
}

enum { PAUSE = 3000, MOST = 1000 }; /* us between two messages; how many there are at most */

static void need(int ok)
{
	if (!ok)
		MPI_Abort(MPI_COMM_WORLD, 9);
}

/* The hosts of a test are on one machine, and have one clock. */
static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

/* A socket between the first two ranks. */
static int connected(int rank)
{
	struct {
		char host[256];
		struct sockaddr_in at;
	} card = {{0}, {.sin_family = AF_INET}};
	int s = socket(AF_INET, SOCK_STREAM, 0), on = 1;
	socklen_t n = sizeof card.at;

	if (rank == 0) {
		need(gethostname(card.host, sizeof card.host) == 0);
		need(bind(s, (void *)&card.at, n) == 0 && listen(s, 1) == 0);
		need(getsockname(s, (void *)&card.at, &n) == 0);
		MPI_Send(&card, sizeof card, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
		s = accept(s, NULL, NULL);
	} else {
		MPI_Recv(&card, sizeof card, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		struct hostent *host = gethostbyname(card.host);
		need(host != NULL);
		memcpy(&card.at.sin_addr, host->h_addr_list[0], sizeof card.at.sin_addr);
		need(connect(s, (void *)&card.at, n) == 0);
	}
	need(s >= 0 && setsockopt(s, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) == 0);
	return s;
}

static int order(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Messages until the time is over, by turns: the sender's clock. */
static void wake(int rank, int seconds)
{
	static double took[2][MOST];
	int s = connected(rank), n = seconds * 1000000 / (2 * PAUSE), k;
	double sent;

	for (k = 0; k < 2 * (n < MOST ? n : MOST); k++) {
		if (rank == 1) {
			usleep(PAUSE);
			sent = now();
			if (k % 2)
				MPI_Send(&sent, 1, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD);
			else
				need(write(s, &sent, sizeof sent) == sizeof sent);
			continue;
		}
		if (k % 2)
			MPI_Recv(&sent, 1, MPI_DOUBLE, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		else
			need(recv(s, &sent, sizeof sent, MSG_WAITALL) == sizeof sent);
		took[k % 2][k / 2] = now() - sent;
	}
	if (rank == 0) {
		qsort(took[0], (size_t)k / 2, sizeof(double), order);
		qsort(took[1], (size_t)k / 2, sizeof(double), order);
		printf("%.1f over a socket, %.1f as a message\n", took[0][k / 4], took[1][k / 4]);
	}
	close(s);
}

int main(int argc, char **argv)
{
	static char data[100000], name[1000];
	int rank, token = 1, seconds = argc > 2 ? atoi(argv[2]) : 1;
	long n = 0;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Barrier(MPI_COMM_WORLD); /* connected */
	if (argc > 3) {
		snprintf(name, sizeof name, "%s.%d", argv[3], rank);
		FILE *file = fopen(name, "w");
		if (file == NULL || fclose(file) != 0)
			MPI_Abort(MPI_COMM_WORLD, 9);
		snprintf(name, sizeof name, "%s.end", argv[3]);
	}
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
	if (argc > 1 && strcmp(argv[1], "wake") == 0)
		wake(rank, seconds);
	for (int go = 1; argc > 1 && strcmp(argv[1], "talk") == 0 && go; n++) {
		int length = (int)(n * 7919 % (long)sizeof data) + 1;

		if (rank == 0) {
			memset(data, (int)n, (size_t)length);
			MPI_Send(data, length, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
			go = MPI_Wtime() - begin < seconds && access(name, F_OK) != 0;
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
