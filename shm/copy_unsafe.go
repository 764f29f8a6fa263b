package shm

import "unsafe"

// Go's copy reads each line of the destination before it writes it, and goes past the caches from 1 MiB on.
// Both are wrong for data on its way to another processor: the lines of the destination are in that one's
// cache, and soon wanted there again. The processor's own string move takes lines over without reading them,
// where it has one that is quick (stringMoves): pieces of 32 KiB go to a far core and back at 28 GB/s instead
// of 10.
const (
	leastMove = 2 << 10   // shorter copies are done before a string move has begun
	stretch   = 512 << 10 // in one go: some 50 us, for the scheduler cannot interrupt one
	bypass    = 2 << 20   // longer ones stay in no cache anyway
)

// TakesLines reports whether Copy takes over the lines of a destination that another processor has, without
// reading them first.
func TakesLines() bool { return stringMoves }

// Copy copies n bytes from src to dst, which may overlap.
func Copy(dst, src uintptr, n int64) {
	if n <= bypass && n >= leastMove && (dst < src || dst-src >= uintptr(n)) { // forwards is right
		for ; n > stretch; n -= stretch {
			forwards(dst, src, stretch)
			dst, src = dst+stretch, src+stretch
		}
		forwards(dst, src, n)
		return
	}
	if n > 0 {
		copy(unsafe.Slice((*byte)(pointer(dst)), n), unsafe.Slice((*byte)(pointer(src)), n))
	}
}

// forwards copies n > 0 bytes from the first to the last.
func forwards(dst, src uintptr, n int64) {
	if stringMoves {
		moveString(dst, src, n)
	} else {
		copy(unsafe.Slice((*byte)(pointer(dst)), n), unsafe.Slice((*byte)(pointer(src)), n))
	}
}
