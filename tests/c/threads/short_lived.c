/* Many threads come, make a few calls and go; some with a small stack. The library keeps nothing of them. */
#include "threads.h"
#include <limits.h>
#include <unistd.h>

static void *visit(void *arg)
{
    int thread = (int)(intptr_t)arg, in = -1, rank = -1;
    CHECK_MPI(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    CHECK_EQ(rank, me);
    CHECK_MPI(MPI_Sendrecv(&thread, 1, MPI_INT, me, thread, &in, 1, MPI_INT, me, thread, MPI_COMM_WORLD,
                           MPI_STATUS_IGNORE));
    CHECK_EQ(in, thread);
    return NULL;
}

static long resident_kb(void)
{
    long pages = 0, ignored;
    FILE *f = fopen("/proc/self/statm", "r");
    if (f != NULL) {
        if (fscanf(f, "%ld %ld", &ignored, &pages) != 2)
            pages = 0;
        fclose(f);
    }
    return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

int main(int argc, char **argv)
{
    enum { BATCH = 16, BATCHES = 60 };
    threads_init(&argc, &argv);
    long before = 0;
    for (int batch = 0; batch < BATCHES; batch++) {
        pthread_t id[BATCH];
        pthread_attr_t attr;
        pthread_attr_init(&attr);
        if (batch % 2)
            pthread_attr_setstacksize(&attr, 64 * 1024);
        for (int i = 0; i < BATCH; i++)
            CHECK_EQ(pthread_create(&id[i], &attr, visit, (void *)(intptr_t)(batch * BATCH + i)), 0);
        for (int i = 0; i < BATCH; i++)
            pthread_join(id[i], NULL);
        pthread_attr_destroy(&attr);
        if (batch == BATCHES / 3)
            before = resident_kb();
    }
    long after = resident_kb();
    CHECK_MSG(after < before + 8 * 1024, "resident memory grew from %ld kB to %ld kB", before, after);
    return check_finish();
}
