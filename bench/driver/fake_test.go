package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A fake MPI is a pair of scripts: the compiler makes empty programs, and the
// launcher logs its call and prints what the program would have printed, every
// value multiplied by the library's slowness.
type fake struct {
	name     string // gompi, mpich or openmpi
	slowness int
	extra    string // shell commands that the launcher runs before it answers
}

const fakeCompiler = `#!/bin/sh
while [ "$1" != -o ]; do shift; done
echo '#!/bin/sh' > "$2"
`

const fakeLauncher = `#!/bin/sh
while [ "$1" != -n ]; do shift; done
ranks=$2 program=${3##*/}
shift 3
echo "NAME $program $ranks $*" >> LOG
EXTRA
case $program in
version) echo "fake NAME   1.0"; echo "more of it";;
hello) i=0; while [ $i -lt $ranks ]; do echo "hello from rank $i of $ranks"; i=$((i + 1)); done;;
footprint) echo "result 0 $((1000 * SLOW))"; echo "result 0 $((1000 * SLOW))"; echo "result 0 9999999";;
blocked) echo "result 0 0.0SLOW";;
objects|edges) echo "result 0 $((10 * SLOW)) a call";;
percentiles) for what in median mean; do echo "result $ranks $((10 * SLOW)) $3, $what"; done;;
*) shift 2; [ "$1" = faces ] && set -- faces 32768
   series=; [ $program = exchange ] && series=$1
   for size in "$@"; do case $size in [0-9]*)
       echo "result $size $((10 * SLOW)) $series"; echo "batches $size $((8 * SLOW)) $((12 * SLOW * SLOW)) $series";; esac; done;;
esac
`

// The system's compiler makes a program that sleeps out of busy.c, and one out of raw.c that prints what the
// file "cacheline" says.
const fakeSystemCompiler = `#!/bin/sh
while [ "$1" != -o ]; do shift; done
case $2 in
*/busy) echo '#!/bin/sh
echo $$ >> ROOT/busy
exec /bin/sleep 60' > "$2";;
*) echo '#!/bin/sh
read ns < ROOT/cacheline || exit 1
echo "cacheline $ns"
[ "$1" = cacheline ] || printf "firstuse 400\nmemcpy 16384 1000\n"' > "$2";;
esac
/bin/chmod 755 "$2"
`

// bench is a source tree with fake MPI libraries.
type bench struct {
	root, log string
}

// newBench makes a tree with the fakes; the real libraries of this machine are
// out of the PATH.
func newBench(t *testing.T, fakes ...fake) bench {
	t.Helper()
	b := bench{root: t.TempDir()}
	b.log = filepath.Join(b.root, "log")
	write := func(path, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	bin := filepath.Join(b.root, "path")
	write(filepath.Join(b.root, "bench", "c", "hello.c"), "")
	write(filepath.Join(bin, "cc"), strings.ReplaceAll(fakeSystemCompiler, "ROOT", b.root))
	for _, f := range fakes {
		launcher := strings.NewReplacer("NAME", f.name, "LOG", b.log, "SLOW", fmt.Sprint(f.slowness), "EXTRA",
			strings.ReplaceAll(f.extra, "ROOT", b.root)).Replace(fakeLauncher)
		switch f.name {
		case "gompi":
			write(filepath.Join(b.root, "build", "bin", "mpicc"), fakeCompiler)
			write(filepath.Join(b.root, "build", "bin", "mpiexec"), launcher)
		case "mpich":
			write(filepath.Join(bin, "mpicc.mpich"), fakeCompiler)
			write(filepath.Join(bin, "mpiexec.hydra"), launcher)
		default:
			write(filepath.Join(bin, "mpicc.openmpi"), fakeCompiler)
			write(filepath.Join(bin, "mpiexec.openmpi"), launcher)
		}
	}
	t.Setenv("PATH", bin)
	return b
}

// run is the driver's main on the tree.
func (b bench) run(ctx context.Context, args ...string) (code int, stdout, stderr string) {
	var out, problems bytes.Buffer
	code = run(ctx, append([]string{"-root", b.root, "-install=false"}, args...), &out, &problems)
	return code, out.String(), problems.String()
}

// page is the report of a part.
func (b bench) page(t *testing.T) string {
	t.Helper()
	return readFile(t, b.root, "build", "bench", reportName)
}

// results reads the only result file in a folder below the tree's top.
func (b bench) results(t *testing.T, folder ...string) *results {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(append(append([]string{b.root}, folder...), "*.json")...))
	if err != nil || len(files) != 1 {
		t.Fatalf("result files %v, %v, want one", files, err)
	}
	r, err := readJSON(files[0])
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// calls are the names of the MPIs in the order in which they ran a program.
func (b bench) calls(t *testing.T, program string) string {
	t.Helper()
	text, err := os.ReadFile(b.log)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for line := range strings.Lines(string(text)) {
		if words := strings.Fields(line); words[1] == program {
			names = append(names, words[0])
		}
	}
	return strings.Join(names, " ")
}
