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
			Copy(c.dst, c.src, size+leastMove)
		}()
	}
}

// String moves are used where the processor has them, and for sizes that were measured.
func TestLeastMove(t *testing.T) {
	least := LeastMove()
	if TakesLines() && !stringMoves || least < leastMove {
		t.Errorf("string moves from %d bytes on, of a processor that has them: %v", least, stringMoves)
	}
	if TakesLines() && least > 16<<10 {
		t.Errorf("string moves from %d bytes on were never measured", least)
	}
}

func BenchmarkCopy(b *testing.B) {
	for _, n := range []int64{1 << 10, leastMove, 32 << 10, 256 << 10, 2 << 20, 16 << 20} {
		from, to := make([]byte, n), make([]byte, n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.SetBytes(n)
			for b.Loop() {
				Copy(Address(to), Address(from), n)
			}
		})
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
