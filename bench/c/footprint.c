/* footprint.c - peak resident memory, in KiB, of each rank of a program that
 * starts MPI and ends it (VmHWM of /proc/self/status, so shared pages count).
 *
 *   mpiexec -n 4 ./footprint
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    char line[256];
    long kib = -1;
    FILE *f;

    MPI_Init(&argc, &argv);
    MPI_Finalize();
    if ((f = fopen("/proc/self/status", "r")) != NULL) {
        while (fgets(line, sizeof line, f) != NULL && sscanf(line, "VmHWM: %ld", &kib) != 1)
            ;
        fclose(f);
    }
    if (kib < 0) {
        fprintf(stderr, "no VmHWM in /proc/self/status\n");
        return 2;
    }
    printf("result 0 %ld\n", kib);
    return 0;
}
