//fast:go

package fast

import (
	"slices"
	"unsafe"

	"gompi/shm"
)

// Kernel is what combines elements where this package runs as Go: out[i] = a[i] op b[i] for n elements of a
// kind, op by handle. out is neither a nor b.
type Kernel func(op uintptr, kind uint32, out, a, b uintptr, n uint32)

// SetKernel sets the kernel of an endpoint, which is a function and no closure: an endpoint is outside of
// what Go's collector sees.
func (c *Combining) SetKernel(k Kernel) { c.Kernel = *(*uintptr)(unsafe.Pointer(&k)) }

// combine computes out[i] = a[i] op b[i] for n elements of a kind. out may be a or b. Operands stand in the
// order that the standard gives them, so that NaNs and signed zeros come out alike wherever the same values
// are combined.
//
//fast:c fast_kernels[%1][%2]((void *)(%3), (const void *)(%4), (const void *)(%5), %6)
func combine(e *Endpoint, op, kind uint32, out, a, b uintptr, n uint32) {
	room := slices.Clone(shm.Bytes(out, int64(elementSizes[kind]*n))) // with what stands in gaps
	(*(*Kernel)(unsafe.Pointer(&e.Kernel)))(FirstOp+uintptr(op), kind, shm.Address(room), a, b, n)
	copy(shm.Bytes(out, int64(len(room))), room)
}

// elementSizes are the sizes of the kinds of elements, in bytes.
var elementSizes = [Elements]uint32{
	0, 1, 1, 2, 2, 4, 4, 8, 8, 4, 8, 8, 8, 16, 8, 16, 8, 16, 8, 16, 16, 32, 32,
}

// SizeOfKind is the size of a kind of elements, in bytes.
func SizeOfKind(kind uint8) int64 { return int64(elementSizes[kind]) }
