package datatype

import (
	"gompi/runtime/mpierr"
	"gompi/shm"
)

// UnpackAt copies n bytes of packed data at from into the buffer, from byte position at of its data on. A
// buffer that is no memory is an error (MPI_ERR_BUFFER) of the operation whose buffer it is, and of nobody
// else.
func (b *Buffer) UnpackAt(at int64, from uintptr, n int64) (err error) {
	if n == 0 {
		return nil
	}
	defer func() {
		if p := recover(); p != nil {
			err = Fault(p)
		}
	}()
	if b.Contiguous() {
		shm.Copy(b.Start()+uintptr(at), from, n)
	} else {
		b.Unpack(at, shm.Bytes(from, n))
	}
	return nil
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
