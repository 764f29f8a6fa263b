/* Ranks that poll for what does not come, and others that poll and do not hang. */
#include "case.h"

#include <poll.h>
#include <pthread.h>
#include <sys/wait.h>
#include <time.h>

static int data[4], flag, index_, count;
static MPI_Request r, two[2];

static void pause_(long us)
{
    struct timespec t = {us / 1000000, us % 1000000 * 1000};
    nanosleep(&t, NULL);
}

static void receive(MPI_Request *q, int tag) { MPI_Irecv(data, 1, MPI_INT, 1 - rank, tag, WORLD, q); }

static void test(void)
{
    for (receive(&r, 3); !flag;)
        MPI_Test(&r, &flag, IGNORE);
}

static void test_sleeps(void)
{
    for (receive(&r, 3); !flag; pause_(1000))
        MPI_Test(&r, &flag, IGNORE);
}

static void test_seldom(void)
{
    for (receive(&r, 3); !flag; pause_(100000))
        MPI_Test(&r, &flag, IGNORE);
}

static void testall(void)
{
    for (receive(&two[0], 3), receive(&two[1], 4); !flag;)
        MPI_Testall(2, two, &flag, MPI_STATUSES_IGNORE);
}

static void testany(void)
{
    for (receive(&two[0], 3), receive(&two[1], 4); !flag;)
        MPI_Testany(2, two, &index_, &flag, IGNORE);
}

static void testsome(void)
{
    for (receive(&two[0], 3), receive(&two[1], 4); !count;)
        MPI_Testsome(2, two, &count, &index_, MPI_STATUSES_IGNORE);
}

static void get_status(void)
{
    for (receive(&r, 3); !flag;)
        MPI_Request_get_status(r, &flag, IGNORE);
}

static void iprobe(void)
{
    while (!flag)
        MPI_Iprobe(1 - rank, 3, WORLD, &flag, IGNORE);
}

static void improbe(void)
{
    MPI_Message m;
    for (; !flag; pause_(500))
        MPI_Improbe(1 - rank, MPI_ANY_TAG, WORLD, &flag, &m, IGNORE);
}

static void wrong_tag(void)
{
    MPI_Send(data, 1, MPI_INT, 1 - rank, 7, WORLD);
    test();
}

static void synchronous(void)
{
    for (MPI_Issend(data, 1, MPI_INT, 1 - rank, 3, WORLD, &r); !flag;)
        MPI_Test(&r, &flag, IGNORE);
}

static void exscan(void) /* the first rank of which does not take part */
{
    if (rank > 0)
        MPI_Iexscan(data, data + 1, 1, MPI_INT, MPI_SUM, WORLD, &r);
    while (!flag) {
        if (rank > 0)
            MPI_Test(&r, &flag, IGNORE);
        else
            MPI_Iprobe(1, 3, WORLD, &flag, IGNORE);
    }
}

static void parrived(void)
{
    if (rank == 0) {
        MPI_Psend_init(data, 2, 1, MPI_INT, 1, 3, WORLD, MPI_INFO_NULL, &r);
        MPI_Start(&r);
        MPI_Pready(0, r);
        MPI_Barrier(WORLD);
    } else {
        MPI_Precv_init(data, 2, 1, MPI_INT, 0, 3, WORLD, MPI_INFO_NULL, &r);
        for (MPI_Start(&r); !flag;)
            MPI_Parrived(r, 1, &flag);
    }
}

static void win_test(void)
{
    MPI_Win win;
    MPI_Group all;
    int *memory;
    MPI_Win_allocate(4, 4, MPI_INFO_NULL, WORLD, &memory, &win);
    MPI_Win_set_name(win, "table");
    MPI_Comm_group(WORLD, &all);
    if (rank == 0)
        for (MPI_Win_post(all, 0, win); !flag;)
            MPI_Win_test(win, &flag);
    MPI_Win_start(all, 0, win);
    MPI_Barrier(WORLD);
}

/* Asks for two things in turn: the other one waits for neither. */
static void in_turn(void)
{
    if (rank == 0)
        for (receive(&r, 3); !flag;) {
            MPI_Test(&r, &flag, IGNORE);
            if (!flag)
                MPI_Iprobe(1, 4, WORLD, &flag, IGNORE);
        }
    MPI_Barrier(WORLD);
}

static double value = 1;

static void work(long steps)
{
    for (long i = 0; i < steps; i++)
        value = value * 1.0000001 + 1e-9;
}

static double now(void) /* without MPI_Wtime */
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void until(double end, long steps) /* computes, and asks in between */
{
    receive(&r, 3);
    do {
        work(steps);
        MPI_Test(&r, &flag, IGNORE);
    } while (now() < end);
    MPI_Send(data, 1, MPI_INT, 1 - rank, 3, WORLD);
    MPI_Wait(&r, IGNORE);
}

/* One computes between its questions, the other one only asks. */
static void computes_for(double seconds, long steps)
{
    if (rank == 0) {
        until(now() + seconds, steps);
    } else {
        test();
        MPI_Send(data, 1, MPI_INT, 0, 3, WORLD);
    }
}

static void computes(long steps) { computes_for(4, steps); }

