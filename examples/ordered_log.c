/* ordered_log.c - ranks append records to one log, in the order of their ranks.
 *
 *   mpicc -O2 -o ordered_log ordered_log.c
 *   mpiexec -n 4 ./ordered_log log.txt [steps]
 *
 * In every step each rank has something to say or not, in as many words as it
 * likes. MPI_File_write_ordered puts the lines one behind the other as if the ranks
 * wrote in turn, while they write at the same time. So the log reads the same
 * however the ranks are scheduled: step by step, rank by rank. Before the first
 * step the file is opened with MPI_MODE_APPEND: an older log is kept.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { LINE = 100, STEPS = 3 };

/* An error that nobody can do anything about: say so, and end all ranks. */
static void must(int code, const char *what)
{
    char why[MPI_MAX_ERROR_STRING];
    int length;

    if (code == MPI_SUCCESS)
        return;
    MPI_Error_string(code, why, &length);
    fprintf(stderr, "ordered_log: %s: %s\n", what, why);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

/* What a rank has to say in a step, in line; the number of characters. Rank 1 is silent in every second step.
 */
static int record(char *line, int step, int rank)
{
    static const char *const doing[] = {"reads its part of the input", "computes", "has nothing left to do"};
    int n;

    if (rank == 1 && step % 2 == 1)
        return 0;
    n = snprintf(line, LINE, "step %d  rank %d  %s\n", step, rank, doing[(step + rank) % 3]);
    return n;
}

int main(int argc, char **argv)
{
    MPI_File log;
    char line[LINE];
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (argc < 2) {
        if (rank == 0)
            fprintf(stderr, "usage: ordered_log log.txt [steps]\n");
        MPI_Finalize();
        return 1;
    }
    const int steps = argc > 2 ? atoi(argv[2]) : STEPS;
    must(MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_WRONLY | MPI_MODE_CREATE | MPI_MODE_APPEND,
                       MPI_INFO_NULL, &log),
         argv[1]);
    for (int step = 0; step < steps; step++) {
        const int n = record(line, step, rank);
        must(MPI_File_write_ordered(log, line, n, MPI_CHAR, MPI_STATUS_IGNORE), argv[1]);
    }
    must(MPI_File_close(&log), argv[1]);
    MPI_Finalize();
    return 0;
}
