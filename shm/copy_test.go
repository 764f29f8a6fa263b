package shm

import (
	"bytes"
	"fmt"
	"runtime/debug"
	"testing"

	"golang.org/x/sys/unix"
	"pgregory.net/rapid"
)

// Copy does what Go's copy does, for every length, alignment and overlap.
func TestCopy(t *testing.T) {
	const room = 3 << 20
	got, want := make([]byte, room), make([]byte, room)
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.OneOf(rapid.IntRange(0, 9000), rapid.IntRange(stretch-100, stretch+100),
			rapid.IntRange(0, room-1000)).Draw(t, "n")
		from := rapid.IntRange(0, room-n).Draw(t, "from")
		to := rapid.OneOf(rapid.IntRange(0, room-n), rapid.IntRange(max(0, from-100), min(room-n,
			from+100))).Draw(t, "to")
		for i := range got {
			got[i] = byte(i*7 + i>>8)
		}
		copy(want, got)
		Copy(Address(got)+uintptr(to), Address(got)+uintptr(from), int64(n))
		copy(want[to:to+n], want[from:from+n])
		if !bytes.Equal(got, want) {
			t.Fatal("the memory differs from what Go's copy makes of it")
		}
	})
}

// Memory that is not there is a fault that the caller can catch, whichever way the copy goes.
func TestCopyFault(t *testing.T) {
	const size = 64 << 10
	mem, err := unix.Mmap(-1, 0, 2*size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Munmap(mem)
	if err := unix.Mprotect(mem[size:], unix.PROT_NONE); err != nil {
		t.Fatal(err)
	}
	at, own := Address(mem), make([]byte, 2*size)
	for _, c := range []struct{ dst, src uintptr }{{at, Address(own)}, {Address(own), at}} {
		func() {
			defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
			defer func() {
				f, ok := recover().(interface{ Addr() uintptr })
				if !ok || f.Addr() < at+size || f.Addr() >= at+2*size {
					t.Errorf("a copy over the end of memory at %#x was answered by %v", at+size, f)
				}
			}()
			Copy(c.dst, c.src, size+leastVector)
		}()
	}
}

// String moves are used where the processor has them and they are not slow, and never between close
// addresses.
func TestLeastMove(t *testing.T) {
	least := LeastMove()
	if TakesLines() && (!stringMoves || least != leastString) {
		t.Errorf("string moves from %d bytes on, of a processor that has them: %v", least, stringMoves)
	}
	for _, c := range []struct {
		dst, src uintptr
		close    bool
	}{{1 << 20, 1 << 20, true}, {1<<20 + 16, 1 << 30, true}, {1<<20 + closest, 1 << 30, false},
		{1 << 20, 1<<30 + 16, false}, {1<<20 + 8, 1<<30 + 8 + 3*PageSize, true}} {
		if Closeness(c.dst, c.src) != c.close {
			t.Errorf("a copy from %#x to %#x is one of close addresses: %v", c.src, c.dst, !c.close)
		}
	}
}

// Every way copies what Go's copy copies, for each alignment of both sides, and writes nothing beside.
func TestWays(t *testing.T) {
	const room = 70 << 10
	got, want, src := make([]byte, room), make([]byte, room), make([]byte, room)
	for i := range src {
		src[i] = byte(i*13 + i>>8)
	}
	ways := map[string]func(dst, src uintptr, n int64){"Copy": Copy}
	if vectors {
		ways["vector loop"] = moveVector
	}
	if stringMoves {
		ways["string move"] = moveString
	}
	for name, move := range ways {
		for _, n := range []int{leastVector, leastVector + 1, leastVector + 63, 4097, 8 << 10, 16<<10 - 1,
			16 << 10, 64<<10 + 5} {
			for from := 0; from < 96; from += 5 {
				for to := 0; to < 96; to++ {
					clear(got)
					clear(want)
					copy(want[to:], src[from:from+n])
					move(Address(got)+uintptr(to), Address(src)+uintptr(from), int64(n))
					if !bytes.Equal(got, want) {
						t.Fatalf("%s: %d bytes from offset %d to %d are wrong", name, n, from, to)
					}
				}
			}
		}
	}
}

// BenchmarkCopy copies between addresses that are close modulo the size of a page, and others.
func BenchmarkCopy(b *testing.B) {
	for _, n := range []int64{1 << 10, leastVector, leastString, 32 << 10, 256 << 10, 2 << 20, 16 << 20} {
		memory := make([]byte, 2*n+3*PageSize)
		from := (Address(memory) + PageSize - 1) &^ (PageSize - 1)
		for name, off := range map[string]uintptr{"close": 16, "apart": PageSize / 2} {
			to := from + uintptr(n+PageSize-1)&^(PageSize-1) + off
			b.Run(fmt.Sprint(name, "/", n), func(b *testing.B) {
				b.SetBytes(n)
				for b.Loop() {
					Copy(to, from, n)
				}
			})
		}
	}
}

// CopyPast copies for every length and alignment, and writes nothing beside.
func TestCopyPast(t *testing.T) {
	const room = 130 << 10
	got, want := make([]byte, room), make([]byte, room)
	src := make([]byte, room)
	for i := range src {
		src[i] = byte(i*11 + i>>8)
	}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.OneOf(rapid.IntRange(0, 400), rapid.IntRange(0, room-100)).Draw(t, "n")
		from, to := rapid.IntRange(0, 70).Draw(t, "from"), rapid.IntRange(0, 70).Draw(t, "to")
		clear(got)
		clear(want)
		CopyPast(Address(got)+uintptr(to), Address(src)+uintptr(from), int64(min(n, room-100)))
		copy(want[to:], src[from:from+min(n, room-100)])
		if !bytes.Equal(got, want) {
			t.Fatal("the memory differs from what Go's copy makes of it")
		}
	})
}
