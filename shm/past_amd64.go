package shm

// storePast stores past the caches: it takes over no line of the destination before it writes it, and leaves
// none behind.
//
//go:noescape
func storePast(dst, src uintptr, n int64)

// CopyPast is Copy for pieces of a destination that is larger than the caches and will not be read soon: the
// memory is only written, where a plain store reads it first. The two may not overlap, and what is copied at
// once takes some microseconds: n is at most 128 KiB.
func CopyPast(dst, src uintptr, n int64) {
	head := int64(-dst & (CacheLine - 1))
	if raceDetector || n < head+2*CacheLine {
		Copy(dst, src, n)
		return
	}
	body := (n - head) &^ (CacheLine - 1)
	Copy(dst, src, head)
	storePast(dst+uintptr(head), src+uintptr(head), body)
	done := head + body
	Copy(dst+uintptr(done), src+uintptr(done), n-done)
}
