package op

import "unsafe"

// vector is the n elements at addr as a slice. They may have any alignment: both architectures load and store
// unaligned, and no element holds a pointer.
//
// Preconditions:
//   - n > 0, and the elements stay where they are as long as the slice is used: they are memory of the C
//     side, of
//     a segment, or of the Go heap held by the caller.
func vector[T any](addr uintptr, n int64) []T {
	return unsafe.Slice(*(**T)(unsafe.Pointer(&addr)), n)
}
