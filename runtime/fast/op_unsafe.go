//fast:go

package fast

import "unsafe"

// opOf is record number i of a chunk.
//
//fast:c (%0 + %1)
func opOf(chunk *Op, i uintptr) *Op {
	return (*Op)(unsafe.Add(unsafe.Pointer(chunk), i*unsafe.Sizeof(*chunk)))
}

// AddOp makes the record of an operation with a handle. An error is a *shm.NoMemory.
func (o *Objects) AddOp(handle uintptr, from Op) error {
	_, err := addRecord(&o.Operations, opOf, handle, from)
	return err
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

// Function is what stands for the program's functions where this package runs as Go.
type Function func(function, in, inout uintptr, count int32, datatype uintptr)

// SetFunctions sets it for an endpoint. It is no closure, as a Kernel.
func (c *Combining) SetFunctions(f Function) { c.Functions = *(*uintptr)(unsafe.Pointer(&f)) }

// callFunction calls an MPI_User_function: inout[i] = in[i] op inout[i].
//
//fast:c gompi_call_op(%1, %2, %3, %4, %5)
func (c *Combining) callFunction(function, in, inout uintptr, count int32, datatype uintptr) {
	(*(*Function)(unsafe.Pointer(&c.Functions)))(function, in, inout, count, datatype)
}

// callWideFunction calls an MPI_User_function_c.
//
//fast:c gompi_call_op_large(%1, %2, %3, %4, %5)
func (c *Combining) callWideFunction(function, in, inout uintptr, count int32, datatype uintptr) {
	c.callFunction(function, in, inout, count, datatype)
}
