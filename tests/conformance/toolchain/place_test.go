package toolchain

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gompi/tests/conformance/suite"
)

// tree makes a tree with a library that knows its number, and a wrapper that writes the library's place into
// programs.
func tree(t *testing.T, number int) *MPI {
	t.Helper()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "include/mpi.h"), "#define MPI_NUMBER 5\nint number(void);\n")
	write(t, filepath.Join(dir, "number.c"), "int number(void);\nint number(void) { return "+strconv.Itoa(number)+"; }\n")
	lib := filepath.Join(dir, "lib")
	write(t, filepath.Join(lib, "gompi"), "")
	cmd := exec.Command("cc", "-shared", "-fPIC", "-o", filepath.Join(lib, "libnumber.so"), filepath.Join(dir, "number.c"))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	write(t, filepath.Join(dir, "bin/mpicc"), `#!/bin/sh
d=`+dir+`
if [ "$1" = -show ]; then shift; echo cc -I$d/include "$@" -L$d/lib -Wl,-rpath,$d/lib -lnumber
else exec cc -I$d/include "$@" -L$d/lib -Wl,-rpath,$d/lib -lnumber
fi
`)
	m := &MPI{CC: []string{filepath.Join(dir, "bin/mpicc")}}
	m.findLibraries(t.Context())
	if want := []string{lib}; !slices.Equal(m.places, want) {
		t.Fatalf("places %q, want %q", m.places, want)
	}
	return m
}

func TestProgramsRunWithTheLibraryUnderTest(t *testing.T) {
	if _, err := exec.LookPath("cc"); err != nil {
		t.Skip(err)
	}
	t.Setenv("LD_LIBRARY_PATH", "/nowhere")
	first, second := tree(t, 1), tree(t, 2)
	var keys []string
	for _, m := range []*MPI{first, second} {
		key, err := m.key(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		keys = append(keys, key)
	}
	if keys[0] != keys[1] {
		t.Errorf("keys %q of two trees that differ in their place alone", keys)
	}
	dir := t.TempDir()
	source, program := filepath.Join(dir, "p.c"), filepath.Join(dir, "p")
	write(t, source, "#include <mpi.h>\nint main(void) { return number(); }\n")
	if err := first.link(t.Context(), suite.C, program, source); err != nil {
		t.Fatal(err)
	}
	if !first.runnable(program) {
		t.Error("the program may not be run")
	}
	for number, m := range map[int]*MPI{1: first, 2: second} {
		cmd := exec.Command(program)
		cmd.Env = append(os.Environ(), m.Env...)
		cmd.Run()
		if got := cmd.ProcessState.ExitCode(); got != number {
			t.Errorf("library %d instead of %d with %q", got, number, m.Env)
		}
		if err := m.loaded([]string{filepath.Join(m.places[0], "libnumber.so")}); err != nil {
			t.Error(err)
		}
	}
	if err := first.loaded([]string{filepath.Join(second.places[0], "libnumber.so")}); err == nil {
		t.Error("a library of another tree was taken")
	}
	if err := first.loaded(nil); err == nil {
		t.Error("no library at all was taken")
	}
	if _, err := first.run(t.Context(), first.CC, "", source, "-o", program); err != nil {
		t.Fatal(err)
	}
	if err := placeless(program); err == nil || !strings.Contains(err.Error(), first.places[0]) {
		t.Errorf("error %v of a program that names a place", err)
	}
	write(t, program, "half")
	if first.runnable(program) {
		t.Error("half a program may be run")
	}
	write(t, filepath.Join(filepath.Dir(first.places[0]), "include/mpi.h"), "#define MPI_NUMBER 6\nint number(void);\n")
	if key, err := first.key(t.Context()); err != nil || key == keys[0] {
		t.Errorf("key %s with another value of a macro, too; %v", key, err)
	}
}

func TestWithoutPlaces(t *testing.T) {
	for _, x := range []struct{ command, kept, places string }{
		{"gcc x.c -L/l -Wl,-rpath,/l -lmpi", "gcc x.c -L/l -lmpi", "/l"},
		{"gcc -Wl,-rpath -Wl,/a -Wl,--enable-new-dtags -lm", "gcc -Wl,--enable-new-dtags -lm", "/a"},
		{"gcc -Wl,-z,relro,-rpath=/a,-x -Wl,--rpath=/b", "gcc -Wl,-z,relro,-x", "/a /b"},
		{"gcc -Xlinker -rpath -Xlinker /p,q -Xlinker -x", "gcc -Xlinker -x", "/p,q"},
		{"gcc -lmpi", "gcc -lmpi", ""},
	} {
		kept, places := withoutPlaces(strings.Fields(x.command))
		if !slices.Equal(kept, strings.Fields(x.kept)) || !slices.Equal(places, strings.Fields(x.places)) {
			t.Errorf("%s became %q with places %q", x.command, kept, places)
		}
	}
}

func TestSplitWords(t *testing.T) {
	got := splitWords("gcc  -Wl,\"-rpath,/a b\" '-DX=\"y\"' a\\ b \"\"\n")
	if want := []string{"gcc", "-Wl,-rpath,/a b", `-DX="y"`, "a b", ""}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestLinkSaysWhatTheLinkerSays(t *testing.T) {
	if _, err := exec.LookPath("cc"); err != nil {
		t.Skip(err)
	}
	m := tree(t, 1)
	source := filepath.Join(t.TempDir(), "p.c")
	write(t, source, "int missing(void);\nint main(void) { return missing(); }\n")
	err := m.link(t.Context(), suite.C, source+".out", source)
	if refused, ok := errors.AsType[*BuildError](err); !ok || !strings.Contains(refused.Complaint, "missing") {
		t.Errorf("error %v", err)
	}
}
