#!/bin/sh
# run.sh [bin] - builds heat2d, runs it and shows both pictures in the terminal.
#
# bin      the folder of mpicc and mpiexec (default: build/bin of this tree)
# MPICC    the compiler wrapper and
# MPIEXEC  the launcher, with arguments if need be, to use another MPI
# NP       the number of ranks (default: 4)
set -eu

here=$(cd "$(dirname "$0")" && pwd)
bin=${1:-$here/../build/bin}
mpicc=${MPICC:-$bin/mpicc}
mpiexec=${MPIEXEC:-$bin/mpiexec}
np=${NP:-4}
out=$here/../build/examples

mkdir -p "$out"
# $mpicc and $mpiexec are meant to split into words.
$mpicc -O2 -o "$out/heat2d" "$here/heat2d.c"
(cd "$here/.." && go build -o "$out/show" ./examples/show)
$mpiexec -n "$np" "$out/heat2d" "$here/cup.pgm" "$out/result.pgm" >"$out/figures.txt"
"$out/show" "$here/cup.pgm" "$out/result.pgm" <"$out/figures.txt"
