package wrappers

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestInstalledTree(t *testing.T) { hello(t, installed(t, standIn, "moved")) }

// Distributions have folders of their own for headers and libraries.
func TestInstallDistribution(t *testing.T) {
	arch := strings.TrimSpace(must(t, ".", "gcc", "-dumpmachine"))
	for _, c := range []struct{ lib, include, way string }{
		{"/usr/lib/" + arch, "/usr/include/gompi", "-DCMAKE_PREFIX_PATH=ROOT/usr"},
		// Where CMake looks by itself only on systems that have it.
		{"/usr/lib64", "/usr/include", "-Dgompi_DIR=ROOT/usr/lib64/cmake/gompi"},
	} {
		root := t.TempDir()
		install(t, standIn, root, "/usr", c.lib, c.include)
		hello(t, root+"/usr")
		t.Setenv("PKG_CONFIG_PATH", root+c.lib+"/pkgconfig")
		if out := must(t, ".", "pkg-config", "--cflags",
			"mpi-c"); !strings.Contains(filepath.Clean(strings.TrimPrefix(strings.TrimSpace(out),
			"-I")), root+c.include) {
			t.Errorf("pkg-config says %s, want %s", out, root+c.include)
		}
		cmakeProject(t, "package", nil, strings.Replace(c.way, "ROOT", root, 1))
	}
}

// What is installed, exactly, and that nothing of it knows where it was built or
// installed.
func TestInstallFiles(t *testing.T) {
	root := t.TempDir()
	install(t, standIn, root, "/opt/gompi", "/opt/gompi/lib", "/opt/gompi/include")
	prefix := root + "/opt/gompi"
	var got []string
	err := filepath.WalkDir(prefix, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(prefix, path)
		if entry.IsDir() || strings.HasPrefix(name, "share/doc/gompi/") {
			return nil
		}
		got = append(got, name)
		if entry.Type() == fs.ModeSymlink {
			if target, _ := os.Readlink(path); strings.Contains(target, "/") {
				t.Errorf("%s links to %s, not beside itself", name, target)
			}
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if strings.HasPrefix(name, "lib/cmake") || strings.HasPrefix(name, "lib/pkgconfig") {
			for _, place := range []string{root, "/opt/gompi", standIn, source} {
				if strings.Contains(string(text), place) {
					t.Errorf("%s holds the path %s", name, place)
				}
			}
			if strings.Contains(string(text), "@") {
				t.Errorf("%s holds a placeholder:\n%s", name, text)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"bin/gompi-info", "bin/gompi-top", "bin/mpiCC", "bin/mpic++", "bin/mpicc", "bin/mpicc_abi", "bin/mpicxx", "bin/mpicxx_abi", "bin/mpiexec", "bin/mpif77",
		"bin/mpif90", "bin/mpifort", "bin/mpifort_abi", "bin/mpirun",
		"include/mpi-ext.h", "include/mpi.h", "include/mpicxx.h", "include/mpif.h",
		"lib/cmake/gompi/gompi-config-version.cmake", "lib/cmake/gompi/gompi-config.cmake",
		"lib/libgompi-trace.so", "lib/libgompi.so", "lib/libmpi_abi.so", "lib/libmpi_abi.so.0", "lib/libmpi_abi.so.1",
		"lib/libmpifort_abi.so.1",
		"lib/pkgconfig/gompi.pc", "lib/pkgconfig/mpi-c.pc", "lib/pkgconfig/mpi-cxx.pc", "lib/pkgconfig/mpi-fort.pc", "lib/pkgconfig/mpi.pc",
		"share/gompi/fortran/gfortran.specs", "share/gompi/fortran/mpi.f90", "share/gompi/fortran/mpi_f08.f90", "share/gompi/gompi.supp",
		"share/man/man1/mpiexec.1", "share/man/man3/MPI_Send.3", "share/man/man7/gompi.7",
		"share/modulefiles/gompi/0.1.0", "share/modulefiles/gompi/0.1.0.lua",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("installed\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	for _, name := range []string{"README.md", "LICENSE"} {
		if _, err := os.Stat(prefix + "/share/doc/gompi/" + name); err != nil {
			t.Error(err)
		}
	}
}

// Installing over an installation must not disturb a program that runs on it: the
// library gets a new file, the old one stays with the program.
func TestInstallReplaces(t *testing.T) {
	root := t.TempDir()
	install(t, standIn, root, "/p", "/p/lib", "/p/include")
	before, err := os.Stat(root + "/p/lib/libgompi.so")
	if err != nil {
		t.Fatal(err)
	}
	held, err := os.Open(root + "/p/lib/libgompi.so") // keeps the inode's number from being used again
	if err != nil {
		t.Fatal(err)
	}
	defer held.Close()
	install(t, standIn, root, "/p", "/p/lib", "/p/include")
	after, err := os.Stat(root + "/p/lib/libgompi.so")
	if err != nil {
		t.Fatal(err)
	}
	if os.SameFile(before, after) {
		t.Error("the library was written over in its place")
	}
	hello(t, root+"/p")
}

func TestInstallRefuses(t *testing.T) {
	script := source + "/scripts/install"
	root := t.TempDir()
	for _, c := range []struct {
		why  string
		args []string
		want string
	}{
		{"relative prefix", []string{standIn, root, "p", "p/bin", "p/lib", "p/include", "p/share", "0.1.0"}, "absolute"},
		{"nothing built", []string{t.TempDir(), root, "/p", "/p/bin", "/p/lib", "/p/include", "/p/share", "0.1.0"}, "run make first"},
		{"no folder to write to", []string{standIn, "/dev/null", "/p", "/p/bin", "/p/lib", "/p/include", "/p/share", "0.1.0"}, "another PREFIX"},
	} {
		r := try(t, ".", nil, append([]string{script}, c.args...)...)
		if r.Code == 0 || !strings.Contains(r.Stderr, c.want) || strings.Count(r.Stderr, "\n") != 1 {
			t.Errorf("%s: exit code %d, prints %q; want one line with %q", c.why, r.Code, r.Stderr, c.want)
		}
	}
}
