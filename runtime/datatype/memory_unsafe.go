package datatype

import "unsafe"

// memory is the n bytes of memory at addr, as a slice.
//
// Preconditions:
//   - addr is the address of n bytes that stay where they are as long as the slice is used: memory of the C
//     side,
//     of a segment, or of the Go heap held by the caller.
//
// The address goes through memory to become a pointer: it is the address of an object that the Go runtime
// does not know, or that the caller keeps alive, so the rules for arithmetic within one Go object do not
// apply.
func memory(addr uintptr, n int) []byte {
	return unsafe.Slice(*(**byte)(unsafe.Pointer(&addr)), n)
}
