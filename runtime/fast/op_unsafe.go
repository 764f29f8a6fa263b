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

// AddOp makes the record of an operation with a handle. An error is a *shm.NoMemory.
func (o *Objects) AddOp(handle uintptr, from Op) error {
	if err := grow(&o.Operations, handle&objectMask); err != nil {
		return err
	}
	record := recordOf(&o.Operations, opOf, handle)
	*record = from
	atomic.StoreUintptr(&record.Handle, handle)
	return nil
}

// LoneOp is the record of an operation for which Go has no object; nil when there is none.
func (o *Objects) LoneOp(handle uintptr) *Op {
	if r := o.operation(handle); r != nil && r.isLone() {
		return r
	}
	return nil
}

// DropOp ends the record of the operation behind a handle.
func (o *Objects) DropOp(handle uintptr) {
	if record := recordOf(&o.Operations, opOf, handle); record != nil {
		record.drop(handle)
	}
}

// userFunction calls an MPI_User_function. Go calls those of the program by package capi.
//
//fast:c gompi_call_op(%0, %1, %2, %3, %4)
func userFunction(function, in, inout uintptr, count int32, datatype uintptr) {
	panic("package fast calls no function of the program's in Go")
}
