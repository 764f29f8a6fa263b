/* MPI_Init_thread at each level: what is provided is known to MPI_Query_thread, and only the caller is the
 * main thread. */
#include "check.h"
#include <pthread.h>

static void *other_thread(void *arg)
{
    int *flag = arg;
    MPI_Is_thread_main(flag);
    return NULL;
}

int main(int argc, char **argv)
{
    static const int levels[] = {MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED, MPI_THREAD_SERIALIZED,
                                 MPI_THREAD_MULTIPLE};
    int wanted = levels[argc > 1 ? atoi(argv[1]) : 0];
    int provided = -1, level = -2, flag = -1;

    CHECK(MPI_THREAD_SINGLE < MPI_THREAD_FUNNELED && MPI_THREAD_FUNNELED < MPI_THREAD_SERIALIZED &&
          MPI_THREAD_SERIALIZED < MPI_THREAD_MULTIPLE);
    CHECK_MPI(MPI_Init_thread(&argc, &argv, wanted, &provided));
    check_know_world();
    CHECK_MSG(provided >= wanted, "asked for level %d, got %d", wanted, provided);

    CHECK_MPI(MPI_Query_thread(&level));
    CHECK_EQ(level, provided);
    CHECK_MPI(MPI_Is_thread_main(&flag));
    CHECK(flag);
    if (provided >= MPI_THREAD_FUNNELED) {
        pthread_t t;
        int other = -1;
        CHECK_EQ(pthread_create(&t, NULL, other_thread, &other), 0);
        pthread_join(t, NULL);
        CHECK_EQ(other, 0);
    }
    return check_finish();
}
