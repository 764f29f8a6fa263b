// Package ccall calls functions of C that are over soon and call nothing of Go's, as a function of Go is
// called. A call of cgo's tells Go's scheduler that the thread leaves Go. A rank that polls a network does
// nothing else for long, and after 10 ms the scheduler's monitor takes the right to run Go away from it at
// every look, 50 times a ms: on the rank's own processor where there is no other.
package ccall

import "unsafe"

// Call calls f, int f(void *), and is what that returns. The argument must not point into a stack of Go's.
// Go's collector waits for the end of the call.
//
//go:noescape
func Call(f, argument unsafe.Pointer) int32
