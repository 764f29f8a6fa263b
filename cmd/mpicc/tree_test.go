package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestTreeFindsItsParts(t *testing.T) {
	for _, c := range []struct{ include, lib string }{
		{"include", "lib"},
		{"include/gompi", "lib64"},
		{"include", "lib/" + multiarch()},
		{"include", "lib/gompi"},
	} {
		prefix := t.TempDir()
		for _, file := range []string{c.include + "/mpi.h", c.lib + "/libmpi_abi.so"} {
			path := filepath.Join(prefix, file)
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, nil, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want := tree{bin: prefix + "/bin", include: filepath.Join(prefix, c.include),
			lib: filepath.Join(prefix, c.lib), share: prefix + "/share/gompi/fortran"}
		if got := treeOf(prefix + "/bin/mpicc"); got != want {
			t.Errorf("found %v, want %v", got, want)
		}
	}
	// An incomplete tree is still one: the compiler's message then names the folder.
	if got, want := treeOf("/nosuch/bin/mpicc"), (tree{"/nosuch/bin", "/nosuch/include", "/nosuch/lib",
		"/nosuch/share/gompi/fortran"}); got != want {
		t.Errorf("found %v, want %v", got, want)
	}
}

func TestLinkFlags(t *testing.T) {
	for lib, want := range map[string][]string{
		"/p/lib":   {"-L/p/lib", "-Wl,-rpath,/p/lib", "-lmpi_abi"},
		"/p,q/lib": {"-L/p,q/lib", "-Xlinker", "-rpath", "-Xlinker", "/p,q/lib", "-lmpi_abi"},
	} {
		if got := (tree{lib: lib}).linkFlags(); !slices.Equal(got, want) {
			t.Errorf("in %s: %q, want %q", lib, got, want)
		}
	}
}
