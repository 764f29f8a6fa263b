/*
 * Operations with a rank that has failed end with MPIX_ERR_PROC_FAILED, and no others: sends and receives of
 * all modes, probes, requests in every call that completes them. What the dead has sent before is received.
 * The last rank dies, in the way that the argument says.
 */
#include "recovery.h"

enum { LARGE = 1 << 20 };

static int dead;
static char *large;

static void receives(void)
{
    MPI_Request r, several[3];
    MPI_Status st, all[3];
    MPI_Message m;
    int x, flag, index, count, indices[3];

    CHECK_CLASS(MPI_Recv(&x, 1, MPI_INT, dead, 1, MPI_COMM_WORLD, &st), MPIX_ERR_PROC_FAILED);
    CHECK_CLASS(MPI_Recv(large, LARGE, MPI_CHAR, dead, MPI_ANY_TAG, MPI_COMM_WORLD, &st),
                MPIX_ERR_PROC_FAILED);
    CHECK_CLASS(MPI_Probe(dead, 1, MPI_COMM_WORLD, &st), MPIX_ERR_PROC_FAILED);
    CHECK_CLASS(MPI_Iprobe(dead, 1, MPI_COMM_WORLD, &flag, &st), MPIX_ERR_PROC_FAILED);
    CHECK_CLASS(MPI_Mprobe(dead, 1, MPI_COMM_WORLD, &m, &st), MPIX_ERR_PROC_FAILED);

    CHECK_MPI(MPI_Irecv(&x, 1, MPI_INT, dead, 1, MPI_COMM_WORLD, &r));
    CHECK_CLASS(MPI_Wait(&r, &st), MPIX_ERR_PROC_FAILED);
    CHECK_MSG(r == MPI_REQUEST_NULL, "the request is still there");
    CHECK_MPI(MPI_Irecv(&x, 1, MPI_INT, dead, 1, MPI_COMM_WORLD, &r));
    CHECK_CLASS(MPI_Test(&r, &flag, &st), MPIX_ERR_PROC_FAILED);

    several[0] = MPI_REQUEST_NULL;
    CHECK_MPI(MPI_Irecv(&x, 1, MPI_INT, dead, 1, MPI_COMM_WORLD, &several[1]));
    several[2] = MPI_REQUEST_NULL;
    CHECK_CLASS(MPI_Waitall(3, several, all), MPI_ERR_IN_STATUS);
    CHECK_EQ(error_class(all[1].MPI_ERROR), MPIX_ERR_PROC_FAILED);
    CHECK_EQ(all[0].MPI_ERROR, MPI_SUCCESS);
    CHECK_MPI(MPI_Irecv(&x, 1, MPI_INT, dead, 1, MPI_COMM_WORLD, &several[1]));
    CHECK_CLASS(MPI_Waitany(3, several, &index, &st), MPIX_ERR_PROC_FAILED);
    CHECK_EQ(index, 1);
    CHECK_MPI(MPI_Irecv(&x, 1, MPI_INT, dead, 1, MPI_COMM_WORLD, &several[1]));
    CHECK_CLASS(MPI_Waitsome(3, several, &count, indices, all), MPI_ERR_IN_STATUS);
    CHECK_EQ(count, 1);
    CHECK_EQ(error_class(all[0].MPI_ERROR), MPIX_ERR_PROC_FAILED);
    CHECK_MPI(MPI_Recv_init(&x, 1, MPI_INT, dead, 1, MPI_COMM_WORLD, &r));
    CHECK_MPI(MPI_Start(&r));
    CHECK_CLASS(MPI_Wait(&r, &st), MPIX_ERR_PROC_FAILED);
    CHECK_MPI(MPI_Request_free(&r));
}

