/* What the programs on files share. */
#ifndef GOMPI_TESTS_IO_H
#define GOMPI_TESTS_IO_H

#include "check.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* A name in the working folder, which is the run's own. */
static char io_name[64];

CHECK_UNUSED
static const char *io_path(const char *name)
{
    snprintf(io_name, sizeof io_name, "%s", name);
    return io_name;
}

CHECK_UNUSED
static MPI_File io_open(const char *name, int amode)
{
    MPI_File f = MPI_FILE_NULL;
    CHECK_MPI(MPI_File_open(MPI_COMM_WORLD, name, amode, MPI_INFO_NULL, &f));
    if (f == MPI_FILE_NULL)
        check_give_up();
    return f;
}

/* All ranks: the file is gone. */
CHECK_UNUSED
static void io_delete(const char *name)
{
    MPI_Barrier(MPI_COMM_WORLD);
    if (me == 0)
        CHECK_MPI(MPI_File_delete(name, MPI_INFO_NULL));
    MPI_Barrier(MPI_COMM_WORLD);
}

/* One rank: the bytes of a file, read without MPI; *n is how many there are. */
CHECK_UNUSED
static unsigned char *io_slurp(const char *name, long *n)
{
    FILE *f = fopen(name, "rb");
    CHECK_MSG(f != NULL, "%s cannot be opened", name);
    if (f == NULL)
        check_give_up();
    fseek(f, 0, SEEK_END);
    *n = ftell(f);
    rewind(f);
    unsigned char *p = malloc(*n + 1);
    CHECK_EQ(fread(p, 1, *n, f), *n);
    fclose(f);
    return p;
}

#endif
