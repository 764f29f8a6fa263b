package main

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"gompi/runtime/datatype"
)

// randomType is a type of one of the shapes for which there are copies in C, with runs of random sizes. No
// two elements of it overlap.
func randomType(t *testing.T, r *rand.Rand) *datatype.Type {
	t.Helper()
	must := func(d *datatype.Type, err error) *datatype.Type {
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	element := datatype.ByHandle([]uint32{0x207, 0x208, 0x209, 0x214}[r.IntN(4)]) // char, short, int, double
	large := datatype.Large(true)
	size := func() int64 { return 1 + r.Int64N(80) }
	displacements := func(n int) (lengths, displs []int64) {
		at := int64(0)
		for range n {
			l := size() % 20
			lengths, displs = append(lengths, l+1), append(displs, at)
			at += l + 1 + r.Int64N(5)
		}
		return lengths, displs
	}
	n := size()
	vector := must(datatype.Vector(1+r.Int64N(200), n, n+r.Int64N(9), element, large))
	switch r.IntN(4) {
	case 0:
		return vector
	case 1: // rows
		return must(datatype.Hvector(1+r.Int64N(20), 1, vector.Extent()+r.Int64N(64), vector, large))
	case 2:
		lengths, displs := displacements(1 + r.IntN(300))
		return must(datatype.Indexed(lengths, displs, element, large))
	}
	displs := []int64{}
	for at := int64(0); at < 300; at++ {
		displs = append(displs, at*(n+at%3+2))
	}
	return must(datatype.IndexedBlock(n, displs, element, large))
}

// TestRuns holds the copies in C against the loops in Go, from any byte of the data on.
func TestRuns(t *testing.T) {
	defer inC(true)
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 4))
	for range 300 {
		of := randomType(t, r)
		of.Commit()
		count := 1 + r.Int64N(4)
		memory := make([]byte, count*of.Extent()+64)
		for i := range memory {
			memory[i] = byte(r.Uint32())
		}
		other := bytes.Clone(memory)
		from := datatype.Buffer{Addr: address(&memory[1+r.IntN(60)]), Count: count, Type: of}
		at := r.Int64N(from.Bytes())
		if r.IntN(2) == 0 {
			at = 0
		}
		packed, want := make([]byte, from.Bytes()-at), make([]byte, from.Bytes()-at)
		inC(true)
		from.Pack(at, packed)
		inC(false)
		from.Pack(at, want)
		if !bytes.Equal(packed, want) {
			t.Fatalf("seed %d: %d elements of %v are packed otherwise in Go, from byte %d on", seed, count,
				of.Contents(), at)
		}
		for i := range packed {
			packed[i] = byte(r.Uint32())
		}
		back := r.IntN(60)
		to := datatype.Buffer{Addr: address(&memory[back]), Count: count, Type: of}
		inC(true)
		to.Unpack(at, packed)
		to.Addr = address(&other[back])
		inC(false)
		to.Unpack(at, packed)
		if !bytes.Equal(memory, other) {
			t.Fatalf("seed %d: %d elements of %v are unpacked otherwise in Go, from byte %d on", seed, count,
				of.Contents(), at)
		}
	}
}
