package toolchain

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"gompi/tests/conformance/cache"
	"gompi/tests/conformance/suite"
)

// fortranSuite is a suite with programs of Fortran; its script that merges templates makes one file.
var fortranSuite = map[string]string{
	"f77/ext/whole.f": "", "f90/ext/part.c": "", "f08/ext/mixed.f90": "",
	"f77/attr/aints.h.in":     "      @F77_MPI_ADDRESS@ a\n      @F77_MPI_OFFSET@ b\n",
	"f77/io/ioharness.defn":   "<TESTDEFN filename=\"writef.f\">\ninclude 'iooffset.h'\n",
	"f77/io/ioharness.tlt":    "<fheader/>\nC words\n      implicit none\n      include 'mpif.h'\n",
	"maint/testmerge.in":      "#! @PERL@\nopen F, '>made.f'; print F \"@ARGV\"; close F;\n",
	"util/mtest_f08.f90":      "",
	"cxx/attr/attrx.cxx":      "",
	"util/mtest_cxx.cxx":      "",
	"util/mtest_single.c":     "",
	"util/mtest_common.c":     "",
	"dtpools/src/dtpools.c":   "",
	"errors/f77/io/aint.h.in": "      @F77_MPI_ADDRESS@ c\n",
}

// TestFortran builds programs of Fortran and of C++ with wrappers that note how they were called.
func TestFortran(t *testing.T) {
	if _, err := exec.LookPath("perl"); err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	for _, name := range []string{"mpicc", "mpifort", "mpicxx"} {
		write(t, filepath.Join(dir, name), compiler)
	}
	write(t, filepath.Join(dir, "run"), "#!/bin/sh\nexec \"$3\"\n")
	m, err := Open(t.Context(), filepath.Join(dir, "mpicc"), filepath.Join(dir, "run"), 1, dir)
	if err != nil {
		t.Fatal(err)
	}
	suiteDir := filepath.Join(dir, "suite")
	for name, text := range fortranSuite {
		write(t, filepath.Join(suiteDir, name), text)
	}
	b, err := NewBuilder(t.Context(), m, suiteDir, "suite", cache.At(filepath.Join(dir, "cache")))
	if err != nil {
		t.Fatal(err)
	}
	calls := func(name string) string {
		text, _ := os.ReadFile(filepath.Join(dir, name+".calls"))
		os.Remove(filepath.Join(dir, name+".calls"))
		return string(text)
	}
	for name, want := range map[string]string{
		"headers/aints.h":    "      integer*8 a\n      integer*8 b\n",
		"headers/aint.h":     "      integer*8 c\n",
		"f77/io/made.f":      "-defn=" + filepath.Join(suiteDir, "maint/common.defn") + " definitions template",
		"f90/io/template":    "<f90header/>\n! words\n      use mpi\n",
		"f90/io/definitions": "<TESTDEFN filename=\"writef90.f90\">\ninteger (kind=MPI_OFFSET_KIND)offset\n",
	} {
		if text, err := os.ReadFile(b.generated(name)); err != nil || string(text) != want {
			t.Errorf("%s: %q, %v; want %q", name, text, err, want)
		}
	}
	if support := calls("mpifort"); !strings.Contains(support, "-DMTestSpawnPossible=suite_spawn_possible -c "+suiteDir+"/util/mtest_f08.f90") {
		t.Errorf("support code: %s", support)
	}
	calls("mpicc")
	calls("mpicxx")
	for _, c := range []struct {
		folder  string
		sources []string
		wrapper string
		want    []string
	}{
		{"f08/ext", []string{"mixed.f90", "../../f90/ext/part.c"}, "mpifort", []string{"f08/ext/mixed.f90 ", "/p-part.o ", "mtest_f08.o ",
			"libsupport.a", "-Wl,--wrap=mpi_comm_set_errhandler_f08_", "-J"}},
		{"f77/io", []string{"made.f"}, "mpifort", []string{b.generated("f77/io/made.f")}},
		{"f90/ext", []string{"part.c"}, "mpicc", []string{"f90/ext/part.c ", "mtest_single.o "}},
		{"cxx/attr", []string{"attrx.cxx"}, "mpicxx", []string{"cxx/attr/attrx.cxx ", "mtest_cxx.o "}},
	} {
		test, recipe := suite.Test{Folder: c.folder, Program: "p"}, suite.Recipe{Sources: c.sources}
		if _, err := b.Program(t.Context(), test, recipe); err != nil {
			t.Fatal(err)
		}
		made := calls(c.wrapper)
		for _, want := range c.want {
			if !strings.Contains(made, want) {
				t.Errorf("%s: the command of %s lacks %s: %s", c.folder, c.wrapper, want, made)
			}
		}
	}
}

func TestLacks(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "mpicc"), compiler)
	write(t, filepath.Join(dir, "mpifort"), "#!/bin/sh\necho x: error: no Fortran >&2\nexit 1\n")
	m := &MPI{CC: []string{filepath.Join(dir, "mpicc")}, FC: beside(filepath.Join(dir, "mpicc"), "mpifort")}
	for part, want := range map[string]string{"C": "", "Fortran": "x: error: no Fortran",
		"C++": "there is no compiler wrapper of this language"} {
		if got, err := m.Lacks(t.Context(), part); err != nil || got != want {
			t.Errorf("%s: %q, %v; want %q", part, got, err, want)
		}
	}
}
