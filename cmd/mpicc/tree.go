package main

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// A tree is one build tree or installation of gompi. Both have the same shape:
// bin, include and lib side by side.
type tree struct {
	bin     string // where this program lies
	include string // where mpi.h lies
	lib     string // where libmpi_abi.so lies
	share   string // where the sources of Fortran's modules lie
}

// treeOf finds the tree around a program of it, given by its real path.
func treeOf(exe string) tree {
	bin := filepath.Dir(exe)
	prefix := filepath.Dir(bin)
	return tree{
		bin: bin,
		// Distributions put headers and libraries of one package, or of one
		// architecture, into folders of their own.
		include: holding("mpi.h", filepath.Join(prefix, "include"), filepath.Join(prefix, "include", "gompi")),
		lib: holding("libmpi_abi.so",
			filepath.Join(prefix, "lib"),
			filepath.Join(prefix, "lib64"),
			filepath.Join(prefix, "lib", multiarch()),
			filepath.Join(prefix, "lib", "gompi")),
		share: filepath.Join(prefix, "share", "gompi", "fortran"),
	}
}

// holding returns the first folder that holds the file, or the first of all
// when none does: then the compiler's message names the place to look at.
func holding(file string, folders ...string) string {
	for _, folder := range folders {
		if _, err := os.Stat(filepath.Join(folder, file)); err == nil {
			return folder
		}
	}
	return folders[0]
}

// multiarch is Debian's name for the architecture that this program runs on.
func multiarch() string {
	if runtime.GOARCH == "arm64" {
		return "aarch64-linux-gnu"
	}
	return "x86_64-linux-gnu"
}

// libraryName is the name that the MPI 5.0 ABI gives to the library (20.1).
const libraryName = "mpi_abi"

func (t tree) compileFlags() []string {
	return []string{"-I" + t.include}
}

func (t tree) linkFlags() []string {
	flags := []string{"-L" + t.lib}
	flags = append(flags, t.rpathFlags()...)
	return append(flags, "-l"+libraryName)
}

func (t tree) rpathFlags() []string {
	if strings.Contains(t.lib, ",") {
		// -Wl splits its argument at every comma.
		return []string{"-Xlinker", "-rpath", "-Xlinker", t.lib}
	}
	return []string{"-Wl,-rpath," + t.lib}
}
