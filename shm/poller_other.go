//go:build !shared_library

package shm

const besideProgram = false

// MovePollerUp is for the library alone, which has the program's descriptors beside its own.
func MovePollerUp(line string, code uint8, s *Segment, jobRank int) {}

// Told says that this process has told why it ends, with an exit code.
func Told(code int) {}
