/* Programs that take long and do not hang. */
#include "case.h"

#include <arpa/inet.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <time.h>

static double value = 1;

static void compute(double seconds)
{
    for (double end = MPI_Wtime() + seconds; MPI_Wtime() < end;)
        for (int i = 0; i < 1000; i++)
            value = value * 1.0000001 + 1e-9;
}

/* One computes, the others wait for it. */
static void one_computes(void)
{
    if (rank == 0)
        compute(3.5);
    MPI_Barrier(WORLD);
}

/* One computes until there is a file that is named after the launcher. */
static void computes_on(void)
{
    char name[40];
    snprintf(name, sizeof name, "told.%d", (int)getppid());
    while (rank == 0 && access(name, F_OK) != 0)
        compute(0.05);
    MPI_Barrier(WORLD);
}

static void one_sleeps(void)
{
    if (rank == 0)
        sleep(4);
    MPI_Barrier(WORLD);
}

/* A message now and then: all sleep most of the time. */
static void slow_ring(void)
{
    int x = 0;
    for (int i = 0; i < 8; i++) {
        if (rank == 0) {
            usleep(450000);
            MPI_Send(&x, 1, MPI_INT, 1 % size, 0, WORLD);
        }
        MPI_Recv(&x, 1, MPI_INT, (rank + size - 1) % size, 0, WORLD, IGNORE);
        if (rank)
            MPI_Send(&x, 1, MPI_INT, (rank + 1) % size, 0, WORLD);
    }
}

/* It has left MPI and goes on. */
static void after(void)
{
    if (rank == 0) {
        MPI_Finalize();
        sleep(4);
        exit(0);
    }
}

static void polls(void)
{
    int x = 0, done = 0;
    MPI_Request r;
    if (rank == 0) {
        sleep(4);
        for (int to = 1; to < size; to++)
            MPI_Send(&x, 1, MPI_INT, to, 0, WORLD);
    } else {
        MPI_Irecv(&x, 1, MPI_INT, 0, 0, WORLD, &r);
        while (!done) {
            usleep(1000);
            MPI_Test(&r, &done, IGNORE);
        }
    }
}

/* Reads what a process of its own writes later. */
static void pipe_(void)
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
        if (read(ends[0], &c, 1) != 1)
            exit(1);
    }
    MPI_Barrier(WORLD);
}

/* Waits in accept(2) for a client that comes later. */
static void client(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    if (rank == 0) {
        int s = socket(AF_INET, SOCK_STREAM, 0);
        if (bind(s, (void *)&address, length) != 0 || listen(s, 1) != 0 ||
            getsockname(s, (void *)&address, &length) != 0)
            exit(1);
        if (fork() == 0) {
            sleep(4);
            _exit(connect(socket(AF_INET, SOCK_STREAM, 0), (void *)&address, length) != 0);
        }
        if (accept(s, NULL, NULL) < 0)
            exit(1);
    }
    MPI_Barrier(WORLD);
}

/* Touches memory and writes it to a file, again and again. */
static void faults(void)
{
    enum { SIZE = 16 << 20 };
    if (rank == 0) {
        FILE *f = tmpfile();
        if (f == NULL || ftruncate(fileno(f), SIZE) != 0)
            exit(1);
        for (double end = MPI_Wtime() + 4; MPI_Wtime() < end; usleep(1000)) {
            char *m = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fileno(f), 0);
            if (m == MAP_FAILED)
                exit(1);
            for (int i = 0; i < SIZE; i += 4096)
                m[i]++;
            msync(m, SIZE, MS_SYNC);
            munmap(m, SIZE);
        }
        fclose(f);
    }
    MPI_Barrier(WORLD);
}

/* Waits for a signal. */
static void no_handler(int sig) { (void)sig; }

static void alarm_(void)
{
    if (rank == 0) {
        signal(SIGALRM, no_handler);
        alarm(4);
        pause();
    }
    MPI_Barrier(WORLD);
}

/* Is stopped within MPI, as a debugger does, and goes on later. */
static void stopped(void)
{
    if (rank == 0) {
        pid_t self = getpid();
        if (fork() == 0) {
            sleep(1);
            kill(self, SIGSTOP);
            sleep(3);
            _exit(kill(self, SIGCONT));
        }
        sleep(5);
    }
    MPI_Barrier(WORLD);
}

/* Waits for a program that it has started. */
static void program(void)
{
    if (rank == 0 && system("sleep 4") != 0)
        exit(1);
    MPI_Barrier(WORLD);
}

/* Sends little for long, so that somebody always waits. */
static void trickle(void)
{
    int x = 0;
    for (double end = MPI_Wtime() + 4; x >= 0;) {
        if (rank == 0) {
            usleep(200000);
            x = MPI_Wtime() < end ? 1 : -1;
        }
        MPI_Bcast(&x, 1, MPI_INT, 0, WORLD);
    }
}

CASES({"computes", one_computes}, {"computes-on", computes_on}, {"sleeps", one_sleeps}, {"ring", slow_ring},
      {"after", after}, {"polls", polls}, {"pipe", pipe_}, {"client", client}, {"faults", faults},
      {"alarm", alarm_}, {"stopped", stopped}, {"program", program}, {"trickle", trickle})
