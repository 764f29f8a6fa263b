/* wake.c - how soon a rank that sleeps in MPI_Recv has a message, in microseconds: half the time from the
 * send to the answer. Rank 0 computes before the send and stays awake for the answer, and rank 1 has waited
 * for 20 ms each time.
 *
 *   mpiexec -n 2 ./wake <milliseconds, unused> <seconds, unused> recv|read
 *
 * With read it is the same by 8 bytes over a connection of TCP, whose reader sleeps in read(2).
 */
#include "bench.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

enum { ROUNDS = 101 };

static const double PAUSE = 0.02; /* seconds */

static int connection;

static void send_mpi(void)
{
    MUST(MPI_Send(&(long){1}, 1, MPI_LONG, 1 - rank, 1, MPI_COMM_WORLD));
}

static void receive_mpi(void)
{
    long token;

    MUST(MPI_Recv(&token, 1, MPI_LONG, 1 - rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
}

/* Both ends of a connection between the hosts of the two ranks. */
static void connect_ranks(void)
{
    char host[256];
    struct addrinfo hints = {.ai_family = AF_INET}, *found;
    struct sockaddr_in address;
    socklen_t length = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM, 0), one = 1;

    if (gethostname(host, sizeof host) != 0 || getaddrinfo(host, NULL, &hints, &found) != 0)
        fail("the host has no address");
    memcpy(&address, found->ai_addr, sizeof address);
    if (rank == 1) {
        address.sin_port = 0;
        if (bind(listener, (struct sockaddr *)&address, length) != 0 || listen(listener, 1) != 0 ||
            getsockname(listener, (struct sockaddr *)&address, &length) != 0)
            fail("no socket that listens");
        MUST(MPI_Send(&address, length, MPI_BYTE, 0, 2, MPI_COMM_WORLD));
        connection = accept(listener, NULL, NULL);
        close(listener);
    } else {
        MUST(MPI_Recv(&address, length, MPI_BYTE, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        connection = listener;
        if (connect(connection, (struct sockaddr *)&address, length) != 0)
            fail("no connection");
    }
    if (connection < 0 || setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one) != 0)
        fail("no connection");
}

static void send_tcp(void)
{
    if (send(connection, &(long){1}, sizeof(long), 0) != sizeof(long))
        fail("send");
}

static void receive_tcp(void)
{
    long token;
    ssize_t n;

    do
        n = recv(connection, &token, sizeof token, rank == 0 ? MSG_DONTWAIT : 0);
    while (n < 0 && (errno == EAGAIN || errno == EINTR));
    if (n != sizeof token)
        fail("recv");
}

int main(int argc, char **argv)
{
    bench_start(&argc, &argv);
    if (size != 2 || argc != 4 || !chosen("recv,read", argv[3]))
        fail("wake needs 2 ranks, and recv or read");
    const int tcp = strcmp(argv[3], "read") == 0;
    double took[ROUNDS];

    if (tcp)
        connect_ranks();
    MUST(MPI_Barrier(MPI_COMM_WORLD));
    for (int i = 0; i < ROUNDS; i++) {
        took[i] = moment();
        for (const double begin = took[i]; rank == 0 && took[i] < begin + PAUSE;)
            took[i] = moment();
        if (rank == 0)
            tcp ? send_tcp() : send_mpi();
        tcp ? receive_tcp() : receive_mpi();
        took[i] = (moment() - took[i]) / 2;
        if (rank == 1)
            tcp ? send_tcp() : send_mpi();
    }
    result_alone(0, summarized(took, ROUNDS) * 1e6);
    MPI_Finalize();
    return 0;
}
