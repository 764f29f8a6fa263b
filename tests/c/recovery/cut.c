/*
 * A network that loses the connection of two ranks that live: they are told, and do not wait for ever. The
 * one that is told first ends, by which the other one may hear of its end instead.
 */
#include "recovery.h"

#include <netinet/in.h>
#include <sys/socket.h>

/* Ends all connections of this process over the network. */
static void cut_connections(void)
{
    for (int fd = 3; fd < 1024; fd++) {
        struct sockaddr_storage peer;
        socklen_t size = sizeof peer;

        if (getpeername(fd, (struct sockaddr *)&peer, &size) == 0
            && (peer.ss_family == AF_INET || peer.ss_family == AF_INET6))
            shutdown(fd, SHUT_RDWR);
    }
}

int main(int argc, char **argv)
{
    enum { BYTES = 300000, ROUNDS = 2000, CUT = 100 };
    static char out[BYTES], in[BYTES];
    int rc = MPI_SUCCESS;

    recovery_begin(&argc, &argv);
    for (int i = 0; i < ROUNDS && rc == MPI_SUCCESS; i++) {
        if (me == 0 && i >= CUT)
            cut_connections();
        rc = MPI_Sendrecv(out, BYTES, MPI_CHAR, 1 - me, 1, in, BYTES, MPI_CHAR, 1 - me, 1, MPI_COMM_WORLD,
                          MPI_STATUS_IGNORE);
    }
    if (error_class(rc) == MPI_ERR_PROC_ABORTED) {
        char text[MPI_MAX_ERROR_STRING];
        int length;

        MPI_Error_string(rc, text, &length);
        printf("%s\n", text);
        fflush(stdout);
    }
    _exit(rc == MPI_SUCCESS ? 1 : 3);
}
