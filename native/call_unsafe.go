package native

import "unsafe"

// Call calls f, int f(void *), and is what that returns. f is over soon and calls nothing of Go's: unlike a
// call of cgo's, this one does not tell Go's scheduler that the thread leaves Go, and Go's collector waits
// for its end. A rank that polls a network by calls of cgo does nothing else for long, and after 10 ms the
// scheduler's monitor takes the right to run Go away from it at every look, 50 times a ms: on the rank's own
// processor where there is no other.
//
//go:noescape
func Call(f, argument unsafe.Pointer) int32
