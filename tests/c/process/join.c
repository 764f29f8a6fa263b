/* MPI_Comm_join: two ranks that have a TCP connection get an intercommunicator, and the socket stays as it
 * was. */
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "check.h"

/* One end of a TCP connection between ranks 0 and 1. */
static int connection(void)
{
	struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t length = sizeof at;
	int s = socket(AF_INET, SOCK_STREAM, 0), fd;

	if (me == 0) {
		CHECK_EQ(bind(s, (struct sockaddr *)&at, sizeof at), 0);
		CHECK_EQ(listen(s, 1), 0);
		CHECK_EQ(getsockname(s, (struct sockaddr *)&at, &length), 0);
		CHECK_MPI(MPI_Send(&at, sizeof at, MPI_BYTE, 1, 0, MPI_COMM_WORLD));
		fd = accept(s, NULL, NULL);
		close(s);
		return fd;
	}
	CHECK_MPI(MPI_Recv(&at, sizeof at, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
	CHECK_EQ(connect(s, (struct sockaddr *)&at, sizeof at), 0);
	return s;
}

static int descriptors(void)
{
	int n = 0;

	for (int fd = 0; fd < 1024; fd++)
		if (fcntl(fd, F_GETFD) >= 0)
			n++;
	return n;
}

int main(int argc, char **argv)
{
	MPI_Comm c;
	int before = 0;

	check_init(&argc, &argv);
	if (me == 0) {
		CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
		CHECK_CLASS(MPI_Comm_join(-1, &c), MPI_ERR_ARG);
		CHECK_CLASS(MPI_Comm_join(0, &c), MPI_ERR_ARG);
	}
	int fd = connection();
	for (int i = 0; i < 20; i++) {
		char word[6] = "quiet", got[6] = "";
		int size, rank, sum = 0, one = me + 1;
		CHECK_MPI(MPI_Comm_join(fd, &c));
		CHECK_MPI(MPI_Comm_remote_size(c, &size));
		CHECK_EQ(size, 1);
		CHECK_MPI(MPI_Comm_rank(c, &rank));
		CHECK_EQ(rank, 0);
		CHECK_MPI(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, c));
		CHECK_EQ(sum, 2 - me);
		CHECK_EQ(write(fd, word, sizeof word), (ssize_t)sizeof word); /* nothing of MPI's is in the way */
		CHECK_EQ(read(fd, got, sizeof got), (ssize_t)sizeof got);
		CHECK_EQ(memcmp(word, got, sizeof got), 0);
		CHECK_MPI(MPI_Comm_disconnect(&c));
		if (i == 2)
			before = descriptors();
	}
	CHECK_EQ(descriptors(), before);
	close(fd);
	return check_finish();
}
