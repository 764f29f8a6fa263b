package shm

import (
	"math"
	"sync"
	"unsafe"
)

// Data that goes from one processor to another is copied by Copy. There are three ways:
//
//	Go's copy      short copies, those that overlap, and processors without the others
//	vector loop    loads and stores of 32 bytes, which take the same time whatever the addresses are
//	string move    the processor's own instruction, which takes over the lines of the destination without
//	               reading them first; on some processors it takes up to twenty times as long where the two
//	               addresses are close modulo 4096, which Closeness tells
//
// Go's copy takes string moves as well, and goes past the caches from 1 MiB on. Both are wrong for data that
// another processor wants next. The copies of C are in capi/copy.c.
const (
	leastVector = 2 << 10   // what the vector loop copies at least
	leastString = 8 << 10   // what a string move copies at least: it takes long to begin
	stretch     = 512 << 10 // in one go, for the scheduler cannot interrupt one
)

// mostSlower is how many times as long as the other ways a string move may take for memory that is in the
// nearest cache, for the sake of memory that another processor has.
const mostSlower = 1.5

// closest is how many bytes the destination may lie behind the source, modulo 4096, for the two to be close.
const closest = 64

// Closeness reports whether two addresses are such that a string move from src to dst may be slow.
func Closeness(dst, src uintptr) bool { return (dst-src)%PageSize < closest }

// LeastMove is the size in bytes from which on Copy uses a string move on this processor, math.MaxInt64 if it
// never does.
var LeastMove = sync.OnceValue(func() int64 {
	if !stringMoves {
		return math.MaxInt64
	}
	m := copyTimes()
	if m.StringApart > mostSlower*m.PlainApart {
		return math.MaxInt64
	}
	return leastString
})

// copyTimes is what copies of leastString bytes take here.
var copyTimes = sync.OnceValue(func() CopyTimes { return MeasureCopy(leastString) })

// CopyTimes is how long copies within the nearest cache take, in ns: by the vector loop, or Go's copy where
// there is none, and by string moves, 0 where there are none; for addresses that are close, and for others.
type CopyTimes struct{ PlainApart, PlainClose, StringApart, StringClose float64 }

// MeasureCopy measures copies of n bytes.
func MeasureCopy(n int64) (t CopyTimes) {
	memory := make([]byte, 2*n+3*PageSize)
	from := (Address(memory) + PageSize - 1) &^ (PageSize - 1)
	apart := from + uintptr(n+PageSize-1)&^(PageSize-1) + PageSize/2
	close := apart - PageSize/2 + closest/4
	plain := goCopy
	if vectors {
		plain = moveVector
	}
	t.PlainApart, t.PlainClose = shortest(plain, apart, from, n), shortest(plain, close, from, n)
	if stringMoves {
		t.StringApart = shortest(moveString, apart, from, n)
		t.StringClose = shortest(moveString, close, from, n)
	}
	return t
}

// shortest is how many ns a copy takes, at the best of several times; each makes a few, because reading the
// clock takes as long.
func shortest(move func(dst, src uintptr, n int64), dst, src uintptr, n int64) float64 {
	const tries, times = 6, 4
	least := uint64(math.MaxUint64)
	for range tries {
		begin := Now()
		for range times {
			move(dst, src, n)
		}
		least = min(least, Now()-begin)
	}
	return float64(least) / times
}

// TakesLines reports whether Copy takes over the lines of a destination that another processor has, without
// reading them first.
func TakesLines() bool { return LeastMove() != math.MaxInt64 }

// Copy copies n bytes from src to dst, which may overlap.
func Copy(dst, src uintptr, n int64) {
	if n >= leastVector && dst-src >= uintptr(n) && src-dst >= uintptr(n) && (vectors || stringMoves) {
		copyLong(dst, src, n)
	} else if n > 0 {
		goCopy(dst, src, n)
	}
}

// copyLong is Copy for n >= leastVector bytes that do not overlap, on processors with one of the two ways.
func copyLong(dst, src uintptr, n int64) {
	move := moveVector
	if n >= leastString && !Closeness(dst, src) && n >= LeastMove() {
		move = moveString
	} else if !vectors {
		move = goCopy
	}
	for ; n > stretch+leastVector; n -= stretch {
		move(dst, src, stretch)
		dst, src = dst+stretch, src+stretch
	}
	move(dst, src, n)
}

// goCopy copies n > 0 bytes, which may overlap.
func goCopy(dst, src uintptr, n int64) {
	copy(unsafe.Slice((*byte)(pointer(dst)), n), unsafe.Slice((*byte)(pointer(src)), n))
}
