// Package fortran compiles programs in Fortran with the wrappers of the build tree, and runs them.
package fortran

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gompi/tests/programs"
)

// build is the tree whose wrappers and library are tested, which BUILD names where it is another one.
var build = func() string {
	folder := os.Getenv("BUILD")
	if folder == "" {
		folder = "../../build"
	}
	folder, _ = filepath.Abs(folder)
	return folder
}()

// cache is where the wrapper puts the modules.
var cache string

func TestMain(m *testing.M) {
	folder, err := os.MkdirTemp("", "fortran")
	if err != nil {
		panic(err)
	}
	cache = folder
	code := m.Run()
	os.RemoveAll(folder)
	os.Exit(code)
}

// needCompiler skips a test where there is no Fortran compiler.
func needCompiler(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("gfortran"); err != nil {
		t.Skip("no gfortran")
	}
}

// try runs a command in a folder and returns what it prints.
func try(t *testing.T, folder string, command ...string) (string, error) {
	t.Helper()
	return programs.Try(t, folder, environment(), command...).All()
}

func must(t *testing.T, folder string, command ...string) string {
	t.Helper()
	return programs.Must(t, folder, environment(), command...)
}

func environment() []string { return []string{"XDG_CACHE_HOME=" + cache} }

// source is the path of a source file here.
func source(name string) string {
	path, _ := filepath.Abs(filepath.Join("programs", name))
	return path
}

// A program is built of these sources, by these options; it prints nothing unless something is wrong.
type program struct {
	name    string
	options string
	sources []string
}

// plainCases are those for mpi_f08 without descriptors.
var plainCases = []program{{"plain", "", []string{"checks_f08.f90", "plain.f90"}}}

// cases are the programs of what there is with descriptors.
var cases = []program{
	{"old", "-O0 -fcheck=bounds", []string{"old.f"}},
	{"old-r8", "-r8", []string{"old.f"}},
	{"old-no-pie", "-fno-pie -no-pie", []string{"old.f"}},
	{"both", "-O0", []string{"both.f90"}},
	{"module", "-O2", []string{"module.f90"}},
	{"sections", "-O0 -fcheck=all", []string{"checks_f08.f90", "sections.f90"}},
	{"sections-fast", "-O3 -fno-pie -no-pie", []string{"checks_f08.f90", "sections.f90"}},
	{"pending", "-O0 -fcheck=bounds", []string{"checks_f08.f90", "pending.f90"}},
	{"pending-fast", "-O3", []string{"checks_f08.f90", "pending.f90"}},
	{"partitions", "-O0 -fcheck=bounds", []string{"checks_f08.f90", "partitions.f90"}},
	{"partitions-fast", "-O3", []string{"checks_f08.f90", "partitions.f90"}},
	{"callbacks", "-O1", []string{"checks_f08.f90", "callbacks.f90", "c_side.o"}},
	{"mpi1", "-O0 -fcheck=all", []string{"checks_f08.f90", "mpi1.f90"}},
	{"reals-r8", "-r8", []string{"reals.f90"}},
}

// compile makes a program in a folder, with options.
func compile(t *testing.T, folder, name string, sources []string, options ...string) {
	t.Helper()
	command := append([]string{filepath.Join(build, "bin/mpifort"), "-o", name}, options...)
	for _, s := range sources {
		if strings.HasSuffix(s, ".o") {
			must(t, folder, filepath.Join(build, "bin/mpicc"), "-c", "-o", s, source(strings.TrimSuffix(s, "o")+"c"))
			command = append(command, s)
		} else {
			command = append(command, source(s))
		}
	}
	must(t, folder, command...)
}

func TestPrograms(t *testing.T) {
	needCompiler(t)
	folder := t.TempDir()
	for _, p := range cases {
		t.Run(p.name, func(t *testing.T) {
			compile(t, folder, p.name, p.sources, strings.Fields(p.options)...)
			for np := 1; np <= 4; np++ {
				run := []string{filepath.Join(build, "bin/mpiexec"), "-n", strconv.Itoa(np), "./" + p.name}
				if out, err := try(t, folder, run...); err != nil || out != "" {
					t.Errorf("np %d: %v\n%s", np, err, out)
				}
			}
			var others [][]string // ways to run it that matter to operations that go on after a call
			switch name, _, _ := strings.Cut(p.name, "-"); name {
			case "partitions":
				others = [][]string{{"--pretend-nodes", "2"}, {"-genv", "GOMPI_CHECK", "all"}}
			case "pending":
				others = [][]string{{"--pretend-nodes", "2"}}
			}
			for _, how := range others {
				run := slices.Concat([]string{filepath.Join(build, "bin/mpiexec")}, how, []string{"-n", "3", "./" + p.name})
				if out, err := try(t, folder, run...); err != nil || out != "" {
					t.Errorf("%v: %v\n%s", how, err, out)
				}
			}
		})
	}
}

func TestWrapper(t *testing.T) {
	needCompiler(t)
	wrapper := filepath.Join(build, "bin/mpifort")
	folder := t.TempDir()
	if out := must(t, folder, wrapper, "-info"); out != "module mpi: yes\nmodule mpi_f08: yes\n" {
		t.Errorf("-info: %s", out)
	}
	if out := must(t, folder, wrapper, "-show", "x.f90"); !strings.Contains(out, "-lmpifort_abi") {
		t.Errorf("-show: %s", out)
	}
	for _, option := range []string{"-i8", "-fdefault-integer-8"} {
		out, err := try(t, folder, wrapper, option, "-c", "x.f90")
		if err == nil || strings.Count(out, "\n") != 1 || !strings.Contains(out, option) {
			t.Errorf("%s: %v\n%s", option, err, out)
		}
	}
	for _, name := range []string{"mpif77", "mpif90", "mpifort_abi"} {
		if out := must(t, folder, filepath.Join(build, "bin", name), "-showme:command"); out != "gfortran\n" {
			t.Errorf("%s runs %s", name, out)
		}
	}
	for _, variable := range []string{"GOMPI_FC", "MPI_FC", "MPICH_FC", "OMPI_FC"} {
		out, err := try(t, folder, "env", variable+"=nosuch", wrapper, "-c", "x.f90")
		if err == nil || !strings.Contains(out, "nosuch") {
			t.Errorf("%s=nosuch: %v\n%s", variable, err, out)
		}
	}
}
