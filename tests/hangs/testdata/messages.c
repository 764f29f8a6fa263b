/* Messages that are not sent, not received, or wait for each other. */
#include "case.h"

#define LARGE (1 << 20)
static int data[4];
static char large[LARGE], other[LARGE];

static void recv_from(int from, int tag) { MPI_Recv(data, 1, MPI_INT, from, tag, WORLD, IGNORE); }

static void send_to(int to, int tag) { MPI_Send(data, 1, MPI_INT, to, tag, WORLD); }

static void two(void)
{
    if (rank < 2)
        recv_from(1 - rank, 5);
}

static void circle(void) { recv_from((rank + 1) % size, 5); }

static void sends(void)
{
    MPI_Send(large, LARGE, MPI_CHAR, 1 - rank, 3, WORLD);
    MPI_Recv(other, LARGE, MPI_CHAR, 1 - rank, 3, WORLD, IGNORE);
}

static void ssends(void)
{
    MPI_Ssend(data, 2, MPI_INT, 1 - rank, 3, WORLD);
    MPI_Recv(data, 2, MPI_INT, 1 - rank, 3, WORLD, IGNORE);
}

static void tag(void)
{
    if (rank == 0)
        send_to(1, 7);
    if (rank == 1)
        recv_from(0, 8);
}

static void ssend_tag(void)
{
    if (rank == 0)
        MPI_Ssend(data, 1, MPI_INT, 1, 7, WORLD);
    else
        recv_from(0, 8);
}

static void communicator(void)
{
    MPI_Comm copy;
    MPI_Comm_dup(WORLD, &copy);
    MPI_Comm_set_name(copy, "copy");
    if (rank == 0)
        MPI_Send(data, 1, MPI_INT, 1, 5, copy);
    else
        recv_from(0, 5);
    MPI_Comm_free(&copy);
}

static void source(void)
{
    if (rank == 2)
        send_to(0, 4);
    if (rank == 0)
        recv_from(1, 4);
}

static void self_ssend(void)
{
    if (rank == 0)
        MPI_Ssend(data, 1, MPI_INT, 0, 6, WORLD);
}

static void self_recv(void)
{
    if (rank == 1)
        MPI_Recv(data, 1, MPI_INT, 0, 6, MPI_COMM_SELF, IGNORE);
}

static void probe(void)
{
    if (rank == 0)
        MPI_Probe(1, 9, WORLD, IGNORE);
    else
        recv_from(0, 9);
}

static void probe_tag(void)
{
    MPI_Status status;
    if (rank == 1)
        send_to(0, 2);
    else
        MPI_Probe(1, 9, WORLD, &status);
}

static void finalize(void)
{
    if (rank == 0)
        recv_from(1, 5);
}

static void any(void)
{
    if (rank == 0)
        recv_from(MPI_ANY_SOURCE, 1);
    else
        recv_from(0, 2);
}

static void forgotten(void) /* the receive is never posted: a Waitall of two that lacks one partner */
{
    MPI_Request r[2];
    if (rank == 0) {
        MPI_Irecv(&data[0], 1, MPI_INT, 1, 1, WORLD, &r[0]);
        MPI_Irecv(&data[1], 1, MPI_INT, 2, 1, WORLD, &r[1]);
        MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    } else if (rank == 1)
        send_to(0, 1);
}

static void waitany(void)
{
    MPI_Request r[2];
    int which;
    MPI_Irecv(&data[0], 1, MPI_INT, 1 - rank, 1, WORLD, &r[0]);
    MPI_Irecv(&data[1], 1, MPI_INT, 1 - rank, 2, WORLD, &r[1]);
    MPI_Waitany(2, r, &which, MPI_STATUSES_IGNORE);
}

static void never_started(void) /* a persistent send that nobody starts */
{
    MPI_Request r;
    MPI_Send_init(data, 1, MPI_INT, 1 - rank, 3, WORLD, &r);
    recv_from(1 - rank, 3);
    MPI_Request_free(&r);
}

static void issend_wait(void)
{
    MPI_Request r;
    if (rank == 0) {
        MPI_Issend(data, 1, MPI_INT, 1, 5, WORLD, &r);
        MPI_Wait(&r, IGNORE);
    }
}

static void sendrecv(void)
{
    int next = (rank + 1) % size;
    MPI_Sendrecv(&data[0], 1, MPI_INT, next, 1, &data[1], 1, MPI_INT, next, 1, WORLD, IGNORE);
}

