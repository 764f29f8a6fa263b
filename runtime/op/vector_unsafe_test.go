package op

import "unsafe"

// addressOf is the address of a slice on the Go heap.
func addressOf(b []byte) uintptr { return addressOfSlice(b) }

func addressOfSlice[T any](s []T) uintptr {
	heap = s
	return uintptr(unsafe.Pointer(unsafe.SliceData(s)))
}

var heap any // assigned to move what addressOf sees off the stack
