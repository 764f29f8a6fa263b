package datatype

import "unsafe"

// addressOf is the address of a slice on the Go heap.
func addressOf(b []byte) uintptr {
	heap = b
	return uintptr(unsafe.Pointer(unsafe.SliceData(b)))
}

var heap []byte // assigned to move what addressOf sees off the stack
