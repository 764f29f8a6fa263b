// Package cxx compiles programs that use the C++ bindings of MPI-2 with the wrapper of the build tree, and
// runs them.
package cxx

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"gompi/tests/programs"
)

var build, _ = filepath.Abs("../../build")

// standards are the ones that the header is for.
var standards = []string{"c++98", "c++11", "c++17", "c++20", "c++23"}

// strict are options under which a program that includes the header has to compile.
var strict = []string{"-Wall", "-Wextra", "-pedantic", "-Werror"}

// try runs a command in a folder and returns what it prints.
func try(t *testing.T, folder string, command ...string) (string, error) {
	t.Helper()
	return programs.Try(t, folder, nil, command...).All()
}

func must(t *testing.T, folder string, command ...string) string {
	t.Helper()
	return programs.Must(t, folder, nil, command...)
}

// source is the path of a source file here.
func source(name string) string {
	path, _ := filepath.Abs(filepath.Join("programs", name))
	return path
}

// compile makes a program of sources and options.
func compile(t *testing.T, folder, name string, words ...string) {
	t.Helper()
	command := append([]string{filepath.Join(build, "bin/mpicxx"), "-o", name}, strict...)
	for _, w := range words {
		if strings.HasSuffix(w, ".cc") {
			w = source(w)
		}
		command = append(command, w)
	}
	must(t, folder, command...)
}

// cases are made of these sources; a program prints nothing and returns 0 unless something is wrong.
var cases = []struct {
	name    string
	sources []string
}{
	{"calls", []string{"calls.cc"}},
	{"files", []string{"files.cc"}},
	{"errors", []string{"errors.cc"}},
	{"callbacks", []string{"callbacks.cc"}},
	{"units", []string{"first.cc", "second.cc"}},
	{"macros", []string{"macros.cc"}},
}

// Warnings of the header itself show, which a program does not see. In short mode each program is compiled by
// one of the standards, which take turns.
func TestPrograms(t *testing.T) {
	for i, standard := range standards {
		for j, p := range cases {
			if testing.Short() && (i+j)%len(standards) != 0 {
				continue
			}
			t.Run(standard+"/"+p.name, func(t *testing.T) {
				folder := t.TempDir()
				options := []string{"-std=" + standard, "-DGOMPI_WARN_IN_HEADERS", "-O" + strconv.Itoa(i%3)}
				compile(t, folder, p.name, append(options, p.sources...)...)
				for _, np := range []string{"1", "2", "4"} {
					out, err := try(t, folder, filepath.Join(build, "bin/mpiexec"), "-n", np, "./"+p.name)
					if err != nil || out != "" {
						t.Errorf("np %s: %v\n%s", np, err, out)
					}
				}
			})
		}
	}
}

// A program that fails is seen to fail: the checks of the programs count.
func TestChecksCanFail(t *testing.T) {
	folder := t.TempDir()
	text := "#include \"checks.h\"\nint main() { MPI::Init(); CHECK(MPI::COMM_WORLD.Get_size() == 7); return finish(); }\n"
	if err := os.WriteFile(filepath.Join(folder, "bad.cpp"), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	compile(t, folder, "bad", "-I"+source(""), "bad.cpp")
	if out, err := try(t, folder, "./bad"); err == nil || !strings.Contains(out, "Get_size() == 7") {
		t.Errorf("%v\n%s", err, out)
	}
}

// Every member has the type that the standard gives it, and what it calls is in the library.
func TestMembers(t *testing.T) {
	for _, standard := range standards {
		t.Run(standard, func(t *testing.T) {
			folder := t.TempDir()
			compile(t, folder, "members", "-std="+standard, "-DGOMPI_WARN_IN_HEADERS", "members.cc")
			if out := must(t, folder, "./members"); out != "" {
				t.Error(out)
			}
		})
	}
}

// members.cc names all methods that the header has.
func TestMembersAreComplete(t *testing.T) {
	header, err := os.ReadFile("../../include/mpicxx.h")
	if err != nil {
		t.Fatal(err)
	}
	list, err := os.ReadFile(source("members.cc"))
	if err != nil {
		t.Fatal(err)
	}
	named := map[string]bool{}
	for _, w := range regexp.MustCompile(`\w+`).FindAllString(string(list), -1) {
		named[w] = true
		for _, end := range []string{"_begin", "_end"} {
			named[w+end] = true
		}
	}
	found := 0
	for _, m := range regexp.MustCompile(`(?m)^\t?[\w ]+[ &*]([A-Z]\w+)\(`).FindAllStringSubmatch(string(header), -1) {
		if strings.HasPrefix(m[1], "MPI_") {
			continue
		}
		found++
		if !named[m[1]] {
			t.Errorf("%s is in the header and not in members.cc", m[1])
		}
	}
	if found < 300 {
		t.Errorf("found %d methods only", found)
	}
}

// Any of three macros leaves the namespace out.
func TestWithout(t *testing.T) {
	folder := t.TempDir()
	for _, macro := range []string{"MPI_NO_CPPBIND", "MPICH_SKIP_MPICXX", "OMPI_SKIP_MPICXX"} {
		compile(t, folder, "without", "-D"+macro, "without.cc")
		must(t, folder, filepath.Join(build, "bin/mpiexec"), "-n", "2", "./without")
	}
	out, err := try(t, folder, filepath.Join(build, "bin/mpicxx"), "-c", source("without.cc"))
	if err == nil || !strings.Contains(out, "MPI") {
		t.Errorf("without a macro the name is free: %v\n%s", err, out)
	}
}

// What old code and careful code do to a header.
func TestHeader(t *testing.T) {
	for name, text := range map[string]string{
		"linkage":   "extern \"C\" {\n#include <mpi.h>\n}\nint main() { return MPI::Is_initialized(); }\n",
		"stdio":     "#include <mpi.h>\n#include <stdio.h>\n#include <fcntl.h>\nint main() { return MPI::SEEK_END == SEEK_END; }\n",
		"using":     "#include <mpi.h>\nusing namespace MPI;\nint main() { Intracomm c(COMM_NULL); c = COMM_NULL; return c != COMM_NULL; }\n",
		"equality":  "#include <mpi.h>\nint main() { MPI::Group g; MPI_Group c = g; return !(g == MPI::GROUP_NULL && g == c && c == g); }\n",
		"converted": "#include <mpi.h>\nint main() { MPI_Comm c = MPI::COMM_SELF; MPI::Intracomm d = c; return d != MPI::COMM_SELF; }\n",
	} {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			if err := os.WriteFile(filepath.Join(folder, "x.cpp"), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
			for _, standard := range standards {
				compile(t, folder, "x", "-std="+standard, "-Wold-style-cast", "-Wuseless-cast", "-Wshadow", "x.cpp")
				must(t, folder, "./x")
			}
			compile(t, folder, "x.o", "-c", "-fno-exceptions", "-fno-rtti", "x.cpp")
		})
	}
}

// A program that uses nothing of it gets no code by it.
func TestUnusedCostsNothing(t *testing.T) {
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "x.cpp"), []byte("#include <mpi.h>\nint main() {}\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, standard := range standards {
		compile(t, folder, "x.o", "-std="+standard, "-O2", "-c", "x.cpp")
		if out := must(t, folder, "nm", "x.o"); strings.TrimSpace(out) != "0000000000000000 T main" {
			t.Errorf("%s: %s", standard, out)
		}
	}
}
