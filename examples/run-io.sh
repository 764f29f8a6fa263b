#!/bin/sh
# run-io.sh [bin] - builds the two examples on files, runs them and shows what they wrote.
#
# The arguments and variables are those of run.sh.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
bin=${1:-$here/../build/bin}
mpicc=${MPICC:-$bin/mpicc}
mpiexec=${MPIEXEC:-$bin/mpiexec}
np=${NP:-4}
out=$here/../build/examples

mkdir -p "$out"
# $mpicc and $mpiexec are meant to split into words.
$mpicc -O2 -o "$out/ordered_log" "$here/ordered_log.c"
$mpicc -O2 -o "$out/mosaic" "$here/mosaic.c"
(cd "$here/.." && go build -o "$out/show" ./examples/show)

rm -f "$out/log.txt"
$mpiexec -n "$np" "$out/ordered_log" "$out/log.txt"
echo "$np ranks wrote this log at the same time:"
echo
sed 's/^/  /' "$out/log.txt"
echo

$mpiexec -n "$np" "$out/mosaic" "$out/owners.pgm" "$out/picture.pgm" >"$out/figures.txt"
"$out/show" -captions 'who painted,what' "$out/owners.pgm" "$out/picture.pgm" <"$out/figures.txt"
