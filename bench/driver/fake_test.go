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
*) shift 2; for size in "$@"; do case $size in [0-9]*) echo "result $size $((10 * SLOW))";; esac; done;;
esac
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
	write(filepath.Join(bin, "unused"), "")
	for _, f := range fakes {
		launcher := strings.NewReplacer("NAME", f.name, "LOG", b.log, "SLOW", fmt.Sprint(f.slowness), "EXTRA",
			f.extra).Replace(fakeLauncher)
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
