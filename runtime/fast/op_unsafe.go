//fast:go

package fast

import (
	"sync/atomic"
	"unsafe"
)

// opOf is record number i of a chunk.
//
//fast:c (%0 + %1)
func opOf(chunk *Op, i uintptr) *Op {
	return (*Op)(unsafe.Add(unsafe.Pointer(chunk), i*unsafe.Sizeof(*chunk)))
}

// AddOp makes the record of an operation, whose handle is o.Handle. An error is a *shm.NoMemory.
func (e *Endpoint) AddOp(o Op) error {
	if err := grow(&e.Operations, o.Handle&objectMask); err != nil {
		return err
	}
	record := opOf(e.Operations[o.Handle&objectMask>>ChunkBits], o.Handle&chunkMask)
	record.Function, record.Commutes, record.Freeable = o.Function, o.Commutes, o.Freeable
	atomic.StoreUintptr(&record.Handle, o.Handle)
	return nil
}

// DropOp ends the record of the operation behind a handle.
func (e *Endpoint) DropOp(handle uintptr) {
	if o := recordOf(&e.Operations, opOf, handle); o != nil {
		end(&o.Handle, handle)
	}
}

// userFunction calls an MPI_User_function. Go calls those of the program by package capi.
//
//fast:c gompi_call_op(%0, %1, %2, %3, %4)
func userFunction(function, in, inout uintptr, count int32, datatype uintptr) {
	panic("package fast calls no function of the program's in Go")
}
