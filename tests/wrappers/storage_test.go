package wrappers

import (
	"debug/elf"
	"path/filepath"
	"testing"
)

// A library that is loaded at run time gets its static storage of threads out of a small reserve of the C
// library's, which all such libraries share.
func threadStorage(t *testing.T, tree string) {
	const most = 32 // bytes: two words for the Go runtime, two of the library's own
	file, err := elf.Open(filepath.Join(tree, "lib", "libgompi.so"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for _, p := range file.Progs {
		if p.Type == elf.PT_TLS && p.Memsz > most {
			t.Errorf("the library takes %d bytes of static storage of each thread, more than %d", p.Memsz, most)
		}
	}
}
