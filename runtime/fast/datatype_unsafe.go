//fast:go

package fast

import (
	"math"
	"sync/atomic"
	"unsafe"
)

// typeOf is record number i of a chunk.
//
//fast:c (%0 + %1)
func typeOf(chunk *Type, i uintptr) *Type {
	return (*Type)(unsafe.Add(unsafe.Pointer(chunk), i*unsafe.Sizeof(*chunk)))
}

// AddType makes the record of a type whose elements have no gaps, unless an element is too large for it.
// Without memory there is none, and package mpi deals with the type.
func (e *Endpoint) AddType(t Type) {
	if t.Bytes > math.MaxInt32 || grow(&e.Types, t.Handle&objectMask) != nil {
		return
	}
	record := typeOf(e.Types[t.Handle&objectMask>>ChunkBits], t.Handle&chunkMask)
	record.Bytes = t.Bytes
	atomic.StoreUintptr(&record.Handle, t.Handle)
}

// DropType ends the record of the type behind a handle.
func (e *Endpoint) DropType(handle uintptr) {
	if chunk := e.Types[handle&objectMask>>ChunkBits]; chunk != nil {
		atomic.CompareAndSwapUintptr(&typeOf(chunk, handle&chunkMask).Handle, handle, 0)
	}
}
