package wrappers

import (
	"debug/elf"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// hello compiles and runs the test program by every wrapper of a tree, in one
// step and in two, and looks at what the program needs at run time.
func hello(t *testing.T, tree string) {
	t.Helper()
	folder := t.TempDir()
	for _, names := range [][]string{cNames, cxxNames} {
		for _, name := range names {
			source, _ := filepath.Abs("testdata/hello.c")
			if names[0] == "mpicxx" {
				source += "c"
			}
			wrapper := filepath.Join(tree, "bin", name)
			must(t, folder, wrapper, "-Wall", "-Wextra", "-Werror", "-o", "one", source)
			must(t, folder, wrapper, "-c", "-o", "part.o", source)
			must(t, folder, wrapper, "part.o", "-o", "two")
			for _, prog := range []string{"one", "two"} {
				if out := must(t, folder, "./"+prog); out != "hello on gompi\n" {
					t.Errorf("%s: the program prints %q", name, out)
				}
				if out := must(t, folder, tree+"/bin/mpiexec", "-n", "2", "./"+prog); out != "hello on gompi\n" {
					t.Errorf("%s: under mpiexec the program prints %q", name, out)
				}
			}
			file, err := elf.Open(folder + "/two")
			if err != nil {
				t.Fatal(err)
			}
			libs, err := file.ImportedLibraries()
			file.Close()
			if err != nil || !slices.Contains(libs, "libmpi_abi.so.1") {
				t.Errorf("%s: the program needs %q, %v; want libmpi_abi.so.1 among them", name, libs, err)
			}
			for _, lib := range libs {
				if strings.Contains(lib, "gompi") {
					t.Errorf("%s: the program needs %s, which no other MPI has", name, lib)
				}
			}
		}
	}
}

func TestBuildTree(t *testing.T)      { hello(t, standIn) }
func TestMovedBuildTree(t *testing.T) { hello(t, moved(t, standIn, "elsewhere")) }

// Places with characters that mean something to a shell, to the linker or to
// CMake.
func TestOddPlaces(t *testing.T) {
	for _, name := range []string{"with space", "with,comma", "with, both", "with $dollar", "mit ä", "with'quote"} {
		t.Run(name, func(t *testing.T) { hello(t, moved(t, standIn, name)) })
	}
}

// A link to a wrapper from anywhere, as in Debian's alternatives.
func TestLinkedWrapper(t *testing.T) {
	folder := t.TempDir()
	for name, target := range map[string]string{"mpicc": "mpicc", "mpicc.gompi": "mpicc", "mpic++.gompi": "mpic++"} {
		if err := os.Symlink(standIn+"/bin/"+target, filepath.Join(folder, name)); err != nil {
			t.Fatal(err)
		}
		if out := must(t, ".", folder+"/"+name, "-show-libdir"); out != standIn+"/lib\n" {
			t.Errorf("%s says that the library is in %s", name, out)
		}
	}
	if out := must(t, ".", folder+"/mpic++.gompi", "-showme:command"); out != "g++\n" {
		t.Errorf("mpic++.gompi runs %s", out)
	}
	// Found by PATH, without a slash in the name.
	r := try(t, ".", []string{"PATH=" + folder + ":" + os.Getenv("PATH")}, "sh", "-c", "mpicc -show-libdir")
	if r.Stdout != standIn+"/lib\n" {
		t.Errorf("by PATH it prints %s%s", r.Stdout, r.Stderr)
	}
}

// The compiler takes the wrapper's place: its exit code, its signal, its output.
func TestCompilerInPlace(t *testing.T) {
	folder := t.TempDir()
	cc := write(t, folder, "cc", "#!/bin/sh\necho out $1; echo err >&2; eval \"$ACT\"\n", 0o755)
	for act, want := range map[string]int{"exit 0": 0, "exit 3": 3, "exit 255": 255, "kill -TERM $$": -1, "kill -SEGV $$": -1} {
		r := try(t, folder, []string{"GOMPI_CC=" + cc, "ACT=" + act}, standIn+"/bin/mpicc", "--version")
		if r.Code != want || r.Stdout != "out --version\n" || r.Stderr != "err\n" {
			t.Errorf("%s: exit code %d, prints %q and %q", act, r.Code, r.Stdout, r.Stderr)
		}
	}
	r := try(t, folder, nil, standIn+"/bin/mpicc", "nosuch.c")
	if want := try(t, folder, nil, "gcc", "nosuch.c"); r.Code != want.Code || r.Stderr != want.Stderr {
		t.Errorf("a file that is not there: exit code %d and %q, gcc has %d and %q", r.Code, r.Stderr, want.Code, want.Stderr)
	}
	r = try(t, folder, nil, standIn+"/bin/mpicc")
	if want := try(t, folder, nil, "gcc"); r.Code != want.Code || r.Stderr != want.Stderr {
		t.Errorf("no arguments: exit code %d and %q, gcc has %d and %q", r.Code, r.Stderr, want.Code, want.Stderr)
	}
}

func TestEchoRunsToo(t *testing.T) {
	folder := t.TempDir()
	file := write(t, folder, "a.c", "int a;\n", 0o644)
	r := try(t, folder, nil, standIn+"/bin/mpicc", "-echo", "-c", file)
	if r.Code != 0 || r.Stderr != "gcc -I"+standIn+"/include -c "+file+"\n" {
		t.Errorf("exit code %d, prints %q", r.Code, r.Stderr)
	}
	if _, err := os.Stat(folder + "/a.o"); err != nil {
		t.Error("nothing was compiled")
	}
}

func TestNoCompiler(t *testing.T) {
	r := try(t, ".", []string{"PATH=" + t.TempDir()}, standIn+"/bin/mpicc", "a.c")
	if r.Code != 127 || !strings.Contains(r.Stderr, "GOMPI_CC") || strings.Count(r.Stderr, "\n") != 1 {
		t.Errorf("exit code %d, prints %q; want 127 and one line that says what to do", r.Code, r.Stderr)
	}
	r = try(t, ".", nil, standIn+"/bin/mpicc", "-cc=nosuchcc", "a.c")
	if r.Code != 127 || !strings.Contains(r.Stderr, "nosuchcc") || strings.Count(r.Stderr, "\n") != 1 {
		t.Errorf("exit code %d, prints %q; want 127 and one line with the name", r.Code, r.Stderr)
	}
	text := write(t, t.TempDir(), "text", "not a program\x00", 0o755)
	r = try(t, ".", nil, standIn+"/bin/mpicc", "-cc="+text, "a.c")
	if r.Code != 126 || !strings.Contains(r.Stderr, text) || strings.Count(r.Stderr, "\n") != 1 {
		t.Errorf("exit code %d, prints %q; want 126 and one line with the name", r.Code, r.Stderr)
	}
}

// A profiler's library comes ahead of the MPI library, so that its MPI_ functions
// are the ones called.
func TestProfile(t *testing.T) {
	tree := moved(t, standIn, "profiled")
	folder := t.TempDir()
	code := write(t, folder, "prof.c", `#include <string.h>
int MPI_Get_library_version(char *v, int *n) { strcpy(v, "profiled"); *n = 8; return 0; }
`, 0o644)
	must(t, folder, "gcc", "-shared", "-fPIC", "-o", tree+"/lib/libprof.so", code)
	program, _ := filepath.Abs("testdata/hello.c")
	must(t, folder, tree+"/bin/mpicc", "-profile=prof", "-o", "hello", program)
	if out := must(t, folder, "./hello"); out != "hello on profi\n" {
		t.Errorf("prints %q", out)
	}
}
