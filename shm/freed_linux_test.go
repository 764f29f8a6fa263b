package shm

import (
	"slices"
	"sync"
	"testing"
)

// allocate reserves and maps an allocation, which has to be zero.
func allocate(t *testing.T, s *Segment, n int64) (base uintptr, off int64) {
	t.Helper()
	off, size, err := s.Reserve(n)
	if err == nil {
		base, err = s.Map(off, size)
	}
	if err != nil {
		t.Fatal(err)
	}
	if memory := Bytes(base, size); slices.ContainsFunc(memory, func(b byte) bool { return b != 0 }) {
		t.Errorf("the allocation at %d is not zero", off)
	}
	return base, off
}

func TestAllocationsAreUsedAgain(t *testing.T) {
	s, err := CreateJob(2)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	give := func(base uintptr, off, n int64) {
		Bytes(base, n)[n-1] = 7
		s.Recycle(base, off, n, [2]int64{n / 2, n / 2})
		s.Part(base, off, n)
	}
	base, off := allocate(t, s, 2*PageSize)
	give(base, off, 2*PageSize)
	if _, other := allocate(t, s, PageSize); other == off {
		t.Error("one of another size is used again")
	}
	if b, o := allocate(t, s, 2*PageSize); b != base || o != off {
		t.Errorf("at %#x, mapped at %#x, want %#x and %#x", o, b, off, base)
	}
	large, at := allocate(t, s, freedMost+PageSize)
	give(large, at, freedMost+PageSize)
	if _, o := allocate(t, s, freedMost+PageSize); o == at {
		t.Error("a large one is used again")
	}

	// more than are kept
	taken := map[int64]bool{}
	var bases []uintptr
	for range 2 * freedWords {
		b, o := allocate(t, s, PageSize)
		if taken[o] {
			t.Fatalf("the allocation at %d is in use already", o)
		}
		taken[o] = true
		bases = append(bases, b, uintptr(o))
	}
	for i := 0; i < len(bases); i += 2 {
		give(bases[i], int64(bases[i+1]), PageSize)
	}
	again := 0
	for range 2 * freedWords {
		if _, o := allocate(t, s, PageSize); taken[o] {
			again++
		}
	}
	if again != freedWords {
		t.Errorf("%d have been used again, want %d", again, freedWords)
	}
}

// Nobody gets what another one has, whoever gives back and takes at the same time.
func TestAllocationsByManyThreads(t *testing.T) {
	s, err := CreateJob(2)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var wg sync.WaitGroup
	for id := range byte(4) {
		wg.Go(func() {
			for range 500 {
				n := int64(id%2+1) * PageSize
				base, off := allocate(t, s, n)
				memory := Bytes(base, n)
				memory[0] = id + 1
				if memory[0] != id+1 {
					t.Error("somebody else has the allocation")
				}
				s.Recycle(base, off, n, [2]int64{n / 2, n / 2})
				s.Part(base, off, n)
			}
		})
	}
	wg.Wait()
}
