"""The commands whose programs serve several names: each is started under the name that it was called by.

A wheel has no links, so that a further name takes a script instead of a copy of the program.
"""

import os
import sys

import gompi


def _run(program):
    try:
        os.execv(gompi.path("bin/" + program), [os.path.basename(sys.argv[0]), *sys.argv[1:]])
    except OSError as error:
        sys.exit("gompi: " + str(error))


def compile():
    """Run the compiler wrapper; its name tells the language."""
    _run("mpicc")


def launch():
    """Run mpiexec."""
    _run("mpiexec")
