/* Several threads in MPI, and spawned programs. */
#include "case.h"

#include <pthread.h>

static int data[4];

static void *receives(void *tag)
{
    MPI_Recv(&data[1], 1, MPI_INT, 1 - rank, *(int *)tag, WORLD, IGNORE);
    return NULL;
}

static void both(void) /* two threads of each rank wait */
{
    pthread_t id;
    int tag = 1;
    pthread_create(&id, NULL, receives, &tag);
    MPI_Recv(data, 1, MPI_INT, 1 - rank, 1, WORLD, IGNORE);
    pthread_join(id, NULL);
}

static void joins(void) /* the main thread waits for the other one */
{
    pthread_t id;
    int tag = 2;
    pthread_create(&id, NULL, receives, &tag);
    pthread_join(id, NULL);
}

static void *sends_late(void *unused)
{
    (void)unused;
    sleep(4);
    MPI_Send(&data[1], 1, MPI_INT, 1 - rank, 1, WORLD);
    return NULL;
}

static void late(void) /* does not hang: the other thread sleeps, and sends then */
{
    pthread_t id;
    pthread_create(&id, NULL, sends_late, NULL);
    MPI_Recv(data, 1, MPI_INT, 1 - rank, 1, WORLD, IGNORE);
    pthread_join(id, NULL);
}

static char *self;

static void spawn(void) /* parent and child wait for each other */
{
    MPI_Comm parent, child;
    char *args[] = {"spawn", NULL};
    MPI_Comm_get_parent(&parent);
    if (parent == MPI_COMM_NULL) {
        MPI_Comm_spawn(self, args, 1, MPI_INFO_NULL, 0, WORLD, &child, MPI_ERRCODES_IGNORE);
        MPI_Comm_set_name(child, "children");
        if (rank == 0)
            MPI_Recv(data, 1, MPI_INT, 0, 1, child, IGNORE);
    } else {
        MPI_Comm_set_name(parent, "parents");
        MPI_Recv(data, 1, MPI_INT, 0, 2, parent, IGNORE);
    }
}

static void child_sleeps(void) /* does not hang */
{
    MPI_Comm parent, child;
    char *args[] = {"child-sleeps", NULL};
    MPI_Comm_get_parent(&parent);
    if (parent == MPI_COMM_NULL) {
        MPI_Comm_spawn(self, args, 1, MPI_INFO_NULL, 0, WORLD, &child, MPI_ERRCODES_IGNORE);
        if (rank == 0)
            MPI_Recv(data, 1, MPI_INT, 0, 1, child, IGNORE);
    } else {
        sleep(4);
        MPI_Send(data, 1, MPI_INT, 0, 1, parent);
    }
}

static void port(void) /* does not hang: another job may connect */
{
    char name[MPI_MAX_PORT_NAME];
    MPI_Comm other;
    if (rank == 0)
        MPI_Open_port(MPI_INFO_NULL, name);
    MPI_Comm_accept(name, MPI_INFO_NULL, 0, WORLD, &other);
}

int main(int argc, char **argv)
{
    static const struct one all[] = {{"both", both}, {"joins", joins}, {"late", late}, {"spawn", spawn},
                                     {"child-sleeps", child_sleeps}, {"port", port}, {NULL, NULL}};
    int level;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(WORLD, &rank);
    MPI_Comm_size(WORLD, &size);
    self = argv[0];
    int code = run_case(all, argv[1]);
    MPI_Finalize();
    return code;
}