static void halves(void) /* a communicator whose ranks have other numbers */
{
    MPI_Comm half;
    MPI_Comm_split(WORLD, rank % 2, 0, &half);
    MPI_Comm_set_name(half, rank % 2 ? "odd" : "even");
    if (rank % 2)
        MPI_Recv(data, 1, MPI_INT, rank == 1 ? 1 : 0, 5, half, IGNORE);
    MPI_Comm_free(&half);
}

static void mrecv(void)
{
    MPI_Message message;
    if (rank == 0)
        MPI_Mprobe(1, 9, WORLD, &message, IGNORE);
}

static void ssend_circle(void) /* an exchange with the neighbors that sends first */
{
    MPI_Ssend(data, 1, MPI_INT, (rank + 1) % size, 3, WORLD);
    recv_from((rank + size - 1) % size, 3);
}

static void halo(void) /* a line of ranks whose last one talks to nobody */
{
    if (rank > 0)
        recv_from(rank - 1, 1);
    if (rank < size - 1)
        recv_from(rank + 1, 1);
    if (rank < size - 1)
        send_to(rank + 1, 1);
    if (rank > 0)
        send_to(rank - 1, 1);
}

static void isend_forgotten(void) /* a send that nobody waits for, and nobody receives */
{
    MPI_Request r;
    if (rank == 0)
        MPI_Isend(large, LARGE, MPI_CHAR, 1, 6, WORLD, &r);
}

static void stolen(void) /* a receive from anybody has taken what the next one waits for */
{
    if (rank == 1)
        send_to(0, 4);
    MPI_Barrier(WORLD);
    if (rank == 2)
        send_to(0, 4);
    if (rank == 0) {
        recv_from(MPI_ANY_SOURCE, 4);
        recv_from(1, 4);
    }
}

static void detach(void) /* buffered messages that nobody receives */
{
    static char room[2 * LARGE];
    void *buffer;
    int length;
    if (rank == 0) {
        MPI_Buffer_attach(room, sizeof room);
        MPI_Bsend(large, LARGE, MPI_CHAR, 1, 2, WORLD);
        MPI_Buffer_detach(&buffer, &length);
    } else
        recv_from(0, 3);
}

static void disconnect(void) /* while a receive is pending that nothing matches */
{
    MPI_Comm copy;
    MPI_Request r;
    MPI_Comm_dup(WORLD, &copy);
    MPI_Comm_set_name(copy, "copy");
    if (rank == 0)
        MPI_Issend(data, 1, MPI_INT, 1, 2, copy, &r);
    MPI_Comm_disconnect(&copy);
}

static void waitsome(void)
{
    MPI_Request r[2];
    int n, which[2];
    MPI_Irecv(&data[0], 1, MPI_INT, MPI_ANY_SOURCE, 1, WORLD, &r[0]);
    MPI_Issend(&data[1], 1, MPI_INT, 1 - rank, 2, WORLD, &r[1]);
    MPI_Waitsome(2, r, &n, which, MPI_STATUSES_IGNORE);
}

static void persistent(void) /* a receive that is started once more than the send */
{
    MPI_Request r;
    if (rank == 0)
        MPI_Send_init(data, 1, MPI_INT, 1, 3, WORLD, &r);
    else
        MPI_Recv_init(data, 1, MPI_INT, 0, 3, WORLD, &r);
    for (int i = 0; i <= rank; i++) {
        MPI_Start(&r);
        MPI_Wait(&r, IGNORE);
    }
    MPI_Request_free(&r);
}

static void replace(void)
{
    int other = (rank + 1) % size;
    MPI_Sendrecv_replace(data, 1, MPI_INT, other, rank, other, rank, WORLD, IGNORE);
}

CASES({"two", two}, {"circle", circle}, {"sends", sends}, {"ssends", ssends}, {"tag", tag},
      {"ssend-tag", ssend_tag}, {"communicator", communicator}, {"source", source}, {"self-ssend", self_ssend},
      {"self-recv", self_recv}, {"probe", probe}, {"probe-tag", probe_tag}, {"finalize", finalize}, {"any", any},
      {"forgotten", forgotten}, {"waitany", waitany}, {"never-started", never_started},
      {"issend", issend_wait}, {"sendrecv", sendrecv}, {"halves", halves}, {"mprobe", mrecv},
      {"ssend-circle", ssend_circle}, {"halo", halo}, {"isend-forgotten", isend_forgotten}, {"stolen", stolen},
      {"detach", detach}, {"disconnect", disconnect}, {"waitsome", waitsome}, {"persistent", persistent},
      {"replace", replace})
