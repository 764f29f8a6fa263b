/*
 * Error handlers that do not return: longjmp out of them, many times, from every kind of call and in several
 * threads. MPI goes on working; no lock stays taken, no memory and no stack is lost.
 */
#define _GNU_SOURCE
#include "check.h"
#include <pthread.h>
#include <setjmp.h>

enum { MANY = 100000 };

static __thread jmp_buf back;
static __thread int heard;

static void jump(MPI_Comm *c, int *code, ...)
{
    int class;
    (void)c;
    MPI_Error_class(*code, &class);
    heard++;
    longjmp(back, class);
}

static void jump_win(MPI_Win *w, int *code, ...)
{
    (void)w, (void)code;
    heard++;
    longjmp(back, 1);
}

static void jump_file(MPI_File *f, int *code, ...)
{
    (void)f, (void)code;
    heard++;
    longjmp(back, 1);
}

/* CHECK_JUMP(call): the call's error handler is called and leaves it. */
#define CHECK_JUMP(call)                                                                               \
    do {                                                                                               \
        int before_ = heard;                                                                           \
        if (setjmp(back) == 0) {                                                                       \
            call;                                                                                      \
            check_fail(__FILE__, __LINE__, "%s has returned", #call);                                  \
        }                                                                                              \
        CHECK_EQ(heard, before_ + 1);                                                                  \
    } while (0)

static void exchange(MPI_Comm c)
{
    int out = me, in = -1, sum = -1;
    CHECK_MPI(MPI_Sendrecv(&out, 1, MPI_INT, (me + 1) % np, 0, &in, 1, MPI_INT, (me + np - 1) % np, 0, c,
                           MPI_STATUS_IGNORE));
    CHECK_EQ(in, (me + np - 1) % np);
    CHECK_MPI(MPI_Allreduce(&out, &sum, 1, MPI_INT, MPI_SUM, c));
    CHECK_EQ(sum, np * (np - 1) / 2);
}

static void provoke(MPI_Comm c)
{
    int v = 0;
    CHECK_JUMP(MPI_Ssend(&v, -1, MPI_INT, 0, 0, c));
}

static void many_times(MPI_Comm c)
{
    for (int i = 0; i < MANY / 4; i++)
        provoke(c);
    long before = check_resident();
    for (int i = 0; i < MANY; i++) {
        provoke(c);
        if (i % (MANY / 10) == 0)
            exchange(c);
    }
    long grown = check_resident() - before; /* the Go heap may not have reached its size before */
    CHECK_MSG(grown < 48000, "%ld KiB more", grown);
}

static void *work(void *arg)
{
    MPI_Comm c = *(MPI_Comm *)arg, dup;
    MPI_Errhandler h;
    MPI_Request r[2];
    MPI_Status s[2];
    int v[4], n;
    CHECK_MPI(MPI_Comm_create_errhandler(jump, &h));
    CHECK_MPI(MPI_Comm_set_errhandler(c, h));
    exchange(c);

    CHECK_JUMP(MPI_Send(v, -1, MPI_INT, 0, 0, c));
    CHECK_JUMP(MPI_Send(v, 1, MPI_INT, np, 0, c));
    CHECK_JUMP(MPI_Recv(v, 1, MPI_DATATYPE_NULL, 0, 0, c, s));
    CHECK_JUMP(MPI_Comm_split(c, -5, 0, &dup));
    CHECK_JUMP(MPI_Comm_size(c, NULL));
    CHECK_JUMP(MPI_Bcast(v, 1, MPI_INT, -7, c));
    CHECK_JUMP(MPI_Comm_call_errhandler(c, MPI_ERR_TAG));
    /* Errors that are found late: in a message that is too long, alone and among others. */
    for (int i = 0; i < 4; i++)
        v[i] = i;
    CHECK_MPI(MPI_Irecv(v, 1, MPI_INT, me, 1, c, &r[0]));
    CHECK_MPI(MPI_Send(v, 4, MPI_INT, me, 1, c));
    CHECK_JUMP(MPI_Wait(&r[0], s));
    CHECK_MPI(MPI_Irecv(v, 1, MPI_INT, me, 1, c, &r[0]));
    CHECK_MPI(MPI_Irecv(v, 1, MPI_INT, me, 2, c, &r[1]));
    CHECK_MPI(MPI_Send(v, 4, MPI_INT, me, 1, c));
    CHECK_MPI(MPI_Send(v, 1, MPI_INT, me, 2, c));
    CHECK_JUMP(MPI_Waitall(2, r, s));
    CHECK_MPI(MPI_Comm_dup(c, &dup)); /* with the handler */
    CHECK_JUMP(MPI_Isend(v, 1, MPI_INT, 0, -2, dup, &r[0]));
    CHECK_MPI(MPI_Comm_free(&dup));

    many_times(c);
    CHECK_MPI(MPI_Comm_get_errhandler(c, &h));
    CHECK_MPI(MPI_Errhandler_free(&h));
    CHECK_MPI(MPI_Error_class(MPI_ERR_TAG, &n));
    exchange(c);
    return NULL;
}

static void windows_and_files(void)
{
    MPI_Errhandler h;
    MPI_Win w;
    MPI_File f;
    int *memory, v = 1;
    char name[32];
    CHECK_MPI(MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &w));
    CHECK_MPI(MPI_Win_create_errhandler(jump_win, &h));
    CHECK_MPI(MPI_Win_set_errhandler(w, h));
    CHECK_MPI(MPI_Errhandler_free(&h));
    CHECK_MPI(MPI_Win_fence(0, w));
    CHECK_JUMP(MPI_Put(&v, 1, MPI_INT, np, 0, 1, MPI_INT, w));
    CHECK_JUMP(MPI_Win_call_errhandler(w, MPI_ERR_RMA_RANGE));
    CHECK_MPI(MPI_Put(&v, 1, MPI_INT, me, 0, 1, MPI_INT, w));
    CHECK_MPI(MPI_Win_fence(0, w));
    CHECK_EQ(*memory, 1);
    CHECK_MPI(MPI_Win_free(&w));
    snprintf(name, sizeof name, "jumps.%d", me);
    CHECK_MPI(MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                            MPI_INFO_NULL, &f));
    CHECK_MPI(MPI_File_create_errhandler(jump_file, &h));
    CHECK_MPI(MPI_File_set_errhandler(f, h));
    CHECK_MPI(MPI_Errhandler_free(&h));
    CHECK_JUMP(MPI_File_write_at(f, -1, &v, 1, MPI_INT, MPI_STATUS_IGNORE));
    CHECK_MPI(MPI_File_write_at(f, 0, &v, 1, MPI_INT, MPI_STATUS_IGNORE));
    CHECK_MPI(MPI_File_close(&f));
}

int main(int argc, char **argv)
{
    pthread_t other;
    MPI_Comm c[2];
    int provided;
    CHECK_MPI(MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided));
    check_know_world();
    for (int i = 0; i < 2; i++)
        CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &c[i]));
    pthread_create(&other, NULL, work, &c[1]);
    work(&c[0]);
    pthread_join(other, NULL);
    windows_and_files();
    for (int i = 0; i < 2; i++)
        CHECK_MPI(MPI_Comm_free(&c[i]));
    return check_finish();
}
