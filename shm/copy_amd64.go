package shm

import "golang.org/x/sys/cpu"

// stringMoves reports whether moveString is quicker than Go's copy. The race detector sees only the latter.
var stringMoves = cpu.X86.HasERMS && !raceDetector

// moveString copies n bytes from src to dst, from the first to the last.
//
//go:noescape
func moveString(dst, src uintptr, n int64)
