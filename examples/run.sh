#!/bin/sh
# run.sh [bin [fortran]] - builds heat2d, in C or in Fortran, runs it and shows both pictures in the terminal.
#
# bin      the folder of mpicc and mpiexec (default: build/bin of this tree)
# MPICC    the compiler wrapper (MPIFORT for Fortran) and
# MPIEXEC  the launcher, with arguments if need be, to use another MPI
# NP       the number of ranks (default: 4)
set -eu

here=$(cd "$(dirname "$0")" && pwd)
bin=${1:-$here/../build/bin}
mpicc=${MPICC:-$bin/mpicc}
source=$here/heat2d.c
if [ "${2-}" = fortran ]; then
	mpicc=${MPIFORT:-$bin/mpifort}
	source=$here/heat2d.f90
fi
mpiexec=${MPIEXEC:-$bin/mpiexec}
np=${NP:-4}
out=$here/../build/examples

mkdir -p "$out"
# $mpicc and $mpiexec are meant to split into words.
$mpicc -O2 -o "$out/heat2d" "$source"
(cd "$here/.." && go build -o "$out/show" ./examples/show)
$mpiexec -n "$np" "$out/heat2d" "$here/cup.pgm" "$out/result.pgm" >"$out/figures.txt"
"$out/show" "$here/cup.pgm" "$out/result.pgm" <"$out/figures.txt"
