// Package wrappers tests the compiler wrappers and the installation from the
// outside: with real compilers, CMake, pkg-config and Meson, on trees that stand
// where they were built, installed and moved.
//
// It knows the commands and the files of an installation, nothing else. Most
// tests run on a tree with a small library that stands in for MPI, so that they
// say something about the wrappers alone; the last ones run on the build tree
// that make has left, when it is there.
package wrappers

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gompi/tests/programs"
)

// The names that the wrapper is installed under, by language.
var (
	cNames   = []string{"mpicc", "mpicc_abi"}
	cxxNames = []string{"mpicxx", "mpic++", "mpiCC", "mpicxx_abi"}
	fortran  = []string{"mpifort", "mpif77", "mpif90", "mpifort_abi"}
)

// source is the root of gompi's sources.
var source, _ = filepath.Abs("../..")

// standIn is the tree with the small library, made once. Tests that change a
// tree work on copies.
var standIn string

func TestMain(m *testing.M) {
	os.Exit(runTests(m))
}

func runTests(m *testing.M) int {
	// What names compilers and their flags in the environment of a developer must
	// not decide about the tests.
	for _, variable := range []string{
		"GOMPI_CC", "GOMPI_CXX", "MPICH_CC", "MPICH_CXX", "OMPI_CC", "OMPI_CXX", "MPICC_PROFILE",
		"CC", "CXX", "CFLAGS", "CXXFLAGS", "CPPFLAGS", "LDFLAGS", "LD_LIBRARY_PATH", "PKG_CONFIG_PATH",
		"MPI_HOME", "MPICC", "MPICXX", "CPATH", "LIBRARY_PATH",
	} {
		os.Unsetenv(variable)
	}
	folder, err := os.MkdirTemp("", "gompi-wrappers-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	standIn = filepath.Join(folder, "build")
	if err := makeStandIn(standIn); err != nil {
		os.Stderr.WriteString(err.Error() + "\n")
		return 1
	}
	return m.Run()
}

func makeStandIn(tree string) error {
	for _, folder := range []string{"bin", "lib", "include", "share/gompi/fortran", "share/man/man1", "share/man/man3", "share/man/man7"} {
		if err := os.MkdirAll(filepath.Join(tree, folder), 0o755); err != nil {
			return err
		}
	}
	steps := [][]string{
		{"go", "build", "-o", tree + "/bin/mpicc", "gompi/cmd/mpicc"},
		{"go", "build", "-o", tree + "/bin/gompi-info", "gompi/cmd/gompi-info"},
		{"gcc", "-shared", "-fPIC", "-Wl,-soname,libmpi_abi.so.1", "-o", tree + "/lib/libgompi.so", "testdata/mpi.c"},
		{"gcc", "-shared", "-fPIC", "-Wl,-soname,libmpifort_abi.so.1", "-o", tree + "/lib/libmpifort_abi.so.1", "testdata/mpi.c"},
		{"gcc", "-shared", "-fPIC", "-o", tree + "/lib/libgompi-trace.so", "testdata/mpi.c"},
		{"cp", "testdata/mpi.h", source + "/include/mpicxx.h", source + "/include/mpi-ext.h", source + "/fortran/mpif.h", tree + "/include/"},
		{"cp", source + "/fortran/mpi.f90", source + "/fortran/mpi_f08.f90", source + "/fortran/gfortran.specs", tree + "/share/gompi/fortran/"},
		{"cp", "testdata/mpiexec", tree + "/bin/"},
		{"cp", "testdata/mpiexec", tree + "/bin/gompi-top"},
		{"touch", tree + "/share/man/man1/mpiexec.1", tree + "/share/man/man3/MPI_Send.3", tree + "/share/man/man7/gompi.7"},
		{source + "/scripts/package-files", "", tree + "/lib", tree + "/include", tree + "/bin", "0.1.0"},
	}
	for _, step := range steps {
		if out, err := exec.Command(step[0], step[1:]...).CombinedOutput(); err != nil {
			return errors.New(strings.Join(step, " ") + ": " + err.Error() + "\n" + string(out))
		}
	}
	for _, name := range slices.Concat(cNames[1:], cxxNames, fortran) {
		if err := os.Symlink("mpicc", filepath.Join(tree, "bin", name)); err != nil {
			return err
		}
	}
	if err := os.Symlink("mpiexec", filepath.Join(tree, "bin", "mpirun")); err != nil {
		return err
	}
	for _, name := range []string{"libmpi_abi.so", "libmpi_abi.so.1", "libmpi_abi.so.0"} {
		if err := os.Symlink("libgompi.so", filepath.Join(tree, "lib", name)); err != nil {
			return err
		}
	}
	return nil
}

// try runs a command in a folder; env is added to the environment.
func try(t *testing.T, folder string, env []string, command ...string) programs.Result {
	t.Helper()
	return programs.Try(t, folder, env, command...)
}

// must runs a command that has to succeed and returns what it prints.
func must(t *testing.T, folder string, command ...string) string {
	t.Helper()
	return programs.Must(t, folder, nil, command...)
}

// write puts a file into a folder and returns its path.
func write(t *testing.T, folder, name, text string, mode os.FileMode) string {
	t.Helper()
	path := filepath.Join(folder, name)
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
	return path
}

// moved returns a copy of a tree under the given name in a folder of its own.
func moved(t *testing.T, tree, name string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), name)
	must(t, ".", "cp", "-a", tree, to)
	return to
}

// installed installs a tree, then moves what was installed to another place.
func installed(t *testing.T, tree, name string) string {
	t.Helper()
	root := t.TempDir()
	install(t, tree, root, "/opt/gompi", "/opt/gompi/lib", "/opt/gompi/include")
	to := filepath.Join(t.TempDir(), name)
	if err := os.Rename(root+"/opt/gompi", to); err != nil {
		t.Fatal(err)
	}
	return to
}

func install(t *testing.T, tree, destdir, prefix, libdir, includedir string) {
	t.Helper()
	must(t, ".", source+"/scripts/install", tree, destdir, prefix, prefix+"/bin", libdir, includedir, prefix+"/share", "0.1.0")
}

// needs skips the test where a program is not installed.
func needs(t *testing.T, program string) {
	t.Helper()
	if _, err := exec.LookPath(program); err != nil {
		t.Skipf("%s is not installed (make test installs what it can)", program)
	}
}
