/* Several threads in MPI, and spawned programs. */
#include "case.h"

#include <pthread.h>
#include <semaphore.h>
#include <sys/mman.h>
#include <sys/socket.h>

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

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *sends_behind_mutex(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&mutex);
    MPI_Send(&data[1], 1, MPI_INT, 1 - rank, 1, WORLD);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

static void mutex_held(void) /* while waiting for what the thread sends that wants the mutex */
{
    pthread_t id;
    pthread_mutex_lock(&mutex);
    pthread_create(&id, NULL, sends_behind_mutex, NULL);
    MPI_Recv(data, 1, MPI_INT, 1 - rank, 1, WORLD, IGNORE);
    pthread_mutex_unlock(&mutex);
    pthread_join(id, NULL);
}

static MPI_Comm copies[2];

static void *barrier(void *which)
{
    MPI_Barrier(copies[*(int *)which]);
    return NULL;
}

static void barriers(void) /* of two threads each, of which one rank has forgotten one */
{
    pthread_t id;
    int one = 1;
    for (int i = 0; i < 2; i++) {
        MPI_Comm_dup(WORLD, &copies[i]);
        MPI_Comm_set_name(copies[i], i ? "one" : "zero");
    }
    pthread_create(&id, NULL, barrier, &one);
    if (rank != 1)
        MPI_Barrier(copies[0]);
    pthread_join(id, NULL);
}

/* Waits for a process of its own at a semaphore, and sends then: nothing that hangs. */
static void *sends_when_posted(void *unused)
{
    sem_t *shared = unused;
    sem_wait(shared);
    MPI_Send(&data[1], 1, MPI_INT, 1 - rank, 1, WORLD);
    return NULL;
}

static void semaphore(void)
{
    pthread_t id;
    sem_t *shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    sem_init(shared, 1, 0);
    if (fork() == 0) {
        sleep(4);
        sem_post(shared);
        _exit(0);
    }
    pthread_create(&id, NULL, sends_when_posted, shared);
    MPI_Recv(data, 1, MPI_INT, 1 - rank, 1, WORLD, IGNORE);
    pthread_join(id, NULL);
}

static void *sends_when_read(void *unused)
{
    char c;
    if (read(*(int *)unused, &c, 1) == 1)
        MPI_Send(&data[1], 1, MPI_INT, 1 - rank, 1, WORLD);
    return NULL;
}

static void reads(void) /* a thread waits at a pipe for another process */
{
    pthread_t id;
    int ends[2];
    if (pipe(ends) != 0)
        exit(1);
    if (fork() == 0) {
        sleep(4);
        _exit(write(ends[1], "x", 1) != 1);
    }
    pthread_create(&id, NULL, sends_when_read, ends);
    MPI_Recv(data, 1, MPI_INT, 1 - rank, 1, WORLD, IGNORE);
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

static void *sleeps(void *unused)
{
    sleep(1000);
    return unused;
}

static void lingers(void) /* a thread that has nothing to do with MPI stays */
{
    pthread_t id;
    pthread_create(&id, NULL, sleeps, NULL);
    MPI_Recv(data, 1, MPI_INT, 1 - rank, 1, WORLD, IGNORE);
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

static void family(MPI_Comm *other, int *is_child, char *name)
{
    char *args[] = {name, NULL};
    MPI_Comm_get_parent(other);
    *is_child = *other != MPI_COMM_NULL;
    if (!*is_child)
        MPI_Comm_spawn(self, args, 1, MPI_INFO_NULL, 0, WORLD, other, MPI_ERRCODES_IGNORE);
    MPI_Comm_set_name(*other, "family");
}

static void spawn_barrier(void) /* which the child does not enter */
{
    MPI_Comm other;
    int is_child;
    family(&other, &is_child, "spawn-barrier");
    if (is_child)
        MPI_Recv(data, 1, MPI_INT, 0, 2, other, IGNORE);
    else
        MPI_Barrier(other);
}

static void spawn_disconnect(void) /* the child goes on instead */
{
    MPI_Comm other;
    int is_child;
    family(&other, &is_child, "spawn-disconnect");
    if (is_child)
        MPI_Recv(data, 1, MPI_INT, 0, 2, other, IGNORE);
    else
        MPI_Comm_disconnect(&other);
}

static void port(void) /* does not hang: another job may connect */
{
    char name[MPI_MAX_PORT_NAME];
    MPI_Comm other;
    if (rank == 0)
        MPI_Open_port(MPI_INFO_NULL, name);
    MPI_Comm_accept(name, MPI_INFO_NULL, 0, WORLD, &other);
}

static void connecting(void) /* nobody accepts at the port */
{
    char name[MPI_MAX_PORT_NAME] = "";
    MPI_Comm other;
    if (rank == 0)
        MPI_Open_port(MPI_INFO_NULL, name);
    MPI_Bcast(name, sizeof name, MPI_CHAR, 0, WORLD);
    if (rank == 1)
        MPI_Comm_connect(name, MPI_INFO_NULL, 0, MPI_COMM_SELF, &other);
    MPI_Barrier(WORLD);
}

static void joining(void) /* nobody is at the other end */
{
    int ends[2];
    MPI_Comm other;
    if (rank == 0 && socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0)
        MPI_Comm_join(ends[0], &other);
    MPI_Barrier(WORLD);
}

static int query(void *state, MPI_Status *status)
{
    (void)state;
    MPI_Status_set_elements(status, MPI_INT, 0);
    return MPI_Status_set_cancelled(status, 0);
}

static int release(void *state)
{
    (void)state;
    return MPI_SUCCESS;
}

static int cancelled(void *state, int complete)
{
    (void)state, (void)complete;
    return MPI_SUCCESS;
}

static MPI_Request promised;

static void *promise(void *unused)
{
    sleep(4);
    MPI_Grequest_complete(promised);
    return unused;
}

static void never_completed(void)
{
    if (rank == 0) {
        MPI_Grequest_start(query, release, cancelled, NULL, &promised);
        MPI_Wait(&promised, IGNORE);
    }
    MPI_Barrier(WORLD);
}

static void completed_late(void) /* does not hang */
{
    pthread_t thread;
    if (rank == 0) {
        MPI_Grequest_start(query, release, cancelled, NULL, &promised);
        pthread_create(&thread, NULL, promise, NULL);
        MPI_Wait(&promised, IGNORE);
        pthread_join(thread, NULL);
    }
    MPI_Barrier(WORLD);
}

int main(int argc, char **argv)
{
    static const struct one all[] = {{"both", both}, {"joins", joins}, {"late", late}, {"lingers", lingers}, {"spawn", spawn},
                                     {"child-sleeps", child_sleeps}, {"port", port},
                                     {"connecting", connecting}, {"joining", joining},
                                     {"never-completed", never_completed}, {"completed-late", completed_late},
                                     {"mutex", mutex_held}, {"barriers", barriers}, {"semaphore", semaphore},
                                     {"reads", reads}, {"spawn-barrier", spawn_barrier},
                                     {"spawn-disconnect", spawn_disconnect}, {NULL, NULL}};
    int level;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(WORLD, &rank);
    MPI_Comm_size(WORLD, &size);
    self = argv[0];
    int code = run_case(all, argv[1]);
    MPI_Finalize();
    return code;
}
