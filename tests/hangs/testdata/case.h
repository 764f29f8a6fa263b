/* Programs that hang, each for another reason, and some that do not. The first argument names the case. */
#ifndef CASE_H
#define CASE_H

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WORLD MPI_COMM_WORLD
#define IGNORE MPI_STATUS_IGNORE

static int rank, size;

struct one {
    const char *name;
    void (*run)(void);
};

static int run_case(const struct one *all, const char *name)
{
    for (; all->name; all++)
        if (strcmp(all->name, name) == 0) {
            all->run();
            return 0;
        }
    fprintf(stderr, "there is no case %s\n", name);
    return 2;
}

#define CASES(...) \
    int main(int argc, char **argv) \
    { \
        static const struct one all[] = {__VA_ARGS__, {NULL, NULL}}; \
        MPI_Init(&argc, &argv); \
        MPI_Comm_rank(WORLD, &rank); \
        MPI_Comm_size(WORLD, &size); \
        int code = run_case(all, argv[1]); \
        MPI_Finalize(); \
        return code; \
    }

#endif
