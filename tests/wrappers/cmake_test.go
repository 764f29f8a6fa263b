package wrappers

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// cmakeProject configures, builds and tests a project of testdata, and returns
// what CMake said while configuring.
func cmakeProject(t *testing.T, project string, env []string, options ...string) string {
	t.Helper()
	needs(t, "cmake")
	needs(t, "ctest")
	build := t.TempDir()
	configure := try(t, ".", env, append([]string{"cmake", "-S", "testdata/" + project, "-B", build}, options...)...)
	said := configure.Stdout + configure.Stderr
	if configure.Code != 0 {
		t.Fatalf("cmake fails:\n%s", said)
	}
	must(t, ".", "cmake", "--build", build)
	must(t, build, "ctest", "--output-on-failure")
	return said
}

// findMPI holds CMake's FindMPI against a tree, in the given ways that users have
// of naming it; all of them when none is given.
func findMPI(t *testing.T, tree string, ways ...string) {
	t.Helper()
	bin := filepath.Join(tree, "bin")
	path := "PATH=" + bin + ":" + os.Getenv("PATH")
	for _, way := range []struct {
		name    string
		env     []string
		options []string
	}{
		{"PATH", []string{path}, nil},
		{"MPI_HOME", nil, []string{"-DMPI_HOME=" + tree}},
		{"compiler", []string{path}, []string{"-DCMAKE_C_COMPILER=" + bin + "/mpicc", "-DCMAKE_CXX_COMPILER=" + bin + "/mpicxx"}},
		{"CC", []string{path, "CC=mpicc", "CXX=mpicxx"}, nil},
		{"wrappers", nil, []string{"-DMPI_C_COMPILER=" + bin + "/mpicc", "-DMPI_CXX_COMPILER=" + bin + "/mpicxx", "-DMPIEXEC_EXECUTABLE=" + bin + "/mpiexec"}},
	} {
		if len(ways) > 0 && !slices.Contains(ways, way.name) {
			continue
		}
		t.Run(way.name, func(t *testing.T) {
			said := cmakeProject(t, "findmpi", way.env, way.options...)
			for _, want := range []string{"found MPI_C_VERSION=5.0", "found MPI_CXX_VERSION=5.0"} {
				if !strings.Contains(said, want) {
					t.Errorf("no %q in\n%s", want, said)
				}
			}
			if way.name == "compiler" || way.name == "CC" {
				return // then FindMPI has nothing to find: the compiler does it all
			}
			for _, want := range []string{
				"found MPI_C_INCLUDE_DIRS=" + tree + "/include", "found MPI_CXX_INCLUDE_DIRS=" + tree + "/include",
				"found MPI_C_LIBRARIES=" + tree + "/lib/libmpi_abi.so", "found MPIEXEC_EXECUTABLE=" + tree + "/bin/mpiexec",
			} {
				if !strings.Contains(said, want) {
					t.Errorf("no %q in\n%s", want, said)
				}
			}
		})
	}
}

func TestFindMPI(t *testing.T)          { findMPI(t, standIn) }
func TestFindMPIInstalled(t *testing.T) { findMPI(t, installed(t, standIn, "moved"), "MPI_HOME") }

// useMakefiles is for paths with a space, which makefiles have to quote twice, for make and for the shell.
func useMakefiles(t *testing.T) { t.Setenv("CMAKE_GENERATOR", "Unix Makefiles") }

func TestFindMPIWithSpace(t *testing.T) {
	useMakefiles(t)
	findMPI(t, moved(t, standIn, "my mpi"), "PATH", "compiler")
}

func TestFindMPIOldWay(t *testing.T) {
	// Only the options of MPICH's family, as CMake would ask after a failure of the others.
	tree := moved(t, standIn, "old")
	for _, name := range []string{"mpicc", "mpicxx"} {
		write(t, tree, "ask-"+name, "#!/bin/sh\ncase $1 in -showme*) exit 1;; esac\nexec \""+tree+"/bin/"+name+"\" \"$@\"\n", 0o755)
	}
	cmakeProject(t, "findmpi", nil, "-DMPI_C_COMPILER="+tree+"/ask-mpicc", "-DMPI_CXX_COMPILER="+tree+"/ask-mpicxx",
		"-DMPIEXEC_EXECUTABLE="+tree+"/bin/mpiexec")
}

func TestCMakePackage(t *testing.T) {
	for _, tree := range []string{standIn, installed(t, standIn, "moved")} {
		cmakeProject(t, "package", nil, "-DCMAKE_PREFIX_PATH="+tree)
	}
}

func TestCMakePackageWithSpace(t *testing.T) {
	useMakefiles(t)
	cmakeProject(t, "package", nil, "-DCMAKE_PREFIX_PATH="+moved(t, standIn, "my mpi"))
}

func TestCMakePackageRefuses(t *testing.T) {
	needs(t, "cmake")
	for version, fits := range map[string]bool{"0.1": true, "0.1.0": true, "0": true, "0.2": false,
		"1": false, "0.1.1": false} {
		folder := t.TempDir()
		write(t, folder, "CMakeLists.txt", "cmake_minimum_required(VERSION 3.16)\nproject(p C)\nfind_package(gompi "+version+" REQUIRED)\n", 0o644)
		r := try(t, folder, nil, "cmake", "-DCMAKE_PREFIX_PATH="+standIn, "-B", "build")
		if (r.Code == 0) != fits {
			t.Errorf("version %s: exit code %d\n%s", version, r.Code, r.Stderr)
		}
	}
	// An installation of which something is gone is not found, and CMake says why.
	tree := moved(t, standIn, "broken")
	if err := os.Remove(tree + "/include/mpi.h"); err != nil {
		t.Fatal(err)
	}
	r := try(t, ".", nil, "cmake", "-S", "testdata/package", "-B", t.TempDir(), "-DCMAKE_PREFIX_PATH="+tree)
	if r.Code == 0 || !strings.Contains(r.Stderr, "mpi.h is missing") {
		t.Errorf("without mpi.h: exit code %d\n%s", r.Code, r.Stderr)
	}
}

func pkgConfig(t *testing.T, tree string) {
	t.Helper()
	needs(t, "pkg-config")
	folder := t.TempDir()
	program, _ := filepath.Abs("testdata/hello.c")
	for _, name := range []string{"gompi", "mpi", "mpi-c", "mpi-cxx"} {
		t.Setenv("PKG_CONFIG_PATH", tree+"/lib/pkgconfig")
		// The shell splits what pkg-config prints, as in a Makefile.
		must(t, folder, "sh", "-ec", `eval "gcc -o hello `+program+` $(pkg-config --cflags --libs `+name+`)"`)
		if out := must(t, folder, "./hello"); out != "hello on gompi\n" {
			t.Errorf("%s: prints %q", name, out)
		}
		if out := must(t, folder, "pkg-config", "--modversion", name); out != "0.1.0\n" {
			t.Errorf("%s: version %q", name, out)
		}
	}
	mpicc := strings.TrimSpace(must(t, folder, "pkg-config", "--variable=cc", "gompi"))
	if real, err := filepath.EvalSymlinks(mpicc); err != nil || real != tree+"/bin/mpicc" {
		t.Errorf("cc=%s (%v), want the wrapper of %s", mpicc, err, tree)
	}
}

func TestPkgConfig(t *testing.T) {
	for _, tree := range []string{standIn, installed(t, standIn, "moved")} {
		pkgConfig(t, tree)
	}
}
