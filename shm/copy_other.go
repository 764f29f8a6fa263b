//go:build !amd64

package shm

const stringMoves = false

func moveString(dst, src uintptr, n int64) {}
