/* The last rank is killed while all others access its private memory: the launcher names it, and whoever has
 * errors returned finds MPI_ERR_PROC_ABORTED and nothing else. argv: milliseconds until then, "return" for
 * the second. */
#include <signal.h>
#include <unistd.h>

#include "check.h"

enum { SIZE = 1 << 20 };

int main(int argc, char **argv)
{
    MPI_Win win;
    MPI_Aint at, *all;
    check_init(&argc, &argv);
    int returns = argc > 2;
    int victim = np - 1;
    char *memory = malloc(SIZE), *own = malloc(SIZE);
    memset(memory, 0, SIZE);
    memset(own, 1, SIZE);
    CHECK_MPI(MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    CHECK_MPI(MPI_Win_attach(win, memory, SIZE));
    CHECK_MPI(MPI_Get_address(memory, &at));
    if (returns && me != victim)
        signal(SIGTERM, SIG_IGN); /* to be there for another moment; before the victim can be killed */
    all = malloc((size_t)np * sizeof *all);
    CHECK_MPI(MPI_Allgather(&at, 1, MPI_AINT, all, 1, MPI_AINT, MPI_COMM_WORLD));
    MPI_Win_set_errhandler(win, returns ? MPI_ERRORS_RETURN : MPI_ERRORS_ARE_FATAL);
    CHECK_MPI(MPI_Win_lock_all(0, win));
    if (me == victim) {
        usleep((useconds_t)atoi(argv[1]) * 1000);
        raise(SIGKILL);
    }
    for (int i = 0;; i++) {
        int n = 1 + i * 7919 % SIZE, rc;
        switch (i % 3) {
        case 0:
            rc = MPI_Put(own, n, MPI_CHAR, victim, all[victim], n, MPI_CHAR, win);
            break;
        case 1:
            rc = MPI_Get(own, n, MPI_CHAR, victim, all[victim], n, MPI_CHAR, win);
            break;
        default:
            rc = MPI_Accumulate(own, n / 256, MPI_INT, victim, all[victim], n / 256, MPI_INT, MPI_SUM, win);
        }
        if (rc == MPI_SUCCESS)
            rc = MPI_Win_flush(victim, win);
        if (rc != MPI_SUCCESS) {
            int class;
            MPI_Error_class(rc, &class);
            printf("rank %d: the class is %s\n", me, class == MPI_ERR_PROC_ABORTED ? "MPI_ERR_PROC_ABORTED" : "another one");
            fflush(stdout);
            for (;;)
                pause();
        }
    }
}
