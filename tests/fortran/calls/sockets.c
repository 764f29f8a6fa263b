/* Connected sockets, for MPI_Comm_join: one process listens, the other connects. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

int listening(int *port);
int accepted(int s);
int connected(int port);
void closed(int s);

int listening(int *port)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof at;
    int s = socket(AF_INET, SOCK_STREAM, 0);
    if (bind(s, (struct sockaddr *)&at, sizeof at) != 0 || listen(s, 1) != 0 ||
        getsockname(s, (struct sockaddr *)&at, &length) != 0)
        return -1;
    *port = ntohs(at.sin_port);
    return s;
}

int accepted(int s) { return accept(s, NULL, NULL); }

int connected(int port)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    int s = socket(AF_INET, SOCK_STREAM, 0);
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return connect(s, (struct sockaddr *)&at, sizeof at) == 0 ? s : -1;
}

void closed(int s) { close(s); }
