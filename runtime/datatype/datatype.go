// Package datatype describes what the bytes of a user's buffer mean: the type map of an MPI datatype, its size
// and extent, and the copying between such a buffer and a contiguous stream. It knows nothing of messages.
package datatype

// InPlace is the value of MPI_IN_PLACE in a Buffer's Addr (MPI 5.0, 6.2). It is an address that is never read.
const InPlace uintptr = 1

// Buffer is what an MPI call names by (buf, count, datatype): Count elements of Type at Addr. Addr is a plain
// number on purpose: it may be a sentinel such as MPI_IN_PLACE, which must never stand in a pointer-typed slot.
type Buffer struct {
	Addr  uintptr
	Count int64
	Type  *Type
}

// InPlace tells whether the caller passed MPI_IN_PLACE for this buffer.
func (b Buffer) InPlace() bool { return b.Addr == InPlace }

// Bytes is the size of the data in the buffer, in bytes, without gaps: Count x the size of Type.
func (b Buffer) Bytes() int64 { return b.Count * b.Type.size }

// Contiguous tells whether the data is one run of Bytes() bytes that begins at Addr.
func (b Buffer) Contiguous() bool { return b.Type.dense || b.Count*b.Type.size == 0 }
