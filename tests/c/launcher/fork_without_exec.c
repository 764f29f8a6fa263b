/*
 * After fork() without exec the child cannot use MPI: its calls return MPI_ERR_OTHER and do not disturb the
 * parent, which goes on as if nothing had been. When the child ends it must not end the job, nor run the
 * library's exit code.
 */
#include "check.h"
#include <sys/wait.h>
#include <unistd.h>

static int child(int quick)
{
    int v = 0, sum = -1;
    MPI_Request r = MPI_REQUEST_NULL;
    if (MPI_Send(&v, 1, MPI_INT, 0, 5, MPI_COMM_WORLD) != MPI_ERR_OTHER)
        return 11;
    if (MPI_Recv(&v, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE) != MPI_ERR_OTHER)
        return 12;
    if (MPI_Irecv(&v, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, &r) != MPI_ERR_OTHER)
        return 13;
    if (MPI_Allreduce(&v, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD) != MPI_ERR_OTHER)
        return 14;
    if (MPI_Barrier(MPI_COMM_WORLD) != MPI_ERR_OTHER)
        return 15;
    if (MPI_Finalize() != MPI_ERR_OTHER)
        return 16;
    return quick ? 0 : 3;
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    for (int i = 0; i < 4; i++) {
        fflush(NULL);
        pid_t pid = fork();
        if (pid == 0) {
            int code = child(i % 2);
            if (i % 2)
                _exit(code);
            exit(code);
        }
        int status = -1, sum = -1;
        CHECK_MPI(MPI_Allreduce(&me, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
        CHECK_EQ(sum, np * (np - 1) / 2);
        CHECK_EQ(waitpid(pid, &status, 0), pid);
        CHECK_MSG(WIFEXITED(status) && WEXITSTATUS(status) == (i % 2 ? 0 : 3), "the child ended with status 0x%x", status);
        CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
    }
    return check_finish();
}