static void forever(void) { computes_for(1000, 1000); }
static void little(void) { computes(1000); }
static void much(void) { computes(10000000); }
static void very_little(void) { computes(100); }

/* Has a limit of its own for how long it asks. */
static void limit(void)
{
    if (rank == 0) {
        receive(&r, 3);
        for (double end = MPI_Wtime() + 4; !flag && MPI_Wtime() < end; pause_(1000))
            MPI_Test(&r, &flag, IGNORE);
        MPI_Send(data, 1, MPI_INT, 1, 3, WORLD);
        MPI_Wait(&r, IGNORE);
    } else {
        test();
        MPI_Send(data, 1, MPI_INT, 0, 3, WORLD);
    }
}

static int busy;

static void *computes_beside(void *unused)
{
    for (int i = 0; i < 300; i++)
        work(1000000);
    __atomic_store_n(&busy, 0, __ATOMIC_SEQ_CST);
    return unused;
}

/* The main thread asks while another one computes. */
static void worker(void)
{
    pthread_t id;
    if (rank == 0) {
        busy = 1;
        pthread_create(&id, NULL, computes_beside, NULL);
        for (receive(&r, 3); __atomic_load_n(&busy, __ATOMIC_SEQ_CST); pause_(1000))
            MPI_Test(&r, &flag, IGNORE);
        pthread_join(id, NULL);
        MPI_Send(data, 1, MPI_INT, 1, 3, WORLD);
        MPI_Wait(&r, IGNORE);
    } else {
        test();
        MPI_Send(data, 1, MPI_INT, 0, 3, WORLD);
    }
}

/* Waits for a client at a descriptor, and asks now and then. */
static void serves(void)
{
    int ends[2];
    char c;
    if (rank == 0) {
        if (pipe(ends) != 0)
            exit(1);
        if (fork() == 0) {
            sleep(4);
            _exit(write(ends[1], "x", 1) != 1);
        }
        receive(&r, 3);
        for (struct pollfd p = {.fd = ends[0], .events = POLLIN}; poll(&p, 1, 10) == 0;)
            MPI_Test(&r, &flag, IGNORE);
        if (read(ends[0], &c, 1) != 1)
            exit(1);
        MPI_Send(data, 1, MPI_INT, 1, 3, WORLD);
        MPI_Wait(&r, IGNORE);
    } else {
        test();
        MPI_Send(data, 1, MPI_INT, 0, 3, WORLD);
    }
}

/* Waits for a process, which it asks for as well. */
static void child(void)
{
    pid_t pid;
    if (rank == 0) {
        if ((pid = fork()) == 0) {
            sleep(4);
            _exit(0);
        }
        for (receive(&r, 3); waitpid(pid, NULL, WNOHANG) == 0;)
            MPI_Test(&r, &flag, IGNORE);
        MPI_Send(data, 1, MPI_INT, 1, 3, WORLD);
        MPI_Wait(&r, IGNORE);
    } else {
        test();
        MPI_Send(data, 1, MPI_INT, 0, 3, WORLD);
    }
}

/* A message now and then, and nothing but questions in between. */
static void trickle(void)
{
    for (int i = 0; i < 8; i++) {
        if (rank == 0) {
            pause_(500000);
            MPI_Send(data, 1, MPI_INT, 1, 3, WORLD);
        }
        for (flag = 0; !flag; pause_(200))
            MPI_Iprobe(1 - rank, 3, WORLD, &flag, IGNORE);
        MPI_Recv(data, 1, MPI_INT, 1 - rank, 3, WORLD, IGNORE);
        if (rank == 1)
            MPI_Send(data, 1, MPI_INT, 0, 3, WORLD);
    }
}

/* Puts something to the other one now and then, which asks. */
static void puts_(void)
{
    MPI_Win win;
    int *memory, one = 1;
    MPI_Win_allocate(4, 4, MPI_INFO_NULL, WORLD, &memory, &win);
    MPI_Win_lock_all(0, win);
    receive(&r, 3);
    for (int i = 0; i < 4000; i++) {
        if (i % 5 == 0) { /* far more often than what is a hang, however long a pause takes */
            MPI_Put(&one, 1, MPI_INT, 1 - rank, 0, 1, MPI_INT, win);
            MPI_Win_flush(1 - rank, win);
        }
        MPI_Test(&r, &flag, IGNORE);
        pause_(1000);
    }
    MPI_Send(data, 1, MPI_INT, 1 - rank, 3, WORLD);
    MPI_Wait(&r, IGNORE);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
}

CASES({"test", test}, {"sleeps", test_sleeps}, {"seldom", test_seldom}, {"testall", testall}, {"testany", testany},
      {"testsome", testsome}, {"status", get_status}, {"iprobe", iprobe}, {"improbe", improbe},
      {"wrong-tag", wrong_tag}, {"issend", synchronous}, {"exscan", exscan}, {"parrived", parrived},
      {"win-test", win_test}, {"in-turn", in_turn}, {"little", little}, {"forever", forever}, {"much", much},
      {"very-little", very_little}, {"limit", limit}, {"worker", worker}, {"serves", serves}, {"child", child},
      {"trickle", trickle}, {"puts", puts_})
