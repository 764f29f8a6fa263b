package shm

import (
	"math"
	"sync"
	"unsafe"
)

// Go's copy reads each line of the destination before it writes it, and goes past the caches from 1 MiB on.
// Both are wrong for data on its way to another processor: the lines of the destination are in that one's
// cache, and soon wanted there again. The processor's own string move takes lines over without reading them,
// where it has one that is quick. On some processors, and for some sizes, that takes much longer than the
// copies of a compiler, so both are measured once (LeastMove).
const (
	leastMove = 2 << 10   // shorter copies are done before a string move has begun
	stretch   = 512 << 10 // in one go: some 50 us, for the scheduler cannot interrupt one
	bypass    = 2 << 20   // longer ones stay in no cache anyway
)

// mostSlower is how many times as long as Go's copy a string move may take for memory that is in the nearest
// cache, for the sake of memory that another processor has.
const mostSlower = 2

// LeastMove is the size in bytes from which on Copy uses a string move on this processor, math.MaxInt64 if it
// never does.
var LeastMove = sync.OnceValue(func() int64 {
	least := int64(math.MaxInt64)
	if !stringMoves {
		return least
	}
	const largest = 16 << 10 // both buffers stay in the nearest cache
	memory := make([]byte, 2*largest)
	to, from := Address(memory), Address(memory[largest:])
	for n := int64(largest); n >= leastMove; n /= 2 {
		plain := shortest(func() { goCopy(to, from, n) })
		if float64(shortest(func() { moveString(to, from, n) })) > mostSlower*float64(plain) {
			break
		}
		least = n
	}
	return least
})

// shortest is how many ns something takes, at the best of several times; each does it a few times, because
// reading the clock takes as long.
func shortest(do func()) uint64 {
	const tries, times = 6, 4
	least := uint64(math.MaxUint64)
	for range tries {
		begin := Now()
		for range times {
			do()
		}
		least = min(least, Now()-begin)
	}
	return least
}

// TakesLines reports whether Copy takes over the lines of a destination that another processor has, without
// reading them first.
func TakesLines() bool { return LeastMove() != math.MaxInt64 }

// Copy copies n bytes from src to dst, which may overlap.
func Copy(dst, src uintptr, n int64) {
	forwards := dst < src || dst-src >= uintptr(n) // is right
	if forwards && n <= bypass && n >= leastMove && n >= LeastMove() {
		for ; n > stretch; n -= stretch {
			moveString(dst, src, stretch)
			dst, src = dst+stretch, src+stretch
		}
		moveString(dst, src, n)
		return
	}
	if n > 0 {
		goCopy(dst, src, n)
	}
}

// goCopy copies n > 0 bytes, which may overlap.
func goCopy(dst, src uintptr, n int64) {
	copy(unsafe.Slice((*byte)(pointer(dst)), n), unsafe.Slice((*byte)(pointer(src)), n))
}
