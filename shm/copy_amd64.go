package shm

import "golang.org/x/sys/cpu"

// stringMoves reports whether this processor has string moves that can be quick. The race detector sees Go's
// copy alone.
var stringMoves = cpu.X86.HasERMS && !raceDetector

// moveString copies n bytes from src to dst, from the first to the last.
//
//go:noescape
func moveString(dst, src uintptr, n int64)
