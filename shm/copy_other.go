//go:build !amd64

package shm

// Go's copy is a vector loop elsewhere.
const stringMoves, vectors = false, false

func moveString(dst, src uintptr, n int64) { goCopy(dst, src, n) }
func moveVector(dst, src uintptr, n int64) { goCopy(dst, src, n) }
