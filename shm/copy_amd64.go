package shm

import "golang.org/x/sys/cpu"

// stringMoves reports whether this processor has string moves that can be quick, and vectors whether it has
// vectors of 32 bytes. The race detector sees Go's copy alone.
var (
	stringMoves = cpu.X86.HasERMS && !raceDetector
	vectors     = cpu.X86.HasAVX && !raceDetector
)

// moveString copies n bytes from src to dst, from the first to the last.
//
//go:noescape
func moveString(dst, src uintptr, n int64)

// moveVector copies n >= leastVector bytes from src to dst, which do not overlap.
//
//go:noescape
func moveVector(dst, src uintptr, n int64)
