"""Prints where gompi's files are."""

import gompi

print("version  " + gompi.__version__)
for what, name in (
    ("mpiexec", "bin/mpiexec"),
    ("mpicc", "bin/mpicc"),
    ("library", "lib/libmpi_abi.so.1"),
    ("header", "include/mpi.h"),
):
    print("{:<8} {}".format(what, gompi.path(name)))
