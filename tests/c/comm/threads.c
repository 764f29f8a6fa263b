/* Threads make and free communicators at the same time, each on a communicator of its own, in no common
 * order; some by MPI_Comm_idup, some by MPI_Comm_create_group on MPI_COMM_WORLD with tags of their own. */
#include "check.h"
#include <pthread.h>

#define THREADS 4
#define ROUNDS 100

static MPI_Comm base[THREADS];
static MPI_Group world;

static void *work(void *arg)
{
    int t = (int)(intptr_t)arg;
    for (int i = 0; i < ROUNDS; i++) {
        MPI_Comm c;
        int sum = -1, out = t * ROUNDS + i;
        if (t % 2)
            CHECK_MPI(MPI_Comm_create_group(MPI_COMM_WORLD, world, t, &c));
        else if (t == 2) {
            MPI_Request r;
            CHECK_MPI(MPI_Comm_idup(base[t], &c, &r));
            CHECK_MPI(MPI_Wait(&r, MPI_STATUS_IGNORE));
        } else
            CHECK_MPI(MPI_Comm_dup(base[t], &c));
        CHECK_MPI(MPI_Allreduce(&out, &sum, 1, MPI_INT, MPI_SUM, c));
        CHECK_EQ(sum, np * out);
        CHECK_MPI(MPI_Comm_free(&c));
    }
    return NULL;
}

int main(int argc, char **argv)
{
    int level;
    pthread_t threads[THREADS];
    CHECK_MPI(MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level));
    check_know_world();
    if (level < MPI_THREAD_MULTIPLE)
        check_skip("no MPI_THREAD_MULTIPLE");
    CHECK_MPI(MPI_Comm_group(MPI_COMM_WORLD, &world));
    for (int t = 0; t < THREADS; t++)
        CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &base[t]));
    for (int t = 0; t < THREADS; t++)
        pthread_create(&threads[t], NULL, work, (void *)(intptr_t)t);
    for (int t = 0; t < THREADS; t++)
        pthread_join(threads[t], NULL);
    for (int t = 0; t < THREADS; t++)
        CHECK_MPI(MPI_Comm_free(&base[t]));
    CHECK_MPI(MPI_Group_free(&world));
    return check_finish();
}
