package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// programs puts empty programs of the given names into a folder, which becomes
// the whole of PATH, and clears what would name a compiler.
func programs(t *testing.T, names ...string) string {
	t.Helper()
	folder := t.TempDir()
	for _, name := range names {
		if err := os.WriteFile(filepath.Join(folder, name), nil, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", folder)
	for _, lang := range []language{langC, langCXX} {
		for _, variable := range lang.variables {
			t.Setenv(variable, "")
		}
	}
	return folder
}

func expect(t *testing.T, lang language, option string, want ...string) {
	t.Helper()
	cc, err := compiler(lang, option, "/nowhere/mpicc")
	if err != nil {
		t.Error(err)
	} else if !slices.Equal(cc.words, want) {
		t.Errorf("the compiler is %q, want %q", cc.words, want)
	}
}

func TestCompilerOrder(t *testing.T) {
	programs(t, "gcc", "g++", "one", "two", "three", "four")
	expect(t, langC, "", "gcc")
	expect(t, langCXX, "", "g++")
	t.Setenv("OMPI_CC", "one")
	expect(t, langC, "", "one")
	t.Setenv("MPICH_CC", "two")
	expect(t, langC, "", "two")
	t.Setenv("GOMPI_CC", "three")
	expect(t, langC, "", "three")
	expect(t, langC, "four", "four")
	expect(t, langCXX, "", "g++")
	t.Setenv("OMPI_CXX", "one")
	expect(t, langCXX, "", "one")
	t.Setenv("MPICH_CXX", "two")
	expect(t, langCXX, "", "two")
	t.Setenv("GOMPI_CXX", "three")
	expect(t, langCXX, "", "three")
}

func TestCompilerOfTheSystem(t *testing.T) {
	folder := programs(t, "clang")
	expect(t, langC, "", "clang")
	os.WriteFile(filepath.Join(folder, "cc"), nil, 0o755)
	expect(t, langC, "", "cc")
	os.WriteFile(filepath.Join(folder, "gcc"), nil, 0o644) // not a program
	expect(t, langC, "", "cc")
	if _, err := compiler(langCXX, "", ""); err == nil || !strings.Contains(err.Error(), "GOMPI_CXX") {
		t.Errorf("no C++ compiler: %v; want an error that says what to do", err)
	}
}

func TestCompilerWithArguments(t *testing.T) {
	folder := programs(t, "ccache", "gcc", "my gcc")
	expect(t, langC, "ccache gcc -m64", "ccache", "gcc", "-m64")
	path := filepath.Join(folder, "my gcc")
	expect(t, langC, path, path)
	expect(t, langC, `"`+path+`" -O2`, path, "-O2")
	for _, bad := range []string{"nosuch", "nosuch gcc", `"gcc`, "''", folder} {
		if cc, err := compiler(langC, bad, ""); err == nil {
			t.Errorf("-cc=%s is taken for %q", bad, cc.words)
		} else if !strings.Contains(err.Error(), "-cc="+bad) {
			t.Errorf("-cc=%s: the message does not say where it comes from: %v", bad, err)
		}
	}
}

// A wrapper that runs itself would never end.
func TestCompilerIsNotTheWrapper(t *testing.T) {
	folder := programs(t, "gcc", "mpicc")
	self := filepath.Join(folder, "mpicc")
	if _, err := compiler(langC, "mpicc", self); err == nil {
		t.Error("-cc=mpicc is accepted")
	}
	// FindMPI sets MPICH_CC to CMAKE_C_COMPILER, be that what it may.
	t.Setenv("MPICH_CC", self)
	cc, err := compiler(langC, "", self)
	if err != nil || cc.path != filepath.Join(folder, "gcc") {
		t.Errorf("MPICH_CC=mpicc: %v, %v; want gcc", cc, err)
	}
}
