package datatype

import (
	"runtime"
	"testing"
)

// Meshes make types of a million blocks of a derived type. What a block takes while such a type is made, and
// in the end, must be near to the displacement itself.
func TestManyBlocksTakeLittleMemory(t *testing.T) {
	const blocks, most = 1 << 20, 100
	pair, err := Vector(2, 1, 2, ByHandle(0x20c), false)
	if err != nil {
		t.Fatal(err)
	}
	displs, ones := make([]int64, blocks), make([]int64, blocks)
	for i := range displs {
		displs[i], ones[i] = int64(i)*64+int64(i*7919%13)/8*8, 1
	}
	makers := map[string]func() (*Type, error){
		"HindexedBlock": func() (*Type, error) { return HindexedBlock(1, displs, pair, false) },
		"Hindexed":      func() (*Type, error) { return Hindexed(ones, displs, pair, false) },
	}
	for name, construct := range makers {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		made, err := construct()
		runtime.ReadMemStats(&after)
		if err != nil {
			t.Fatal(err)
		}
		if size := int64(blocks) * pair.Size(); made.Size() != size {
			t.Errorf("%s: size %d, want %d", name, made.Size(), size)
		}
		if each := (after.TotalAlloc - before.TotalAlloc) / blocks; each > most {
			t.Errorf("%s: %d bytes for each block, want at most %d", name, each, most)
		}
	}
}
