/*
 * The main thread ends by pthread_exit: the process ends when the program's last thread does, with exit code
 * 0 and its exit handlers, though the library has threads of its own.
 *
 *   last_thread finalized|worker|early|active|active-worker|child-worker
 */
#include "check.h"
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *how;
static int worker_ended;

static void at_exit(void)
{
    if (strstr(how, "worker") && !worker_ended) {
        fprintf(stderr, "the process has ended before its last thread\n");
        _exit(3);
    }
    printf("exit handler of the program\n");
}

/* A thread that has never called MPI, makes another one, and is outlived by it. */
static void *worker(void *first)
{
    pthread_t next;
    usleep(150000);
    if (first)
        pthread_create(&next, NULL, worker, NULL);
    else
        worker_ended = 1;
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t t;
    how = argc > 1 ? argv[1] : "finalized";
    atexit(at_exit);
    if (strcmp(how, "early") == 0)
        pthread_exit(NULL);
    check_init(&argc, &argv);
    CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
    /* In a child of fork, which has none of the library's threads. */
    if (strncmp(how, "child", 5) == 0 && fork() != 0) {
        int status = -1;
        wait(&status);
        CHECK_EQ(status, 0);
        how = "finalized";
        return check_finish();
    }
    if (strstr(how, "worker"))
        CHECK_EQ(pthread_create(&t, NULL, worker, &worker_ended), 0);
    if (strncmp(how, "active", 6) != 0 && strncmp(how, "child", 5) != 0)
        MPI_Finalize();
    pthread_exit(NULL);
}
