package fortran

import (
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"gompi/tests/programs"
)

// A hello is a way to make a program of the sources in hello. Steps are commands whose first word is a
// wrapper or a tool; the program is called hello. F and C stand for the options that choose a compiler, S
// for the folder of the sources.
type hello struct {
	name  string
	gnu   bool // LLVM's flang does not take it: it has other languages, or does not begin with Fortran
	steps []string
}

// hellos are programs of all kinds of sources, in one step and in several, of objects, archives and
// libraries.
var hellos = []hello{
	{"fixed form", false, []string{"mpifort F -o hello S/fixed.f"}},
	{"free form", false, []string{"mpifort F -o hello S/free.f90"}},
	{"mpi", false, []string{"mpifort F -o hello S/module.f90"}},
	{"mpi_f08", false, []string{"mpifort F -o hello S/f08.f90"}},
	{"mpif77 in steps", false, []string{"mpif77 F -c S/fixed.f", "mpif77 F -o hello fixed.o"}},
	{"mpif90 in steps", false, []string{"mpif90 F -c S/f08.f90", "mpif90 F -o hello f08.o"}},
	{"optimized", false, []string{"mpifort F -O3 -g -o hello S/fixed.f"}},
	{"interfaces together", false, []string{"mpifort F -o hello S/main.f90 S/greet.f"}},
	{"modules together", false, []string{"mpifort F -o hello S/main.f90 S/greet.f90"}},
	{"C", false, []string{"mpicc C -Wall -Wextra -o hello S/main.c S/greet.c"}},
	{"C++", false, []string{"mpicxx C -Wall -Wextra -o hello S/main.cc S/greet.cc"}},
	{"C in Fortran", false, []string{"mpicc C -c S/greet.c", "mpifort F -o hello S/main.f greet.o"}},
	{"C++ in Fortran", false, []string{"mpicxx C -c S/greet.cc", "mpifort F -o hello S/main.f90 greet.o -lstdc++"}},
	{"Fortran in C", true, []string{"mpifort F -c S/greet.f", "mpicc C -c S/main.c", "mpifort F -o hello main.o greet.o"}},
	{"Fortran in C++", true, []string{"mpifort F -c S/greet.f", "mpicxx C -o hello S/main.cc greet.o -lmpifort_abi -lgfortran"}},
	{"C and mpif.h at once", true, []string{"mpifort F -o hello S/main.f S/greet.c"}},
	{"C++ and a module at once", true, []string{"mpifort F -o hello S/main.f90 S/greet.cc -lstdc++"}},
	{"C alone by mpifort", true, []string{"mpifort F -c S/greet.c", "mpifort F -o hello S/main.f greet.o"}},
	{"archive", false, []string{"mpifort F -c S/greet.f", "ar rc libgreet.a greet.o", "mpifort F -o hello S/main.f90 libgreet.a"}},
	{"shared library", false, []string{"mpifort F -fPIC -shared -o libgreet.so S/greet.f",
		"mpifort F -o hello S/main.f -L. -lgreet -Wl,-rpath,.", "mpifort F -o hello S/main.f90 libgreet.so -Wl,-rpath,."}},
	{"shared library of C", false, []string{"mpicc C -fPIC -shared -o libgreet.so S/greet.c",
		"mpifort F -o hello S/main.f libgreet.so -Wl,-rpath,."}},
}

// gnuHellos are those with options of gfortran's.
var gnuHellos = []hello{
	{"no PIE", false, []string{"mpifort F -fno-pie -no-pie -o hello S/fixed.f"}},
	{"no PIE, modules", false, []string{"mpifort F -fno-pie -no-pie -o hello S/f08.f90"}},
	{"warnings", false, []string{"mpifort F -Wall -o hello S/free.f90"}},
	{"at link time", true, []string{"mpifort F -flto -o hello S/main.f S/greet.c"}},
}

// A common block is aligned as vectors are, whose registers the machine need not have: it is not run.
var wideVectors = hello{"wide vectors", false, []string{"mpifort F -mavx512f -o hello S/fixed.f"}}

// make makes the program in a folder of its own, which it returns. No command prints anything.
func (h hello) make(t *testing.T, fortranCompiler, compiler, compilerxx string) string {
	t.Helper()
	folder := t.TempDir()
	sources, _ := filepath.Abs("hello")
	for _, step := range h.steps {
		words := strings.Fields(step)
		for i, word := range words {
			switch rest, isSource := strings.CutPrefix(word, "S/"); {
			case isSource:
				words[i] = filepath.Join(sources, rest)
			case word == "F":
				words[i] = "-fc=" + fortranCompiler
			case word == "C" && words[0] == "mpicxx":
				words[i] = "-cxx=" + compilerxx
			case word == "C":
				words[i] = "-cc=" + compiler
			}
		}
		if strings.HasPrefix(words[0], "mpi") {
			words[0] = filepath.Join(build, "bin", words[0])
		}
		r := programs.Try(t, folder, environment(), words...)
		if r.Code != 0 || r.Stdout != "" || r.Stderr != "" {
			t.Fatalf("%s: exit code %d, prints\n%s%s", step, r.Code, r.Stdout, r.Stderr)
		}
	}
	return folder
}

// say makes the program and runs it.
func (h hello) say(t *testing.T, fortranCompiler, compiler, compilerxx string) {
	t.Helper()
	folder := h.make(t, fortranCompiler, compiler, compilerxx)
	r := programs.Try(t, folder, nil, filepath.Join(build, "bin/mpiexec"), "-n", "2", "./hello")
	if r.Code != 0 || r.Stdout != "hello\n" || r.Stderr != "" {
		t.Errorf("exit code %d, prints\n%s%s", r.Code, r.Stdout, r.Stderr)
	}
}

// Neither compilers nor linkers find anything to say of a program, whatever the mixture and their versions.
// In short mode the usual compiler is the only one.
func TestSilence(t *testing.T) {
	needCompiler(t)
	compilers := []string{"gfortran"}
	if !testing.Short() {
		compilers = slices.Concat(compilers, []string{"gfortran-12", "gfortran-13", "gfortran-14"}, others)
	}
	for _, fc := range compilers {
		if _, err := exec.LookPath(fc); err != nil {
			continue
		}
		gnu := strings.HasPrefix(fc, "gfortran")
		cc := strings.Replace(fc, "gfortran", "gcc", 1)
		if _, err := exec.LookPath(cc); !gnu || err != nil {
			cc = "gcc"
		}
		cxx := strings.Replace(cc, "gcc", "g++", 1)
		all := hellos
		if gnu {
			all = append(all[:len(all):len(all)], gnuHellos...)
		}
		t.Run(fc, func(t *testing.T) {
			for _, h := range all {
				if h.gnu && !gnu {
					continue
				}
				t.Run(h.name, func(t *testing.T) { h.say(t, fc, cc, cxx) })
			}
			if gnu && runtime.GOARCH == "amd64" {
				t.Run(wideVectors.name, func(t *testing.T) { wideVectors.make(t, fc, cc, cxx) })
			}
		})
	}
}

// The same with LLVM's compiler of C, and gfortran.
func TestSilenceOfClang(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long: make nightly")
	}
	needCompiler(t)
	if _, err := exec.LookPath("clang"); err != nil {
		t.Skip("no clang")
	}
	for _, h := range hellos {
		if strings.Contains(strings.Join(h.steps, " "), " C ") {
			t.Run(h.name, func(t *testing.T) { h.say(t, "gfortran", "clang", "clang++") })
		}
	}
}
