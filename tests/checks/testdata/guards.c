/* Receive buffers of whole pages that the program uses before the message has come. The right twin of each
 * case has "right-" ahead of its name. */
#include "case.h"

#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>

enum { N = 100000, IN = 50000 };
static int data[N] __attribute__((aligned(65536)));
static MPI_Request r[2];
static volatile int seen;

/* Rank 1 sends when rank 0 has used its buffer. */
static void send_late(void)
{
    if (rank == 1) {
        MPI_Recv(NULL, 0, MPI_INT, 0, 4, WORLD, IGNORE);
        MPI_Send(data, N, MPI_INT, 0, 3, WORLD);
    }
}

static void read_early(void)
{
    if (rank == 0) {
        MPI_Irecv(data, N, MPI_INT, 1, 3, WORLD, r); /* @irecv */
        seen = data[IN]; /* @read */
        seen = data[IN]; /* once is enough */
        MPI_Send(NULL, 0, MPI_INT, 1, 4, WORLD);
        MPI_Wait(r, IGNORE);
    }
    send_late();
}

static void written_early(void)
{
    if (rank == 0) {
        MPI_Irecv(data, N, MPI_INT, 1, 3, WORLD, r); /* @irecv-written */
        data[IN] = 7; /* @written */
        MPI_Send(NULL, 0, MPI_INT, 1, 4, WORLD);
        MPI_Wait(r, IGNORE);
    }
    send_late();
}

static void persistent_read(void)
{
    for (int i = 0; i < 2; i++) {
        if (rank == 0) {
            if (i == 0)
                MPI_Recv_init(data, N, MPI_INT, 1, 3, WORLD, r); /* @recv-init */
            seen = data[IN]; /* inactive */
            MPI_Start(r); /* @start */
            if (i == 1)
                seen = data[IN]; /* @read-started */
            MPI_Send(NULL, 0, MPI_INT, 1, 4, WORLD);
            MPI_Wait(r, IGNORE);
        }
        send_late();
    }
    if (rank == 0)
        MPI_Request_free(r);
}

/* A use that nobody but a hang report would tell of: the message never comes. */
static void cancelled(void)
{
    if (rank == 0) {
        MPI_Irecv(data, N, MPI_INT, 1, 3, WORLD, r); /* @irecv-cancelled */
        seen = data[IN]; /* @read-cancelled */
        MPI_Cancel(r);
        MPI_Wait(r, IGNORE);
        data[IN]++;
    }
}

/* Each way in which a receive ends gives the buffer back. */
static void right_ends(void)
{
    int flag = 0;

    for (int i = 0; i < 100; i++) { /* more than there are guards */
        MPI_Irecv(data, N, MPI_INT, MPI_ANY_SOURCE, 3, WORLD, r);
        MPI_Cancel(r);
        MPI_Wait(r, IGNORE);
        data[IN]++;
    }
    MPI_Irecv(data, N, MPI_INT, rank, 3, WORLD, r);
    MPI_Send(&flag, 1, MPI_INT, rank, 3, WORLD);
    MPI_Wait(r, IGNORE);
    data[IN]++;
    MPI_Recv_init(data, N, MPI_INT, rank, 3, WORLD, r);
    MPI_Start(r);
    MPI_Send(&flag, 1, MPI_INT, rank, 3, WORLD);
    while (!flag)
        MPI_Test(r, &flag, IGNORE);
    data[IN]++;
    MPI_Startall(1, r);
    MPI_Send(&flag, 1, MPI_INT, rank, 3, WORLD);
    MPI_Waitall(1, r, MPI_STATUSES_IGNORE);
    data[IN]++;
    MPI_Request_free(r);
    MPI_Isendrecv(data, IN, MPI_INT, rank, 3, data + IN, IN, MPI_INT, rank, 3, WORLD, r);
    seen = data[0];
    MPI_Wait(r, IGNORE);
    data[IN]++;
}

static void right_exchange(void)
{
    int half = IN / 2 * sizeof(int), other = 1 - rank;

    for (int i = 0; i < 20; i++) {
        MPI_Irecv(data, half, MPI_BYTE, other, 3, WORLD, r);
        data[IN] = i; /* beside the buffer */
        MPI_Isend(data + IN, half, MPI_BYTE, other, 3, WORLD, r + 1);
        MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
        if (data[0] != i)
            printf("got %d, want %d\n", data[0], i);
    }
}

static sigjmp_buf back;
static volatile int handled;

static void handler(int sig)
{
    handled += sig == SIGSEGV;
    siglongjmp(back, 1);
}

/* Faults that are the program's own go to its own handler, and only these. */
static void handled_by_program(void)
{
    int *none = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    signal(SIGSEGV, handler);
    if (rank == 0) {
        MPI_Irecv(data, N, MPI_INT, 1, 3, WORLD, r); /* @irecv-handled */
        for (int i = 0; i < 2; i++)
            if (sigsetjmp(back, 1) == 0)
                seen = *none;
        seen = data[IN]; /* @read-handled */
        MPI_Send(NULL, 0, MPI_INT, 1, 4, WORLD);
        MPI_Wait(r, IGNORE);
        if (handled != 2)
            printf("%d faults handled\n", handled);
    }
    send_late();
}

CASES({"read", read_early}, {"written", written_early}, {"persistent", persistent_read},
      {"cancelled", cancelled}, {"right-ends", right_ends}, {"right-exchange", right_exchange},
      {"handler", handled_by_program})
