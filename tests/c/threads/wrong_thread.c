/* All MPI calls are made by a thread that is not the process's first one (MPI_THREAD_SERIALIZED), init and
 * finalize too. */
#include "check.h"
#include <pthread.h>

static void *everything(void *arg)
{
    int provided = -1, flag = 0, sum = -1;
    (void)arg;
    CHECK_MPI(MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &provided));
    check_know_world();
    CHECK_MPI(MPI_Is_thread_main(&flag));
    CHECK(flag);
    CHECK_MPI(MPI_Allreduce(&me, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    CHECK_EQ(sum, np * (np - 1) / 2);
    if (check_failed)
        check_give_up();
    CHECK_MPI(MPI_Finalize());
    return NULL;
}

int main(void)
{
    pthread_t t;
    CHECK_EQ(pthread_create(&t, NULL, everything, NULL), 0);
    pthread_join(t, NULL);
    return check_result();
}
