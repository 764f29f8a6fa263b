package fortran

import (
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gompi/tests/programs"
)

// others are the commands of compilers that are not the one that all tests run.
var others = []string{"flang-new-19", "flang-new-20", "flang", "gfortran-11"}

// Another compiler gets modules of its own at the level that it knows, and its programs run with the same
// library.
func TestOtherCompilers(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long: make nightly")
	}
	found := false
	for _, compiler := range others {
		if _, err := exec.LookPath(compiler); err != nil {
			continue
		}
		found = true
		t.Run(compiler, func(t *testing.T) { compileAll(t, compiler) })
	}
	if !found {
		t.Skip("no compiler but gfortran")
	}
}

func compileAll(t *testing.T, compiler string) {
	folder := t.TempDir()
	info := must(t, folder, filepath.Join(build, "bin/mpifort"), "-fc="+compiler, "-info")
	t.Log(info)
	if !strings.Contains(info, "mpi_f08: yes") {
		t.Fatal("no module mpi_f08")
	}
	for _, c := range slices.Concat(cases, plainCases) {
		options := []string{"-fc=" + compiler, "-O1"}
		if strings.HasSuffix(c.name, "-fast") {
			options[1] = "-O3"
		}
		descriptors := !strings.Contains(info, "without descriptors")
		switch {
		case c.name == "plain" && descriptors:
			options = append(options, "-no-descriptors")
		case !descriptors && c.name != "plain" && c.name != "old",
			c.name == "both" && strings.HasPrefix(compiler, "flang"), // two modules in a file: flang 19 fails
			strings.Contains(c.options, "-r8") || strings.Contains(c.options, "-pie"):
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			compile(t, folder, c.name, c.sources, options...)
			for _, np := range []string{"1", "3"} {
				out, err := try(t, folder, filepath.Join(build, "bin/mpiexec"), "-n", np, "./"+c.name)
				if err != nil || out != "" {
					t.Errorf("np %s: %v\n%s", np, err, out)
				}
			}
		})
	}
}

// Without descriptors there are all routines but MPI_Sizeof, and sections are what the compiler copies.
func TestWithoutDescriptors(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long: make nightly")
	}
	needCompiler(t)
	folder := t.TempDir()
	info := must(t, folder, filepath.Join(build, "bin/mpifort"), "-no-descriptors", "-info")
	want := "module mpi: yes\nmodule mpi_f08: yes, without descriptors (MPI_SUBARRAYS_SUPPORTED is .false.): " +
		"-no-descriptors was given\n"
	if info != want {
		t.Errorf("-info: %s", info)
	}
	compile(t, folder, "plain", plainCases[0].sources, "-no-descriptors", "-O1", "-fcheck=bounds")
	for _, np := range []string{"1", "3"} {
		if out, err := try(t, folder, filepath.Join(build, "bin/mpiexec"), "-n", np, "./plain"); err != nil || out != "" {
			t.Errorf("np %s: %v\n%s", np, err, out)
		}
	}
	for symbol := range importedBy(t, filepath.Join(folder, "plain")) {
		if strings.HasSuffix(symbol, "_f08ts_") {
			t.Errorf("the program passes a descriptor to %s", symbol)
		}
	}
	for _, define := range []string{"-DF08", "-DMPI"} {
		compileCalls(t, folder, define, "-DPLAIN", "-no-descriptors", "-O0")
		for _, np := range []string{"1", "2"} {
			out, err := try(t, folder, filepath.Join(build, "bin/mpiexec"), "-n", np, "./calls")
			if err != nil || out != "" {
				t.Errorf("%s, np %s: %v\n%s", define, np, err, out)
			}
		}
	}
}

// mpi_f08 in a job that loses a rank.
func TestRecovery(t *testing.T) {
	needCompiler(t)
	folder := t.TempDir()
	compile(t, folder, "recovery", []string{"checks_f08.f90", "recovery.f90"}, "-O1")
	for _, np := range []string{"2", "3", "4", "7"} {
		r := programs.Try(t, folder, nil, filepath.Join(build, "bin/mpiexec"), "--enable-recovery", "-n", np, "./recovery")
		if r.Code != 9 || r.Stdout != "recovered\n" {
			t.Errorf("np %s: exit code %d\n%s%s", np, r.Code, r.Stdout, r.Stderr)
		}
	}
}
