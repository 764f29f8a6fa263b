/*
 * An object goes on with an error handler that the program has freed, and gives it out again; a freed handle
 * names nothing (MPI 5.0, 9.3). More handlers than the library makes at once, on objects of all kinds, from
 * several threads.
 */
#include "check.h"

#include <pthread.h>

enum { MANY = 5000, THREADS = 4, ROUNDS = 2000 };

static int calls;

static void on_comm(MPI_Comm *comm, int *code, ...) { (void)comm, (void)code, calls++; }
static void on_win(MPI_Win *win, int *code, ...) { (void)win, (void)code, calls++; }

static void freed(MPI_Comm a, MPI_Comm b)
{
    MPI_Errhandler made, kept, got, again;

    CHECK_MPI(MPI_Comm_create_errhandler(on_comm, &made));
    CHECK_MPI(MPI_Comm_set_errhandler(a, made));
    CHECK_MPI(MPI_Comm_set_errhandler(b, made));
    kept = made;
    CHECK_MPI(MPI_Errhandler_free(&made));
    CHECK(made == MPI_ERRHANDLER_NULL);
    CHECK_CLASS(MPI_Comm_set_errhandler(MPI_COMM_SELF, kept), MPI_ERR_ERRHANDLER);
    CHECK_CLASS(MPI_Errhandler_free(&kept), MPI_ERR_ERRHANDLER);

    CHECK_MPI(MPI_Comm_get_errhandler(a, &got));
    CHECK_MPI(MPI_Comm_get_errhandler(b, &again));
    CHECK(got == again && got != MPI_ERRHANDLER_NULL);
    CHECK_MPI(MPI_Errhandler_free(&again));
    CHECK_MPI(MPI_Comm_set_errhandler(b, MPI_ERRORS_RETURN));
    calls = 0;
    CHECK_MPI(MPI_Comm_call_errhandler(a, MPI_ERR_OTHER));
    CHECK_MPI(MPI_Comm_call_errhandler(b, MPI_ERR_OTHER));
    CHECK_EQ(calls, 1);
    CHECK_MPI(MPI_Comm_set_errhandler(b, got));
    CHECK_MPI(MPI_Errhandler_free(&got));
    CHECK_MPI(MPI_Comm_call_errhandler(b, MPI_ERR_OTHER));
    CHECK_EQ(calls, 2);
    CHECK_MPI(MPI_Comm_set_errhandler(a, MPI_ERRORS_RETURN));
    CHECK_MPI(MPI_Comm_set_errhandler(b, MPI_ERRORS_RETURN));
}

static void kinds(MPI_Comm c, MPI_Win w)
{
    MPI_Errhandler comm, win, got;

    CHECK_MPI(MPI_Comm_create_errhandler(on_comm, &comm));
    CHECK_MPI(MPI_Win_create_errhandler(on_win, &win));
    CHECK_MPI(MPI_Win_set_errhandler(w, MPI_ERRORS_RETURN));
    CHECK_CLASS(MPI_Comm_set_errhandler(c, win), MPI_ERR_ERRHANDLER);
    CHECK_CLASS(MPI_Win_set_errhandler(w, comm), MPI_ERR_ERRHANDLER);
    CHECK_MPI(MPI_Win_set_errhandler(w, win));
    CHECK_MPI(MPI_Win_get_errhandler(w, &got));
    CHECK(got == win);
    CHECK_MPI(MPI_Errhandler_free(&got));
    CHECK_MPI(MPI_Errhandler_free(&win));
    calls = 0;
    CHECK_CLASS(MPI_Win_unlock(0, w), MPI_ERR_RMA_SYNC);
    CHECK_EQ(calls, 1);
    CHECK_MPI(MPI_Win_set_errhandler(w, MPI_ERRORS_RETURN));
    CHECK_MPI(MPI_Errhandler_free(&comm));
}

static void many(void)
{
    static MPI_Errhandler made[MANY];

    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < MANY; i++)
            CHECK_MPI(MPI_Comm_create_errhandler(on_comm, &made[i]));
        for (int i = 1; i < MANY; i++)
            CHECK(made[i] != made[i - 1]);
        for (int i = 0; i < MANY; i++)
            CHECK_MPI(MPI_Errhandler_free(&made[(i * 7) % MANY]));
    }
}

/* All threads get and set the error handler of one communicator. */
static void *share(void *p)
{
    MPI_Comm c = *(MPI_Comm *)p;
    MPI_Errhandler own, got;

    CHECK_MPI(MPI_Comm_create_errhandler(on_comm, &own));
    for (int i = 0; i < ROUNDS; i++) {
        CHECK_MPI(MPI_Comm_get_errhandler(c, &got));
        CHECK_MPI(MPI_Comm_set_errhandler(c, i % 2 ? own : MPI_ERRORS_RETURN));
        CHECK_MPI(MPI_Errhandler_free(&got));
        CHECK(got == MPI_ERRHANDLER_NULL);
    }
    CHECK_MPI(MPI_Comm_set_errhandler(c, MPI_ERRORS_RETURN));
    CHECK_MPI(MPI_Errhandler_free(&own));
    return NULL;
}

int main(int argc, char **argv)
{
    MPI_Comm a, b;
    MPI_Win w;
    pthread_t threads[THREADS];
    int given;
    static int memory;

    CHECK_MPI(MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &given));
    check_know_world();
    CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &a));
    CHECK_MPI(MPI_Comm_dup(MPI_COMM_SELF, &b));
    CHECK_MPI(MPI_Win_create(&memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &w));
    CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    CHECK_MPI(MPI_Comm_set_errhandler(b, MPI_ERRORS_RETURN));
    freed(a, b);
    kinds(a, w);
    many();
    for (int i = 0; i < THREADS && given == MPI_THREAD_MULTIPLE; i++)
        pthread_create(&threads[i], NULL, share, &a);
    for (int i = 0; i < THREADS && given == MPI_THREAD_MULTIPLE; i++)
        pthread_join(threads[i], NULL);
    CHECK_MPI(MPI_Win_free(&w));
    CHECK_MPI(MPI_Comm_free(&a));
    CHECK_MPI(MPI_Comm_free(&b));
    return check_finish();
}
