/* Opens plug-ins in Fortran, each with a scope of its own, and calls them. With MPI the program uses MPI too;
 * else the last plug-in ends what the first has begun. */
#include <dlfcn.h>
#ifdef MPI
#include <mpi.h>
#endif
#include <stdio.h>

int main(int argc, char **argv)
{
    int failed = 0;

#ifdef MPI
    MPI_Init(&argc, &argv);
#endif
    for (int i = 1; i < argc; i++) {
        void *library = dlopen(argv[i], RTLD_NOW | RTLD_LOCAL), *symbol;
        int last = i == argc - 1, wrong = 0;
        if (library == NULL || (symbol = dlsym(library, "plugin_")) == NULL) {
            printf("%s\n", dlerror());
            return 1;
        }
#ifdef MPI
        last = 0;
#endif
        ((void (*)(int *, int *))symbol)(&last, &wrong);
        if (wrong != 0) {
            printf("%s: %d\n", argv[i], wrong);
            failed = 1;
        }
    }
#ifdef MPI
    MPI_Finalize();
#endif
    return failed;
}
