package wrappers

import (
	"os"
	"testing"
)

// The same on gompi itself, as make has built it.
func product(t *testing.T) string {
	t.Helper()
	tree := source + "/build"
	for _, file := range []string{"/bin/mpicc", "/bin/mpiexec", "/lib/libmpi_abi.so.1", "/include/mpi.h"} {
		if _, err := os.Stat(tree + file); err != nil {
			t.Skip("gompi is not built (run make): ", err)
		}
	}
	return tree
}

func TestProductBuildTree(t *testing.T) {
	tree := product(t)
	hello(t, tree)
	threadStorage(t, tree)
	findMPI(t, tree, "PATH")
	cmakeProject(t, "package", nil, "-DCMAKE_PREFIX_PATH="+tree)
	pkgConfig(t, tree)
}

func TestProductInstalled(t *testing.T) {
	tree := installed(t, product(t), "moved")
	hello(t, tree)
	findMPI(t, tree, "compiler")
	cmakeProject(t, "package", nil, "-DCMAKE_PREFIX_PATH="+tree)
	pkgConfig(t, tree)
}
