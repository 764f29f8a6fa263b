package packages

import (
	"debug/elf"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// oldest is the minor version of the C library that portable trees need: 2.17.
const oldest = 17

var bound = regexp.MustCompile(`(?m)^GOMPI_(?:OLDEST\(|BIND\(\w+, )(\w+)\);`)

// newer are the symbols of a program or library that a C library of the oldest version does not have.
func newer(t *testing.T, path string) map[string]string {
	t.Helper()
	f, err := elf.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	symbols, err := f.ImportedSymbols()
	if err != nil && err != elf.ErrNoSymbols {
		t.Fatalf("%s: %v", path, err)
	}
	found := map[string]string{}
	for _, s := range symbols {
		minor, isGlibc := strings.CutPrefix(s.Version, "GLIBC_2.")
		minor, _, _ = strings.Cut(minor, ".")
		if n, err := strconv.Atoi(minor); isGlibc && (err != nil || n > oldest) {
			found[s.Name] = s.Version
		}
	}
	return found
}

// elfFiles are the programs and libraries of a tree.
func elfFiles(t *testing.T, tree string) []string {
	t.Helper()
	libraries, _ := filepath.Glob(tree + "/lib/lib*.so*")
	commands, _ := filepath.Glob(tree + "/bin/*")
	var all []string
	for _, path := range append(libraries, commands...) {
		if info, err := os.Lstat(path); err == nil && info.Mode().IsRegular() {
			all = append(all, path)
		}
	}
	if len(all) < 6 {
		t.Fatalf("%s has %v", tree, all)
	}
	return all
}

// What the tree of this system calls has an older version, which packaging/glibc binds, or is old enough.
func TestNewSymbolsAreBound(t *testing.T) {
	header, err := os.ReadFile(source + "/packaging/glibc/oldest.h")
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, m := range bound.FindAllStringSubmatch(string(header), -1) {
		known[m[1]] = true
	}
	known["__libc_start_main"] = true // packaging/glibc/start.c
	for _, path := range elfFiles(t, tree) {
		for name, version := range newer(t, path) {
			if !known[name] && !strings.HasPrefix(name, "__isoc23_") {
				t.Errorf("%s needs %s of %s: call something older, or bind it in packaging/glibc/oldest.h",
					path, name, version)
			}
		}
	}
}

// Portable trees, where they are built, need nothing newer.
func TestPortableTrees(t *testing.T) {
	trees, _ := filepath.Glob(tree + "/portable/*")
	if len(trees) == 0 {
		t.Skip("no portable tree is built (make packages)")
	}
	for _, tree := range trees {
		for _, path := range elfFiles(t, tree) {
			for name, version := range newer(t, path) {
				t.Errorf("%s needs %s of %s", path, name, version)
			}
			f, err := elf.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			needs, _ := f.DynamicVersionNeeds()
			for _, need := range needs {
				for _, version := range need.Needs {
					if version.Dep == "GLIBC_ABI_DT_RELR" {
						t.Errorf("%s has relocations that glibc knows since 2.36", path)
					}
				}
			}
			if libraries, _ := f.ImportedLibraries(); len(libraries) > 0 && !slices.Contains(libraries, "libpthread.so.0") {
				t.Errorf("%s does not name libpthread.so.0, where threads are before glibc 2.34", path)
			}
			f.Close()
		}
	}
}
