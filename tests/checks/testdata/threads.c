/* Calls that the thread level does not allow, and those of reduction functions. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define WORLD MPI_COMM_WORLD

static int rank, data[4], level, came;

static void *other(void *unused)
{
    int flag;
    MPI_Initialized(&flag);
    MPI_Comm_set_name(WORLD, "world"); /* @other */
    return unused;
}

/* Another thread calls MPI while the first one does nothing. */
static void after(void)
{
    pthread_t t;
    pthread_create(&t, NULL, other, NULL);
    pthread_join(t, NULL);
}

static void *probes(void *unused)
{
    int flag;
    __atomic_store_n(&came, 1, __ATOMIC_SEQ_CST);
    usleep(200000);
    MPI_Iprobe(rank, 5, WORLD, &flag, MPI_STATUS_IGNORE); /* @probe */
    MPI_Send(data + 1, 1, MPI_INT, rank, 4, WORLD); /* @send */
    return unused;
}

/* Two threads are inside at once. */
static void both(void)
{
    pthread_t t;
    pthread_create(&t, NULL, probes, NULL);
    while (!__atomic_load_n(&came, __ATOMIC_SEQ_CST))
        usleep(1000);
    MPI_Recv(data, 1, MPI_INT, rank, 4, WORLD, MPI_STATUS_IGNORE); /* @receive */
    pthread_join(t, NULL);
}

static void sum(void *in, void *inout, int *n, MPI_Datatype *type)
{
    int flag, size;
    MPI_Type_size(*type, &size);
    for (int i = 0; i < *n; i++)
        ((int *)inout)[i] += ((int *)in)[i];
    if (level == -1)
        MPI_Iprobe(MPI_ANY_SOURCE, 5, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE); /* @in-function */
}

static void reduction(void)
{
    MPI_Op op;
    MPI_Op_create(sum, 1, &op);
    MPI_Reduce_local(data, data + 2, 1, MPI_INT, op); /* @reduce */
    MPI_Op_free(&op);
}

int main(int argc, char **argv)
{
    int provided;
    level = strcmp(argv[2], "serialized") == 0 ? MPI_THREAD_SERIALIZED :
            strcmp(argv[2], "multiple") == 0 ? MPI_THREAD_MULTIPLE : MPI_THREAD_FUNNELED;
    MPI_Init_thread(&argc, &argv, level, &provided);
    MPI_Comm_rank(WORLD, &rank);
    if (strcmp(argv[1], "after") == 0)
        after();
    else if (strcmp(argv[1], "both") == 0)
        both();
    else {
        if (strcmp(argv[2], "communicates") == 0)
            level = -1;
        reduction();
    }
    MPI_Finalize();
    return 0;
}
