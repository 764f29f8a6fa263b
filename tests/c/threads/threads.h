/* Starting MPI for several threads, and running the same function in each. */
#ifndef GOMPI_TESTS_THREADS_H
#define GOMPI_TESTS_THREADS_H

#include "check.h"
#include <pthread.h>

CHECK_UNUSED
static void threads_init(int *argc, char ***argv)
{
    int provided = -1;
    CHECK_MPI(MPI_Init_thread(argc, argv, MPI_THREAD_MULTIPLE, &provided));
    check_know_world();
    if (provided < MPI_THREAD_MULTIPLE)
        check_skip("the MPI library does not provide MPI_THREAD_MULTIPLE");
}

struct thread_start {
    pthread_t id;
    void (*run)(int thread);
    int number;
};

CHECK_UNUSED
static void *thread_main(void *arg)
{
    struct thread_start *s = arg;
    s->run(s->number);
    return NULL;
}

/* threads_run runs f(0) ... f(n-1) at once and waits for all. */
CHECK_UNUSED
static void threads_run(int n, void (*f)(int thread))
{
    struct thread_start *all = calloc(n, sizeof *all);
    for (int i = 0; i < n; i++) {
        all[i].run = f;
        all[i].number = i;
        CHECK_EQ(pthread_create(&all[i].id, NULL, thread_main, &all[i]), 0);
    }
    for (int i = 0; i < n; i++)
        pthread_join(all[i].id, NULL);
    free(all);
}

#endif