static void sends(void)
{
    MPI_Request r;
    MPI_Status st;
    int x = 0;

    CHECK_CLASS(MPI_Send(&x, 1, MPI_INT, dead, 2, MPI_COMM_WORLD), MPIX_ERR_PROC_FAILED);
    CHECK_CLASS(MPI_Send(large, LARGE, MPI_CHAR, dead, 2, MPI_COMM_WORLD), MPIX_ERR_PROC_FAILED);
    CHECK_CLASS(MPI_Ssend(&x, 1, MPI_INT, dead, 2, MPI_COMM_WORLD), MPIX_ERR_PROC_FAILED);
    CHECK_MPI(MPI_Isend(large, LARGE, MPI_CHAR, dead, 2, MPI_COMM_WORLD, &r));
    CHECK_CLASS(MPI_Wait(&r, &st), MPIX_ERR_PROC_FAILED);
    CHECK_MPI(MPI_Issend(&x, 1, MPI_INT, dead, 2, MPI_COMM_WORLD, &r));
    CHECK_CLASS(MPI_Wait(&r, &st), MPIX_ERR_PROC_FAILED);
    CHECK_MPI(MPI_Send_init(&x, 1, MPI_INT, dead, 2, MPI_COMM_WORLD, &r));
    CHECK_MPI(MPI_Start(&r));
    CHECK_CLASS(MPI_Wait(&r, &st), MPIX_ERR_PROC_FAILED);
    CHECK_MPI(MPI_Request_free(&r));
    CHECK_CLASS(MPI_Sendrecv(&x, 1, MPI_INT, dead, 2, &x, 1, MPI_INT, dead, 2, MPI_COMM_WORLD, &st),
                MPIX_ERR_PROC_FAILED);
    CHECK_CLASS(MPI_Sendrecv_replace(&x, 1, MPI_INT, dead, 2, dead, 2, MPI_COMM_WORLD, &st),
                MPIX_ERR_PROC_FAILED);
    CHECK_MPI(MPI_Isendrecv(&x, 1, MPI_INT, dead, 2, &x, 1, MPI_INT, dead, 2, MPI_COMM_WORLD, &r));
    CHECK_CLASS(MPI_Wait(&r, &st), MPIX_ERR_PROC_FAILED);
}

/* Those that live talk as if nothing had happened. */
static void others(void)
{
    int left = (me + dead - 1) % dead, right = (me + 1) % dead, got;
    MPI_Status st;

    for (int i = 0; i < 200; i++) {
        CHECK_MPI(MPI_Sendrecv(&me, 1, MPI_INT, right, i, &got, 1, MPI_INT, left, i, MPI_COMM_WORLD, &st));
        CHECK_EQ(got, left);
    }
    char *out = check_alloc(LARGE), *in = check_alloc(LARGE);
    check_fill(out, LARGE, me);
    CHECK_MPI(MPI_Sendrecv(out, LARGE, MPI_CHAR, right, 5, in, LARGE, MPI_CHAR, left, 5,
                           MPI_COMM_WORLD, &st));
    CHECK_DATA(in, LARGE, left);
    check_free(in);
    check_free(out);
}

int main(int argc, char **argv)
{
    MPI_Request early, big;
    MPI_Status st;
    int x = 0, how = argc > 1 ? atoi(argv[1]) : 0;

    recovery_begin(&argc, &argv);
    dead = np - 1;
    large = calloc(LARGE, 1);
    if (me == dead) {
        for (int to = 0; to < dead; to++)
            CHECK_MPI(MPI_Send(&to, 1, MPI_INT, to, 77, MPI_COMM_WORLD));
        for (int from = 0; from < dead; from++) /* what was sent has left this host by then */
            CHECK_MPI(MPI_Recv(&x, 1, MPI_INT, from, 3, MPI_COMM_WORLD, &st));
        recovery_die(how);
    }
    CHECK_MPI(MPI_Irecv(large, LARGE, MPI_CHAR, dead, 4, MPI_COMM_WORLD, &early));
    CHECK_MPI(MPI_Isend(large, LARGE, MPI_CHAR, dead, 4, MPI_COMM_WORLD, &big));
    CHECK_MPI(MPI_Send(&x, 1, MPI_INT, dead, 3, MPI_COMM_WORLD));
    CHECK_CLASS(MPI_Wait(&early, &st), MPIX_ERR_PROC_FAILED);
    CHECK_CLASS(MPI_Wait(&big, &st), MPIX_ERR_PROC_FAILED);
    await_failures(MPI_COMM_WORLD, 1);
    CHECK_MPI(MPI_Recv(&x, 1, MPI_INT, dead, 77, MPI_COMM_WORLD, &st));
    CHECK_EQ(x, me);
    receives();
    sends();
    others();
    free(large);
    return recovery_end(1);
}
