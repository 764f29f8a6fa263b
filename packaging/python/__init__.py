"""gompi: the Message Passing Interface with the standard's ABI.

The distribution brings libmpi_abi.so.1, mpiexec, the compiler wrappers and the headers into the environment
that it is installed into. ``python -m gompi`` prints where they are; so does :func:`path` for programs.
"""

import os
from importlib import metadata

__version__ = metadata.version("gompi")


def path(name):
    """Return the absolute path of a file of the distribution.

    name is its path below the environment, such as "bin/mpiexec" or "lib/libmpi_abi.so.1". A FileNotFoundError
    says that the distribution has no such file.
    """
    for file in metadata.files("gompi") or ():
        place = os.path.normpath(os.fspath(file.locate()))
        if place.endswith(os.sep + name):
            return place
    raise FileNotFoundError("gompi has no file " + name)


def include():
    """Return the folder of mpi.h."""
    return os.path.dirname(path("include/mpi.h"))


def library():
    """Return the path of libmpi_abi.so.1, for ctypes and for others who open it by themselves."""
    return path("lib/libmpi_abi.so.1")
