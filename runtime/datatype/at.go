package datatype

import (
	"gompi/runtime/mpierr"
	"gompi/shm"
)

// PackTo copies n bytes of the buffer's data, from byte at on, to memory at to, which shm.Copy takes over
// from the cache of whoever has read it last. It panics where the buffer is no memory.
func (b *Buffer) PackTo(at int64, to uintptr, n int64) {
	if b.Contiguous() {
		shm.Copy(to, b.Start()+uintptr(at), n)
	} else {
		b.Pack(at, shm.Bytes(to, n))
	}
}

// UnpackFrom copies n bytes of packed data at from into the buffer, from byte at of its data on. It panics
// where the buffer is no memory.
func (b *Buffer) UnpackFrom(at int64, from uintptr, n int64) {
	if b.Contiguous() {
		shm.Copy(b.Start()+uintptr(at), from, n)
	} else {
		b.Unpack(at, shm.Bytes(from, n))
	}
}

// PackAt is PackTo for which a buffer that is no memory is an error (MPI_ERR_BUFFER) of the operation whose
// buffer it is, and of nobody else.
func (b *Buffer) PackAt(at int64, to uintptr, n int64) (err error) {
	defer caught(&err)
	b.PackTo(at, to, n)
	return nil
}

// UnpackAt is UnpackFrom with the same errors.
func (b *Buffer) UnpackAt(at int64, from uintptr, n int64) (err error) {
	if n == 0 {
		return nil
	}
	defer caught(&err)
	b.UnpackFrom(at, from, n)
	return nil
}

// caught is deferred where a fault at an address of the program's is an error.
func caught(err *error) {
	if p := recover(); p != nil {
		*err = Fault(p)
	}
}

// Fault is the error for what a recovered panic says of a fault at an address of the program's
// (MPI_ERR_BUFFER). Any other panic goes on.
func Fault(p any) error {
	f, ok := p.(interface{ Addr() uintptr })
	if !ok {
		panic(p)
	}
	return mpierr.New(mpierr.ErrBuffer, "address %#x cannot be read or written", f.Addr())
}
