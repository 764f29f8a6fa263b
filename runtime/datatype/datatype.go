// Package datatype describes what the bytes of a user's buffer mean: the type map of an MPI datatype, its
// size and extent, and the copying between such a buffer and a contiguous stream. It knows nothing of
// messages.
package datatype

import (
	"math"
	"math/bits"
)

// InPlace is the value of MPI_IN_PLACE in a Buffer's Addr (MPI 5.0, 6.2). It is an address that is never
// read.
const InPlace uintptr = 1

// Buffer is what an MPI call names by (buf, count, datatype): Count elements of Type at Addr. Addr is a plain
// number on purpose: it may be a sentinel such as MPI_IN_PLACE, which must never stand in a pointer-typed
// slot.
type Buffer struct {
	Addr  uintptr
	Count int64
	Type  *Type
}

// InPlace reports whether the caller passed MPI_IN_PLACE for this buffer.
func (b Buffer) InPlace() bool { return b.Addr == InPlace }

// Bytes is the size of the data in the buffer, in bytes, without gaps: Count x the size of Type.
func (b Buffer) Bytes() int64 { return b.Count * b.Type.size }

// MostBytes is more than a process can have. Up to there, the size of a buffer can be multiplied by the
// number of ranks.
const MostBytes = 1 << 50

// TooLarge reports whether the buffer has more data or is longer than any memory. Its count is not negative.
func (b Buffer) TooLarge() bool {
	t := b.Type
	n, ok := Times(b.Count, max(t.size, t.extent, -t.extent))
	return !ok || n > MostBytes
}

// Times is the product of two numbers that are not negative; ok is false where it does not fit into 63 bits.
func Times(x, y int64) (product int64, ok bool) {
	hi, lo := bits.Mul64(uint64(x), uint64(y))
	return int64(lo), hi == 0 && lo <= math.MaxInt64
}

// Contiguous reports whether the data is one run of Bytes() bytes that begins at Start().
func (b Buffer) Contiguous() bool {
	t := b.Type
	return t.dense || b.Count*t.size == 0 || b.Count == 1 && t.oneRun()
}

// Slice is the part of the buffer that holds count elements from element first on. It does not check that
// they lie in the buffer: a receive buffer of MPI_Gather counts the elements of one rank and holds those of
// all.
func (b Buffer) Slice(first, count int64) Buffer {
	return Buffer{Addr: b.Addr + uintptr(first*b.Type.extent), Count: count, Type: b.Type}
}

// Span is the stretch of memory from the first byte of data to behind the last, gaps included: it begins lo
// bytes from Addr and is n bytes long. Both are 0 when there is no data.
func (b Buffer) Span() (lo, n int64) {
	t := b.Type
	if b.Count <= 0 || t.size == 0 {
		return 0, 0
	}
	last := (b.Count - 1) * t.extent
	return t.trueLB + min(last, 0), t.trueUB - t.trueLB + max(last, -last)
}

// AsPacked is a buffer of n bytes at addr that stand for data of any type (MPI_PACKED).
func AsPacked(addr uintptr, n int64) Buffer {
	return Buffer{Addr: addr, Count: n, Type: &predefined[packedHandle-handleBase]}
}

// Raw is a buffer of n bytes at addr (MPI_BYTE).
func Raw(addr uintptr, n int64) Buffer {
	return Buffer{Addr: addr, Count: n, Type: &predefined[byteHandle-handleBase]}
}
