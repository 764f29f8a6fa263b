package fortran

import (
	"bytes"
	"debug/elf"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gompi/tests/programs"
)

// callSources make the program that calls every routine of an interface.
var callSources = []string{"interface.F90", "functions.F90", "world.F90", "messages.F90", "processes.F90", "attributes.F90", "zz_calls.F90", "calls.F90"}

// interfaces are the three of them, with the definition by which the sources know them.
var interfaces = []struct{ name, define string }{{"mpif.h", "-DMPIFH"}, {"mpi", "-DMPI"}, {"mpi_f08", "-DF08"}}

// compileCalls makes the program for an interface in a folder.
func compileCalls(t *testing.T, folder, define string, options ...string) {
	t.Helper()
	calls, _ := filepath.Abs("calls")
	must(t, folder, filepath.Join(build, "bin/mpicc"), "-c", filepath.Join(calls, "sockets.c"))
	// mpif.h declares no routine, so the compiler warns of each one that is called with different buffers.
	options = append(options, "-w", define, "-I"+calls, "sockets.o")
	for _, s := range callSources {
		options = append(options, filepath.Join(calls, s))
	}
	compile(t, folder, "calls", nil, options...)
}

// Every routine of each interface is called, and does what it should where that can be known.
func TestCalls(t *testing.T) {
	needCompiler(t)
	routines := routinesOfInterfaces(t)
	for _, i := range interfaces {
		t.Run(i.name, func(t *testing.T) {
			folder := t.TempDir()
			compileCalls(t, folder, i.define, "-O0", "-fcheck=all")
			for _, np := range []string{"1", "2"} {
				if out, err := try(t, folder, filepath.Join(build, "bin/mpiexec"), "-n", np, "./calls"); err != nil || out != "" {
					t.Errorf("np %s: %v\n%s", np, err, out)
				}
			}
			r := programs.Try(t, folder, nil, filepath.Join(build, "bin/mpiexec"), "-n", "2", "./calls", "abort")
			if r.Code != 5 {
				t.Errorf("MPI_Abort: exit code %d\n%s", r.Code, r.Stderr)
			}
			imported := importedBy(t, filepath.Join(folder, "calls"))
			for _, symbol := range routines[i.name] {
				if !imported[symbol] {
					t.Errorf("%s is not called", symbol)
				}
			}
		})
	}
}

// A routine that gives something else than it should makes the program fail.
func TestCallsCanFail(t *testing.T) {
	needCompiler(t)
	folder := t.TempDir()
	wrong := `subroutine MPI_Comm_size(comm, size, ierror)
  integer :: comm, size, ierror
  call PMPI_Comm_size(comm, size, ierror)
  if (comm /= 257) size = size + 1
end subroutine
`
	if err := os.WriteFile(filepath.Join(folder, "wrong.f90"), []byte(wrong), 0o666); err != nil {
		t.Fatal(err)
	}
	compileCalls(t, folder, "-DMPIFH", "-O0", "wrong.f90")
	// A program to which a wrong size is told may wait for ranks that there are not.
	out, err := try(t, folder, filepath.Join(build, "bin/mpiexec"), "-n", "2", "--timeout", "30", "./calls")
	if err == nil || !strings.Contains(out, "Comm_size") {
		t.Errorf("%v\n%s", err, out)
	}
}

// importedBy are the symbols that a program has of libraries.
func importedBy(t *testing.T, program string) map[string]bool {
	t.Helper()
	file, err := elf.Open(program)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	symbols, err := file.ImportedSymbols()
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, s := range symbols {
		names[s.Name] = true
	}
	return names
}

// routinesOfInterfaces are the symbols of the routines by interface, without those for profiling.
func routinesOfInterfaces(t *testing.T) map[string][]string {
	t.Helper()
	routines := map[string][]string{}
	for _, module := range []string{"mpi", "mpi_f08"} {
		for _, symbol := range namedIn(t, module+".f90") {
			if strings.HasPrefix(symbol, "mpi") {
				routines[module] = append(routines[module], symbol)
			}
		}
	}
	for _, symbol := range routines["mpi"] {
		if !strings.HasSuffix(symbol, "_cptr_") && !strings.Contains(symbol, "_f08") {
			routines["mpif.h"] = append(routines["mpif.h"], symbol)
		}
	}
	return routines
}

var (
	bound   = regexp.MustCompile(`bind\(C, name="(\w+)"\)`)
	routine = regexp.MustCompile(`(?m)^ +(?:subroutine|\S+(?:\(\S+\))? function) (P?MPIX?_\w+|gompi_\w+)\(`)
)

// namedIn are the symbols that the source of a module names.
func namedIn(t *testing.T, source string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../../fortran", source))
	if err != nil {
		t.Fatal(err)
	}
	var symbols []string
	for line := range strings.Lines(string(bytes.ReplaceAll(text, []byte("&\n"), nil))) {
		if m := bound.FindStringSubmatch(line); m != nil {
			symbols = append(symbols, m[1])
		} else if m := routine.FindStringSubmatch(line); m != nil {
			symbols = append(symbols, strings.ToLower(m[1])+"_")
		}
	}
	return symbols
}

// The library has what the interfaces name, and nothing else.
func TestLibraryAndInterfaces(t *testing.T) {
	file, err := elf.Open(filepath.Join(build, "lib/libmpifort_abi.so.1"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	symbols, err := file.DynamicSymbols()
	if err != nil {
		t.Fatal(err)
	}
	have := map[string]bool{}
	for _, s := range symbols {
		if s.Section != elf.SHN_UNDEF {
			have[s.Name] = true
		}
	}
	named := map[string]bool{"gompi_f_address_": true} // of mpifort's probe
	for _, source := range []string{"mpi_sentinels.f90", "mpi_handle_types.f90", "mpi.f90", "mpi_f08_types.f90", "mpi_f08.f90"} {
		for _, symbol := range namedIn(t, source) {
			named[symbol] = true
			// The twin for compilers without descriptors, which the wrapper makes an interface of.
			if plain, ok := strings.CutSuffix(symbol, "_f08ts_"); ok && !strings.HasSuffix(plain, "sizeof") {
				named[plain+"_f08_"] = true
				if !have[plain+"_f08_"] {
					t.Errorf("%s has no twin without descriptors", symbol)
				}
			}
			if !have[symbol] {
				t.Errorf("%s names %s, which the library has not", source, symbol)
			}
		}
	}
	if len(named) < 2000 {
		t.Errorf("found %d names only", len(named))
	}
	predefined := regexp.MustCompile(`^mpi_(\w+_)?(null_copy|null_delete|dup|conversion)_fn_(null_)?(c_)?$`)
	// Specific names that compilers cannot tell from those of normal counts (docs/fortran.md).
	specific := regexp.MustCompile(`^p?mpi_(file_get_type_extent|type_create_resized|type_get_extent|type_get_true_extent)_c_f08_$`)
	for _, symbol := range slices.Sorted(maps.Keys(have)) {
		if !named[symbol] && !predefined.MatchString(symbol) && !specific.MatchString(symbol) {
			t.Errorf("the library has %s, which no interface names", symbol)
		}
	}
}
