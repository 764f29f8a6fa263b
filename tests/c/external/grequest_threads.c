/* Threads of their own carry out generalized requests while others wait for them, and for messages, asleep.
 */
#include <pthread.h>
#include <unistd.h>

#include "check.h"

#define WORKERS 4
#define ROUNDS 50

struct job {
    MPI_Request request;
    int number, freed;
};

static int query(void *extra, MPI_Status *st)
{
    struct job *j = extra;
    MPI_Status_set_elements(st, MPI_BYTE, j->number);
    MPI_Status_set_cancelled(st, 0);
    return MPI_SUCCESS;
}

static int release(void *extra)
{
    ((struct job *)extra)->freed++;
    return MPI_SUCCESS;
}

static int cancel(void *extra, int complete)
{
    (void)extra;
    (void)complete;
    return MPI_SUCCESS;
}

static void *work(void *arg)
{
    struct job *j = arg;
    usleep((useconds_t)(check_mix((uint64_t)j->number) % 3000));
    MPI_Grequest_complete(j->request);
    return NULL;
}

int main(int argc, char **argv)
{
    int level = -1;
    CHECK_MPI(MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level));
    check_know_world();
    CHECK_EQ(level, MPI_THREAD_MULTIPLE);
    for (int round = 0; round < ROUNDS; round++) {
        struct job jobs[WORKERS];
        pthread_t threads[WORKERS];
        MPI_Request r[WORKERS + 2];
        MPI_Status st[WORKERS + 2];
        int in = -1, out = me;
        for (int i = 0; i < WORKERS; i++) {
            jobs[i] = (struct job){MPI_REQUEST_NULL, round * WORKERS + i, 0};
            CHECK_MPI(MPI_Grequest_start(query, release, cancel, &jobs[i], &jobs[i].request));
            r[i] = jobs[i].request;
            CHECK_EQ(pthread_create(&threads[i], NULL, work, &jobs[i]), 0);
        }
        CHECK_MPI(MPI_Irecv(&in, 1, MPI_INT, (me + 1) % np, round, MPI_COMM_WORLD, &r[WORKERS]));
        CHECK_MPI(MPI_Isend(&out, 1, MPI_INT, (me + np - 1) % np, round, MPI_COMM_WORLD, &r[WORKERS + 1]));
        CHECK_MPI(MPI_Waitall(WORKERS + 2, r, st));
        CHECK_EQ(in, (me + 1) % np);
        for (int i = 0; i < WORKERS; i++) {
            CHECK_EQ(pthread_join(threads[i], NULL), 0);
            CHECK_EQ(jobs[i].freed, 1);
            CHECK_COUNT(st[i], MPI_BYTE, jobs[i].number);
        }
    }
    return check_finish();
}
