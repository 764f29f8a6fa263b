package mpi

import (
	"strings"

	"gompi/runtime/datatype"
	"gompi/runtime/mpierr"
)

// NoBuffer stands for a buffer that is significant at the root only.
var NoBuffer = datatype.Buffer{Type: datatype.ByHandle(typeByte)}

// Buffer checks a message buffer that a call reads. names are those of its three parameters, with spaces
// between.
func (a *Args) Buffer(names string, addr uintptr, count int64, datatypeHandle uintptr) datatype.Buffer {
	t := lookupType(datatypeHandle)
	b := datatype.Buffer{Addr: addr, Count: count, Type: t}
	if t == nil || count < 0 || addr < lowest || !t.Committed() {
		return a.oddBuffer(names, b, datatypeHandle)
	}
	if b.TooLarge() {
		a.tooLarge(names, b)
	} else if first, size := b.Span(); size > 0 {
		a.readable(names, addr+uintptr(first))
		a.readable(names, addr+uintptr(first+size)-1)
	}
	if a.noted != nil && a.Err == nil {
		a.uses(names, b, false)
	}
	return b
}

// Target checks a message buffer that a call writes to. Only its begin is tried: programs may count more
// elements than there is memory for, as long as no message has so many.
func (a *Args) Target(names string, addr uintptr, count int64, datatypeHandle uintptr) datatype.Buffer {
	t := lookupType(datatypeHandle)
	b := datatype.Buffer{Addr: addr, Count: count, Type: t}
	if t == nil || count < 0 || addr < lowest || !t.Committed() {
		return a.oddBuffer(names, b, datatypeHandle)
	}
	if b.TooLarge() {
		a.tooLarge(names, b)
	} else if first, size := b.Span(); size > 0 {
		a.writable(names, addr+uintptr(first))
	}
	if a.noted != nil && a.Err == nil {
		a.uses(names, b, true)
	}
	return b
}

// SourceAtRoot is buffer at the root of a collective operation, and target elsewhere.
func (a *Args) SourceAtRoot(root bool, names string, addr uintptr, count int64,
	datatypeHandle uintptr) datatype.Buffer {
	if root {
		return a.Buffer(names, addr, count, datatypeHandle)
	}
	return a.Target(names, addr, count, datatypeHandle)
}

// BufferOrInPlace is buffer where MPI_IN_PLACE is allowed, with which count and datatype are ignored.
func (a *Args) BufferOrInPlace(names string, addr uintptr, count int64,
	datatypeHandle uintptr) datatype.Buffer {
	if addr == datatype.InPlace {
		if a.noted != nil {
			a.noted.inPlace = true
		}
		b := NoBuffer
		b.Addr = datatype.InPlace
		return b
	}
	return a.Buffer(names, addr, count, datatypeHandle)
}

// InPlaceAtRoot is bufferOrInPlace at the root of a collective operation, and buffer elsewhere. At the root
// of an operation between two groups it means nothing.
func (a *Args) InPlaceAtRoot(root bool, names string, addr uintptr, count int64,
	datatypeHandle uintptr) datatype.Buffer {
	if a.across {
		return NoBuffer
	}
	if root {
		return a.BufferOrInPlace(names, addr, count, datatypeHandle)
	}
	return a.Buffer(names, addr, count, datatypeHandle)
}

// Unused is a buffer whose count and datatype count, but not its address.
func (a *Args) Unused(names string, count int64, datatypeHandle uintptr) datatype.Buffer {
	b := datatype.Buffer{Count: count, Type: lookupType(datatypeHandle)}
	if b.Type == nil || count < 0 || !b.Type.Committed() || b.TooLarge() {
		a.oddBuffer(names, b, datatypeHandle)
		return NoBuffer
	}
	return b
}

func (a *Args) tooLarge(names string, b datatype.Buffer) {
	n := strings.Fields(names)
	a.wrong(mpierr.ErrCount, "%s is %d: as many elements of %s, of %d bytes, are more than any memory", n[1], b.Count, b.Type.Name(), max(b.Type.Size(), b.Type.Extent()))
}

// oddBuffer finds what is wrong with a buffer, if anything is. It is for all buffers at addresses below
// lowest, among them the constants of the standard: MPI_BOTTOM, MPI_IN_PLACE.
func (a *Args) oddBuffer(names string, b datatype.Buffer, datatypeHandle uintptr) datatype.Buffer {
	if a.absent {
		return NoBuffer
	}
	n := strings.Fields(names)
	switch {
	case b.Count < 0:
		a.Count(n[1], b.Count)
	case b.Type == nil && b.Count == 0 && datatypeHandle == TypeNull:
		return NoBuffer // programs do so for messages without data, and MPICH takes it
	case b.Type == nil:
		a.badType(n[2], datatypeHandle)
	case !b.Type.Committed():
		a.wrong(mpierr.ErrType, "%s is %s that has not been committed", n[2], b.Type.Name())
	case b.Addr == datatype.InPlace:
		a.wrong(mpierr.ErrBuffer, "%s is MPI_IN_PLACE, which is not allowed here or not at this rank", n[0])
	case b.TooLarge():
		a.tooLarge(names, b)
	case absolute(b):
		a.readable(names, b.Addr+uintptr(b.Type.TrueLB()))
	case b.Bytes() > 0 && b.Addr == 0:
		a.wrong(mpierr.ErrBuffer, "%s is NULL, but %s is %d", n[0], n[1], b.Count)
	case b.Bytes() > 0:
		a.wrong(mpierr.ErrBuffer, "%s is %#x, which is no buffer", n[0], b.Addr)
	}
	return b
}

// absolute reports whether a buffer below all memory has a type whose displacements are addresses (MPI 5.0,
// 5.1.12).
func absolute(b datatype.Buffer) bool {
	first, size := b.Span()
	return size > 0 && first >= lowest
}
